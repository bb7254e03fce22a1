// `npm run generate` writes this file from the table of endpoints.
import type {
  CreateOrganization,
  ExportQuery,
  MyOrganizations,
  Organization,
  OrganizationDetails,
  UpdateOrganization,
} from '@everscan/contract/resources/organizations.ts'
import type { ArchiveImport } from '@everscan/contract/archives/archive-imports.ts'
import type {
  AddressCheck,
  Connection,
  PublicAddress,
  UpdatePublicAddress,
} from '@everscan/contract/resources/connections.ts'
import type { Installation } from '@everscan/contract/resources/installation.ts'
import type {
  ListSentMailsQuery,
  MailSwitch,
  SentMailsPage,
  SwitchMails,
} from '@everscan/contract/views/sent-mails.ts'
import type { Service } from '../calling.ts'
import { pathOf, readJson, type CallOptions } from '../send.ts'
import { streamedFile, type StreamedFile } from '../streamed-files.ts'

export function organizationsOf({ send, sendStreamed }: Service) {
  const calls = {
    /**
     * List the organizations of the caller. An API key has exactly one organization, a session all
     * those of its account. `id` is the `:orgId` in other paths.
     */
    async listMine(options?: CallOptions): Promise<MyOrganizations> {
      const path = '/users/me/organizations'
      return readJson(await send({ method: 'GET', path, idempotent: true, options }))
    },

    /**
     * Create an organization. The caller becomes its first ADMIN. 409 if the caller is already
     * ADMIN of 20 organizations.
     */
    async create(body: CreateOrganization, options?: CallOptions): Promise<Organization> {
      const path = '/organizations'
      return readJson(await send({ method: 'POST', path, body, idempotent: false, options }))
    },

    /** Read the organization with its settings. */
    async read(orgId: string, options?: CallOptions): Promise<OrganizationDetails> {
      const path = pathOf`/organizations/${orgId}`
      return readJson(await send({ method: 'GET', path, idempotent: true, options }))
    },

    /**
     * Update the organization. Partial: fields that are not sent stay unchanged, and null removes
     * `publicName` or `logo`. Both appear on the pages of all codes from the next scan on. 409 if a
     * member without two-factor sign-in sets `twoFactorRequired`: they could not enter themselves.
     */
    async update(
      orgId: string,
      body: UpdateOrganization,
      options?: CallOptions,
    ): Promise<OrganizationDetails> {
      const path = pathOf`/organizations/${orgId}`
      return readJson(await send({ method: 'PUT', path, body, idempotent: true, options }))
    },

    /**
     * Export the data of the organization, or a static site of its codes, as one zip archive.
     * Folders, styles, codes with their short codes, pictures and history, views, webhooks without
     * secrets, and all scans as JSON lines, redirect maps for nginx and Caddy, and a README that
     * explains them. With `format=static`, a site with which nginx, Caddy or an object store
     * answers the codes without this service. Streamed, regardless of the number of codes.
     */
    async export(orgId: string, query: ExportQuery = {}, options?: CallOptions): Promise<StreamedFile> {
      const path = pathOf`/organizations/${orgId}/export`
      const answer = await sendStreamed({ method: 'GET', path, query, idempotent: true, options })
      return streamedFile(answer, { contentType: 'application/zip', fileName: `${orgId}.zip` })
    },

    /** Read the import of an archive: its progress, and the lines that were left out. */
    async readImport(orgId: string, id: string, options?: CallOptions): Promise<ArchiveImport> {
      const path = pathOf`/organizations/${orgId}/imports/${id}`
      return readJson(await send({ method: 'GET', path, idempotent: true, options }))
    },

    /**
     * Download which identifier each record of an archive got, as CSV. The columns are archived and
     * here: the identifier in the archive, and the one that the record has here. The organization
     * comes first, and rules last.
     */
    async importedIds(orgId: string, id: string, options?: CallOptions): Promise<StreamedFile> {
      const path = pathOf`/organizations/${orgId}/imports/${id}/ids.csv`
      const answer = await sendStreamed({ method: 'GET', path, idempotent: true, options })
      return streamedFile(answer, { contentType: 'text/csv', fileName: `${id}.csv` })
    },

    /** Read the address that printed codes contain, and whether phones reach it. */
    async publicAddress(orgId: string, options?: CallOptions): Promise<PublicAddress> {
      const path = pathOf`/organizations/${orgId}/public-address`
      return readJson(await send({ method: 'GET', path, idempotent: true, options }))
    },

    /**
     * Say whether the codes of the organization are only for phones in its own network. The address
     * itself is the setting `PUBLIC_URL` of the service.
     */
    async updatePublicAddress(
      orgId: string,
      body: UpdatePublicAddress,
      options?: CallOptions,
    ): Promise<PublicAddress> {
      const path = pathOf`/organizations/${orgId}/public-address`
      return readJson(await send({ method: 'PUT', path, body, idempotent: true, options }))
    },

    /** Start a check with a phone: it opens an address, and the check tells that it arrived. */
    async checkAddress(orgId: string, options?: CallOptions): Promise<AddressCheck> {
      const path = pathOf`/organizations/${orgId}/public-address/checks`
      return readJson(await send({ method: 'POST', path, idempotent: false, options }))
    },

    /** Read whether a phone opened the address of a check. */
    async addressCheck(orgId: string, id: string, options?: CallOptions): Promise<AddressCheck> {
      const path = pathOf`/organizations/${orgId}/public-address/checks/${id}`
      return readJson(await send({ method: 'GET', path, idempotent: true, options }))
    },

    /**
     * Read how the caller reaches the service: through which proxies and with which headers. For
     * admins who set up proxies: if the address is not that of the caller, the countries, cities
     * and unique scans are wrong. Nothing of the request is stored; of scans only the share of the
     * most frequent network is.
     */
    async connection(orgId: string, options?: CallOptions): Promise<Connection> {
      const path = pathOf`/organizations/${orgId}/connection`
      return readJson(await send({ method: 'GET', path, idempotent: true, options }))
    },

    /**
     * Read the machines and copies of the whole installation, the date of its geography data, and
     * its events. For the organization of the operator (`./everscan operator`); other organizations
     * get 404.
     */
    async installation(orgId: string, options?: CallOptions): Promise<Installation> {
      const path = pathOf`/organizations/${orgId}/installation`
      return readJson(await send({ method: 'GET', path, idempotent: true, options }))
    },

    /**
     * List which mails the members of all organizations sent, by day, sender, kind and domain. For
     * the operator of the installation; other organizations get 404. Counts are kept for 90 days,
     * addresses of recipients not at all. What a mail server returns later is not known here: it
     * goes to the address of MAIL_FROM.
     */
    async sentMails(
      orgId: string,
      query: ListSentMailsQuery = {},
      options?: CallOptions,
    ): Promise<SentMailsPage> {
      const path = pathOf`/organizations/${orgId}/installation/mails`
      return readJson(await send({ method: 'GET', path, query, idempotent: true, options }))
    },

    /**
     * Stop the mails of an organization at once, or allow them again. For the operator of the
     * installation; other organizations get 404. Stopped are invitations, questions for consent and
     * mails of views. Mails about accounts and about domains go on. Both audit logs say so, and the
     * ADMINs of the organization see it.
     */
    async switchMails(
      orgId: string,
      id: string,
      body: SwitchMails,
      options?: CallOptions,
    ): Promise<MailSwitch> {
      const path = pathOf`/organizations/${orgId}/installation/mails/${id}`
      return readJson(await send({ method: 'PUT', path, body, idempotent: true, options }))
    },
  }
  return calls
}
