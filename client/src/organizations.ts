import type { ArchiveImport, StartArchiveImportQuery } from '@everscan/contract/archives/archive-imports.ts'
import type { Organization } from '@everscan/contract/resources/organizations.ts'
import { composed, type Composed, type Service } from './calling.ts'
import { organizationsOf } from './calls/organizations.ts'
import { readJson, type CallOptions } from './send.ts'

export type Organizations = Composed<typeof organizationsOf, typeof ownCalls>

/** An archive of an organization, and how it is imported. */
export type ImportArchive = StartArchiveImportQuery & {
  /** Its bytes, or a `Blob`, for example from `await openAsBlob(path)`. */
  file: Uint8Array<ArrayBuffer> | Blob
  /** The name that the job shows. Default: `archive.zip`. */
  fileName?: string | undefined
}

export const organizationCalls: (service: Service) => Organizations = composed(organizationsOf, ownCalls)

function ownCalls(calls: ReturnType<typeof organizationsOf>, { send }: Service) {
  return {
    /** Returns the organizations of the caller: a key has exactly one, a session its account's. */
    async listMine(options?: CallOptions): Promise<Organization[]> {
      return (await calls.listMine(options)).organizations
    },

    /**
     * Imports an archive in the background (`readImport`): a session makes a new organization of
     * it, a key fills its own, empty one, which `organizationId` names. Its records get new ids
     * (`importedIds`). A `ConflictError` names the lines that cannot be taken, unless `leaveOut` is
     * set. `dryRun` writes nothing.
     */
    async import(
      { file, fileName = 'archive.zip', ...query }: ImportArchive,
      options?: CallOptions,
    ): Promise<ArchiveImport> {
      const form = new FormData()
      form.append('file', new Blob([file], { type: 'application/zip' }), fileName)
      const path = '/organizations/imports'
      return readJson(await send({ method: 'POST', path, query, form, idempotent: false, options }))
    },
  }
}
