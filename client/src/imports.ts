import type {
  ImportJob,
  ImportJobPage,
  ListImportJobsQuery,
} from '@everscan/contract/resources/bulk-imports.ts'
import type { QrCodeType } from '@everscan/contract/code-types/qr-code-data.ts'
import { pathOf, readJson, type CallOptions, type Send } from './send.ts'
import { sleep } from './sleep.ts'

/** Bulk imports of an organization. */
export type Imports = ReturnType<typeof importCalls>

/** A CSV file and what its rows are. */
export type StartImport = {
  type: QrCodeType
  /** The file: its text, its bytes, or a `Blob` such as `await openAsBlob(path)` gives. At most 10 MB and 10,000 rows. */
  file: string | Uint8Array<ArrayBuffer> | Blob
  /** As the job shows it; `import.csv` unless given. */
  fileName?: string | undefined
  /** Only checks the rows and writes nothing. */
  dryRun?: boolean | undefined
  /** A style of the organization for every code; its default unless given. */
  styleId?: string | undefined
  /** A folder for the codes whose row names none. */
  folderId?: string | undefined
}

/** An import that is started once however often it is sent within 24 hours. */
export type StartImportOptions = CallOptions & { idempotencyKey?: string | undefined }

export type WaitOptions = CallOptions & {
  /** How often it is asked, in milliseconds; 500 unless given. */
  pollMs?: number | undefined
  /** Told each time how far it is. */
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
     * Uploads a file; its rows become codes in the background (`waitFor`). Rejects with a `ValidationError` for what is wrong with the
     * file as a whole. With an `idempotencyKey` it may be sent again safely, and is when the connection breaks.
     */
    async start(
      orgId: string,
      { type, file, fileName = 'import.csv', dryRun = false, styleId, folderId }: StartImport,
      options?: StartImportOptions,
    ): Promise<ImportJob> {
      const form = new FormData()
      form.append('type', type)
      form.append('dryRun', String(dryRun))
      if (styleId !== undefined) form.append('styleId', styleId)
      if (folderId !== undefined) form.append('folderId', folderId)
      form.append('file', new Blob([file], { type: 'text/csv' }), fileName)
      const key = options?.idempotencyKey
      const path = pathOf`/organizations/${orgId}/qr-codes/bulk-import`
      const headers = { 'idempotency-key': key }
      return readJson(
        await send({ method: 'POST', path, form, headers, idempotent: key !== undefined, options }),
      )
    },

    /** One import: how far it is, and the first rows that failed. */
    read,

    /** A page of imports, newest first. */
    list,

    /** Waits until an import has ended, as COMPLETED (also with row errors), FAILED or CANCELLED. `signal` ends the waiting. */
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

    /** Ends an import; the codes that it has made stay. A `ConflictError` when it has ended otherwise. */
    async cancel(orgId: string, id: string, options?: CallOptions): Promise<ImportJob> {
      const path = pathOf`/organizations/${orgId}/qr-codes/bulk-import/${id}/cancel`
      return readJson(await send({ method: 'POST', path, idempotent: true, options }))
    },

    /** The rows that failed, all of them, with the reason: CSV that can be mended and uploaded again. */
    async errorsCsv(orgId: string, id: string, options?: CallOptions): Promise<string> {
      const path = pathOf`/organizations/${orgId}/qr-codes/bulk-import/${id}/errors.csv`
      return textOf(await send({ method: 'GET', path, idempotent: true, options }))
    },

    /** A CSV template for a type, with one row that imports as it is. */
    async sample(orgId: string, type: QrCodeType, options?: CallOptions): Promise<string> {
      const path = pathOf`/organizations/${orgId}/qr-codes/bulk-import/sample`
      return textOf(await send({ method: 'GET', path, query: { type }, idempotent: true, options }))
    },
  }
}

function textOf({ bytes }: { bytes: Uint8Array }): string {
  return new TextDecoder().decode(bytes)
}
