import type { ArchiveImport, StartArchiveImportQuery } from '@everscan/contract/archives/archive-imports.ts'
import type { Connection } from '@everscan/contract/resources/connections.ts'
import type { Installation } from '@everscan/contract/resources/installation.ts'
import type {
  CreateOrganization,
  ExportQuery,
  MyOrganizations,
  Organization,
  OrganizationDetails,
  UpdateOrganization,
} from '@everscan/contract/resources/organizations.ts'
import type {
  AddressCheck,
  PublicAddress,
  UpdatePublicAddress,
} from '@everscan/contract/resources/connections.ts'
import type {
  ListSentMailsQuery,
  MailSwitch,
  SentMailsPage,
  SwitchMails,
} from '@everscan/contract/views/sent-mails.ts'
import { streamedFile, type StreamedFile } from './streamed-files.ts'
import { pathOf, readJson, type CallOptions, type Send, type SendStreamed } from './send.ts'

export type Organizations = ReturnType<typeof organizationCalls>

/** An archive of an organization, and how it is imported. */
export type ImportArchive = StartArchiveImportQuery & {
  /** Its bytes, or a `Blob`, for example from `await openAsBlob(path)`. */
  file: Uint8Array<ArrayBuffer> | Blob
  /** The name that the job shows. Default: `archive.zip`. */
  fileName?: string | undefined
}

export function organizationCalls(send: Send, sendStreamed: SendStreamed) {
  return {
    /** Creates an organization. Its first ADMIN is the signed-in account. Keys are rejected. */
    async create(body: CreateOrganization, options?: CallOptions): Promise<Organization> {
      return readJson(
        await send({ method: 'POST', path: '/organizations', body, idempotent: false, options }),
      )
    },

    /** Returns the organizations of the caller: a key has exactly one, a session its account's. */
    async listMine(options?: CallOptions): Promise<Organization[]> {
      const path = '/users/me/organizations'
      const answer = await send({ method: 'GET', path, idempotent: true, options })
      return readJson<MyOrganizations>(answer).organizations
    },

    /** Returns an organization with its settings. */
    async read(orgId: string, options?: CallOptions): Promise<OrganizationDetails> {
      const path = pathOf`/organizations/${orgId}`
      return readJson(await send({ method: 'GET', path, idempotent: true, options }))
    },

    /** Changes an organization: its name, and its pages' name and logo, which null removes. */
    async update(
      orgId: string,
      body: UpdateOrganization,
      options?: CallOptions,
    ): Promise<OrganizationDetails> {
      const path = pathOf`/organizations/${orgId}`
      return readJson(await send({ method: 'PUT', path, body, idempotent: true, options }))
    },

    /** Returns the address that printed codes contain, and whether phones reach it. */
    async publicAddress(orgId: string, options?: CallOptions): Promise<PublicAddress> {
      const path = pathOf`/organizations/${orgId}/public-address`
      return readJson(await send({ method: 'GET', path, idempotent: true, options }))
    },

    /** Says whether codes are only for phones in the own network. Needs role ADMIN. */
    async updatePublicAddress(
      orgId: string,
      body: UpdatePublicAddress,
      options?: CallOptions,
    ): Promise<PublicAddress> {
      const path = pathOf`/organizations/${orgId}/public-address`
      return readJson(await send({ method: 'PUT', path, body, idempotent: true, options }))
    },

    /** Starts a check: a phone opens the address of the answer within an hour. */
    async checkAddress(orgId: string, options?: CallOptions): Promise<AddressCheck> {
      const path = pathOf`/organizations/${orgId}/public-address/checks`
      return readJson(await send({ method: 'POST', path, idempotent: false, options }))
    },

    /** Returns whether a phone opened the address of a check. */
    async addressCheck(orgId: string, id: string, options?: CallOptions): Promise<AddressCheck> {
      const path = pathOf`/organizations/${orgId}/public-address/checks/${id}`
      return readJson(await send({ method: 'GET', path, idempotent: true, options }))
    },

    /** Returns the path of the call through proxies, for setting up proxies. Needs role ADMIN. */
    async connection(orgId: string, options?: CallOptions): Promise<Connection> {
      const path = pathOf`/organizations/${orgId}/connection`
      return readJson(await send({ method: 'GET', path, idempotent: true, options }))
    },

    /**
     * Returns the copies of the installation and its incidents. Needs role ADMIN in the operator's
     * organization; other callers get 404.
     */
    async installation(orgId: string, options?: CallOptions): Promise<Installation> {
      const path = pathOf`/organizations/${orgId}/installation`
      return readJson(await send({ method: 'GET', path, idempotent: true, options }))
    },

    /**
     * Returns which mails the members of all organizations sent. Needs role ADMIN in the operator's
     * organization; other callers get 404.
     */
    async sentMails(
      orgId: string,
      query: ListSentMailsQuery = {},
      options?: CallOptions,
    ): Promise<SentMailsPage> {
      const path = pathOf`/organizations/${orgId}/installation/mails`
      return readJson(await send({ method: 'GET', path, query, idempotent: true, options }))
    },

    /** Stops the mails of the organization `id`, or allows them again. For the operator. */
    async switchMails(
      orgId: string,
      id: string,
      body: SwitchMails,
      options?: CallOptions,
    ): Promise<MailSwitch> {
      const path = pathOf`/organizations/${orgId}/installation/mails/${id}`
      return readJson(await send({ method: 'PUT', path, body, idempotent: true, options }))
    },

    /**
     * Streams all data of an organization as a zip archive: codes with their short codes and
     * history, folders, scans, redirect maps; or, with `format: 'static'`, a site with which any
     * web server answers the codes. Needs a key with role ADMIN. If the stream breaks off, the body
     * rejects and the data so far is not an archive.
     */
    async export(orgId: string, query: ExportQuery = {}, options?: CallOptions): Promise<StreamedFile> {
      const path = pathOf`/organizations/${orgId}/export`
      const answer = await sendStreamed({ method: 'GET', path, query, idempotent: true, options })
      return streamedFile(answer, { contentType: 'application/zip', fileName: `${orgId}.zip` })
    },

    /**
     * Imports an archive in the background (`readImport`): a session makes a new organization of
     * it, a key fills its own, empty one, which `organizationId` names. Its records get new ids
     * (`importedIds`). A `ConflictError` names the
     * lines that cannot be taken, unless `leaveOut` is set. `dryRun` writes nothing.
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

    /** Returns the import of an archive: its progress. Needs role ADMIN. */
    async readImport(orgId: string, id: string, options?: CallOptions): Promise<ArchiveImport> {
      const path = pathOf`/organizations/${orgId}/imports/${id}`
      return readJson(await send({ method: 'GET', path, idempotent: true, options }))
    },

    /**
     * Streams which id each record of an archive got, as CSV with the columns `archived` and
     * `here`. Needs role ADMIN.
     */
    async importedIds(orgId: string, id: string, options?: CallOptions): Promise<StreamedFile> {
      const path = pathOf`/organizations/${orgId}/imports/${id}/ids.csv`
      const answer = await sendStreamed({ method: 'GET', path, idempotent: true, options })
      return streamedFile(answer, { contentType: 'text/csv', fileName: `${id}-ids.csv` })
    },
  }
}
