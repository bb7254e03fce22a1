import type {
  ImportJob,
  ImportJobPage,
  ImportPreview,
  ImportRepairs,
  ListImportJobsQuery,
} from '@everscan/contract/resources/bulk-imports.ts'
import type { QrCodeType } from '@everscan/contract/code-types/code-types.ts'
import { pathOf, readJson, type CallOptions, type Send } from './send.ts'
import { sleep } from './sleep.ts'

/** Bulk imports of an organization. */
export type Imports = ReturnType<typeof importCalls>

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
export type StartImportOptions = CallOptions & { idempotencyKey?: string | undefined }

export type WaitOptions = CallOptions & {
  /** The polling interval in milliseconds. Default: 500. */
  pollMs?: number | undefined
  /** Called with the state of the import after each poll. */
  onProgress?: ((job: ImportJob) => void) | undefined
}

const pollMsDefault = 500

export function importCalls(send: Send) {
  async function read(orgId: string, id: string, options?: CallOptions): Promise<ImportJob> {
    const path = pathOf`/organizations/${orgId}/qr-codes/bulk-import/${id}`
    return readJson(await send({ method: 'GET', path, idempotent: true, options }))
  }

  async function list(
    orgId: string,
    query: ListImportJobsQuery = {},
    options?: CallOptions,
  ): Promise<ImportJobPage> {
    const path = pathOf`/organizations/${orgId}/qr-codes/bulk-import`
    return readJson(await send({ method: 'GET', path, query, idempotent: true, options }))
  }

  return {
    /**
     * Uploads a file. Its rows become codes in the background (`waitFor`). Rejects with a
     * `ValidationError` for problems of the file as a whole. An `idempotencyKey` makes retries
     * safe, and the client then retries when the connection breaks.
     */
    async start(
      orgId: string,
      { file, fileName = 'import.csv', dryRun = false, columns, repairs, ...fields }: StartImport,
      options?: StartImportOptions,
    ): Promise<ImportJob> {
      const form = new FormData()
      form.append('dryRun', String(dryRun))
      for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.append(name, value)
      for (const [name, value] of Object.entries({ columns, repairs }))
        if (value !== undefined) form.append(name, JSON.stringify(value))
      form.append('file', new Blob([file], { type: 'text/csv' }), fileName)
      const key = options?.idempotencyKey
      const path = pathOf`/organizations/${orgId}/qr-codes/bulk-import`
      const headers = { 'idempotency-key': key }
      return readJson(
        await send({ method: 'POST', path, form, headers, idempotent: key !== undefined, options }),
      )
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

    /** Returns an import: its progress, and the first rows that failed. */
    read,

    /** Returns a page of imports, newest first. */
    list,

    /**
     * Waits until an import is COMPLETED (possibly with row errors), FAILED or CANCELLED. `signal`
     * ends the wait.
     */
    async waitFor(
      orgId: string,
      id: string,
      { pollMs = pollMsDefault, onProgress, ...options }: WaitOptions = {},
    ): Promise<ImportJob> {
      for (;;) {
        const job = await read(orgId, id, options)
        onProgress?.(job)
        if (job.completedAt !== null) return job
        await sleep(pollMs, options.signal)
      }
    },

    /** Cancels an import; the codes it created stay. A `ConflictError` if it ended otherwise. */
    async cancel(orgId: string, id: string, options?: CallOptions): Promise<ImportJob> {
      const path = pathOf`/organizations/${orgId}/qr-codes/bulk-import/${id}/cancel`
      return readJson(await send({ method: 'POST', path, idempotent: true, options }))
    },

    /** Returns all failed rows with their reasons, as CSV to correct and upload again. */
    async errorsCsv(orgId: string, id: string, options?: CallOptions): Promise<string> {
      const path = pathOf`/organizations/${orgId}/qr-codes/bulk-import/${id}/errors.csv`
      return textOf(await send({ method: 'GET', path, idempotent: true, options }))
    },

    /** Returns a CSV template for a type, with one row that can be imported unchanged. */
    async sample(orgId: string, type: QrCodeType, options?: CallOptions): Promise<string> {
      const path = pathOf`/organizations/${orgId}/qr-codes/bulk-import/sample`
      return textOf(await send({ method: 'GET', path, query: { type }, idempotent: true, options }))
    },
  }
}

function textOf({ bytes }: { bytes: Uint8Array }): string {
  return new TextDecoder().decode(bytes)
}
