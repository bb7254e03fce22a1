import { createClient, type Client } from '@everscan/client/create-client.ts'
import { atProcessEnd } from '../../src/db/testing/at-process-end.ts'
import { startService, type Service } from './service.ts'

export const password = 'correct horse battery'
const operator = 'operator@example.com'

/** An organization of its own in a service that the suites of a process share. */
export type Tenant = { service: Service; orgId: string; email: string }

let shared: Promise<Service> | undefined
let tenants = 0

atProcessEnd(async () => {
  await (await shared)?.remove()
})

/**
 * Starts the service of this process, if no suite has yet, and creates an account with an
 * organization in it. The calls that would end the service for other suites throw.
 */
export async function openTenant(): Promise<Tenant> {
  shared ??= startService({
    BOOTSTRAP_EMAIL: operator,
    BOOTSTRAP_PASSWORD: password,
    RATE_LIMIT_PER_MINUTE: '0',
    TRUST_PROXY: '127.0.0.1',
    WEBHOOK_ALLOW_PRIVATE: 'true',
  })
  const service = await shared
  const { baseUrl } = service
  const email = `ada-${++tenants}@example.com`
  const inviting = await service.client().organizations.listMine()
  const invitingId = inviting[0]?.id ?? ''
  const invitation = { email, role: 'VIEWER' } as const
  const { acceptUrl } = await service.client().invitations.create(invitingId, invitation)
  const token = new URL(acceptUrl).hash.slice(1)
  const person = createClient({ baseUrl, fetch: fetchAsPage(baseUrl) })
  await person.invitations.accept({ token, name: 'Administrator', password })
  await person.auth.signIn({ email, password })
  const { id: orgId } = await person.organizations.create({ name: 'My organization' })
  await person.me.leaveOrganization(invitingId)
  const { key: apiKey } = await person.apiKeys.create(orgId, { name: 'Tests', role: 'ADMIN' })
  await person.auth.signOut()
  const client = (settings = {}): Client => createClient({ baseUrl, apiKey, ...settings })
  return { service: { ...service, ...unending(), apiKey, client }, orgId, email }
}

function unending(): Partial<Service> {
  return {
    signal: refuse,
    launch: refuse,
    stop: refuse,
    kill: refuse,
    killMain: refuse,
    restart: refuse,
    remove: () => Promise.resolve(),
  }
}

function refuse(): never {
  throw new Error('Other suites use this service: start one of its own.')
}

/** Returns a `fetch` that keeps the session, as a page of the service does. */
function fetchAsPage(origin: string): typeof fetch {
  let cookie = ''
  return async (input, init) => {
    const headers = new Headers(init?.headers)
    headers.set('origin', origin)
    if (cookie !== '') headers.set('cookie', cookie)
    const answer = await fetch(input, { ...init, headers })
    cookie = /^\w+=[^;]+/.exec(answer.headers.getSetCookie()[0] ?? '')?.[0] ?? cookie
    return answer
  }
}
