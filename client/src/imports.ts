import type { QrCodeType } from '@everscan/contract/code-types/code-types.ts'
import type { ImportJob, ImportPreview, ImportRepairs } from '@everscan/contract/resources/bulk-imports.ts'
import { composed, formOf, once, type Composed, type CreateOptions, type Service } from './calling.ts'
import { importsOf } from './calls/imports.ts'
import { pathOf, readJson, type CallOptions } from './send.ts'
import { ended, type WaitOptionsOf } from './wait.ts'

/** Bulk imports of an organization. */
export type Imports = Composed<typeof importsOf, typeof ownCalls>

/** A CSV or xlsx file and the type of its rows. */
export type StartImport = {
  type: QrCodeType
  /**
   * The file: the text of a CSV, its bytes, or a `Blob`, for example from `await openAsBlob(path)`.
   * At most 10 MB and 10,000 rows.
   */
  file: string | Uint8Array<ArrayBuffer> | Blob
  /** The name that the job shows. Default: `import.csv`. */
  fileName?: string | undefined
  /** Only checks the rows and writes nothing. */
  dryRun?: boolean | undefined
  /** A style of the organization for all codes. By default the organization's default style. */
  styleId?: string | undefined
  /** A folder for the codes whose rows have none. */
  folderId?: string | undefined
  /**
   * Columns of the type by their names in the file, and null for a column to ignore. Other columns
   * are known by their own names. `metadata.KEY` is the metadata of a key, in its letter case.
   */
  columns?: Readonly<Record<string, string | null>> | undefined
  /** Whether columns that the type does not have refuse the file. Default: `refuse`. */
  unknownColumns?: 'refuse' | 'ignore' | undefined
  /** Values that replace those in the file, by the number of the row and the column. */
  repairs?: ImportRepairs | undefined
  /** An earlier import, some failed rows of which are in this file. Only shown with this import. */
  repairOf?: string | undefined
}

/** With an `idempotencyKey` the service starts one import, even if it comes again within 24 h. */
export type StartImportOptions = CreateOptions

export type WaitOptions = WaitOptionsOf<ImportJob>

export const importCalls: (service: Service) => Imports = composed(importsOf, ownCalls)

function ownCalls(calls: ReturnType<typeof importsOf>, { send }: Service) {
  return {
    /**
     * Uploads a file. Its rows become codes in the background (`waitFor`). Rejects with a
     * `ValidationError` for problems of the file as a whole. An `idempotencyKey` makes retries
     * safe, and the client then retries when the connection breaks.
     */
    async start(
      orgId: string,
      { file, fileName = 'import.csv', dryRun = false, ...fields }: StartImport,
      options?: StartImportOptions,
    ): Promise<ImportJob> {
      const form = formOf({ dryRun, ...fields })
      form.append('file', new Blob([file], { type: 'text/csv' }), fileName)
      const path = pathOf`/organizations/${orgId}/qr-codes/bulk-import`
      return readJson(await send({ method: 'POST', path, form, ...once(options), options }))
    },

    /** Returns the columns and the first rows of a CSV or xlsx file, of which nothing is kept. */
    async preview(
      orgId: string,
      { file, fileName = 'import.csv' }: Pick<StartImport, 'file' | 'fileName'>,
      options?: CallOptions,
    ): Promise<ImportPreview> {
      const form = new FormData()
      form.append('file', new Blob([file], { type: 'text/csv' }), fileName)
      const path = pathOf`/organizations/${orgId}/qr-codes/bulk-import/preview`
      return readJson(await send({ method: 'POST', path, form, idempotent: true, options }))
    },

    /**
     * Waits until an import is COMPLETED (possibly with row errors), FAILED or CANCELLED. `signal`
     * ends the wait.
     */
    async waitFor(orgId: string, id: string, options?: WaitOptions): Promise<ImportJob> {
      return ended((polling) => calls.read(orgId, id, polling), options)
    },

    /** Returns a CSV template for a type, with one row that can be imported unchanged. */
    async sample(orgId: string, type: QrCodeType, options?: CallOptions): Promise<string> {
      return calls.sample(orgId, { type }, options)
    },
  }
}
