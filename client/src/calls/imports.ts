// `npm run generate` writes this file from the table of endpoints.
import type {
  ImportJob,
  ImportJobPage,
  ImportJobSummary,
  ImportSampleQuery,
  ListImportJobsQuery,
} from '@everscan/contract/resources/bulk-imports.ts'
import { readText, type Service } from '../calling.ts'
import { iterate } from '../iterate.ts'
import { pathOf, readJson, type CallOptions } from '../send.ts'

export function importsOf({ send }: Service) {
  const calls = {
    /** List the imports of the organization, newest first. */
    async list(
      orgId: string,
      query: ListImportJobsQuery = {},
      options?: CallOptions,
    ): Promise<ImportJobPage> {
      const path = pathOf`/organizations/${orgId}/qr-codes/bulk-import`
      return readJson(await send({ method: 'GET', path, query, idempotent: true, options }))
    },

    /**
     * Yields every record of the list, page by page. If records are deleted meanwhile, it may skip
     * others: collect them first, then delete.
     */
    iterate(
      orgId: string,
      query: Omit<ListImportJobsQuery, 'page'> = {},
      options?: CallOptions,
    ): AsyncGenerator<ImportJobSummary, void, undefined> {
      return iterate(({ page, limit }) => calls.list(orgId, { limit, ...query, page }, options))
    },

    /** Download a CSV template for a type, with one valid row. */
    async sample(orgId: string, query: ImportSampleQuery, options?: CallOptions): Promise<string> {
      const path = pathOf`/organizations/${orgId}/qr-codes/bulk-import/sample`
      return readText(await send({ method: 'GET', path, query, idempotent: true, options }))
    },

    /** Read an import: its progress and the rows that failed. */
    async read(orgId: string, id: string, options?: CallOptions): Promise<ImportJob> {
      const path = pathOf`/organizations/${orgId}/qr-codes/bulk-import/${id}`
      return readJson(await send({ method: 'GET', path, idempotent: true, options }))
    },

    /**
     * Cancel an import. Codes that it has created stay. Cancelling a cancelled import changes
     * nothing; 409 if it has ended otherwise.
     */
    async cancel(orgId: string, id: string, options?: CallOptions): Promise<ImportJob> {
      const path = pathOf`/organizations/${orgId}/qr-codes/bulk-import/${id}/cancel`
      return readJson(await send({ method: 'POST', path, idempotent: true, options }))
    },

    /**
     * Download the failed rows of an import, with the reasons, as CSV. Correct the rows and upload
     * the file again: imports ignore the columns "row" and "error". Columns have the names of the
     * type.
     */
    async errorsCsv(orgId: string, id: string, options?: CallOptions): Promise<string> {
      const path = pathOf`/organizations/${orgId}/qr-codes/bulk-import/${id}/errors.csv`
      return readText(await send({ method: 'GET', path, idempotent: true, options }))
    },
  }
  return calls
}
