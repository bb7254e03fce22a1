import type { Connection } from '@everscan/contract/resources/connections.ts'
import type { Installation } from '@everscan/contract/resources/installation.ts'
import type {
  CreateOrganization,
  MyOrganizations,
  Organization,
  OrganizationDetails,
  UpdateOrganization,
} from '@everscan/contract/resources/organizations.ts'
import { streamedFile, type StreamedFile } from './streamed-files.ts'
import { pathOf, readJson, type CallOptions, type Send, type SendStreamed } from './send.ts'

/** Organizations. */
export type Organizations = ReturnType<typeof organizationCalls>

export function organizationCalls(send: Send, sendStreamed: SendStreamed) {
  return {
    /** Makes an organization; its first ADMIN is who is signed in. Keys are refused. */
    async create(body: CreateOrganization, options?: CallOptions): Promise<Organization> {
      return readJson(
        await send({ method: 'POST', path: '/organizations', body, idempotent: false, options }),
      )
    },

    /** The organizations of the caller; a key has exactly one, a session those of its account. */
    async listMine(options?: CallOptions): Promise<Organization[]> {
      const path = '/users/me/organizations'
      const answer = await send({ method: 'GET', path, idempotent: true, options })
      return readJson<MyOrganizations>(answer).organizations
    },

    /** One organization with its settings. */
    async read(orgId: string, options?: CallOptions): Promise<OrganizationDetails> {
      const path = pathOf`/organizations/${orgId}`
      return readJson(await send({ method: 'GET', path, idempotent: true, options }))
    },

    /** Changes an organization: its name, and the name and logo that its pages show; null takes one of these away. */
    async update(
      orgId: string,
      body: UpdateOrganization,
      options?: CallOptions,
    ): Promise<OrganizationDetails> {
      const path = pathOf`/organizations/${orgId}`
      return readJson(await send({ method: 'PUT', path, body, idempotent: true, options }))
    },

    /** How the caller comes to the service, through which proxies, for who sets these up. Needs role ADMIN. */
    async connection(orgId: string, options?: CallOptions): Promise<Connection> {
      const path = pathOf`/organizations/${orgId}/connection`
      return readJson(await send({ method: 'GET', path, idempotent: true, options }))
    },

    /** Copies of the whole installation and what happened to it. Needs role ADMIN in its oldest organization; any other gets 404. */
    async installation(orgId: string, options?: CallOptions): Promise<Installation> {
      const path = pathOf`/organizations/${orgId}/installation`
      return readJson(await send({ method: 'GET', path, idempotent: true, options }))
    },

    /**
     * Everything of an organization as a zip archive, as a stream: codes with their short codes and history, folders, redirect maps. Needs
     * a key with role ADMIN. The body rejects when it breaks off; what came until then is no archive.
     */
    async export(orgId: string, options?: CallOptions): Promise<StreamedFile> {
      const path = pathOf`/organizations/${orgId}/export`
      const answer = await sendStreamed({ method: 'GET', path, idempotent: true, options })
      return streamedFile(answer, { contentType: 'application/zip', fileName: `${orgId}.zip` })
    },
  }
}
