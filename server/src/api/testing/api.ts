import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { createClient, type Client } from '@everscan/client/create-client.ts'
import type { Role } from '@everscan/contract/schema/common.ts'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import { clickHouseScans } from '../../analytics/clickhouse-scans.ts'
import type { ScanStore } from '../../analytics/scan-store.ts'
import { openClickHouse } from '../../analytics/store/open-clickhouse.ts'
import { createApiKey } from '../../catalogue/organizations/api-keys.ts'
import { markOperator } from '../../catalogue/installation/operator.ts'
import { createOrganization } from '../../catalogue/organizations/organizations.ts'
import { hashPassword } from '../../catalogue/accounts/passwords.ts'
import { createSession } from '../../catalogue/accounts/sessions.ts'
import { createUser, saveMember } from '../../catalogue/accounts/users.ts'
import { createSecretBox } from '../../secret-box.ts'
import type { Database } from '../../db/database.ts'
import { silentLog } from '../../db/testing/databases.ts'
import { createAccountTools } from '../../product/accounts/account-tools.ts'
import { createSplits } from '../../rules/splits.ts'
import type { AccountTools } from '../../product/accounts/account-tools.ts'
import type { RuleTools } from '../../product/codes/rule-tools.ts'
import type { EventStreams } from '../../product/events/event-streams.ts'
import { type ApiOptions, createApi } from '../create-api.ts'
import { answerChecker } from './documented-answers.ts'
import type { Route } from '../http/handler.ts'
import { eventRecord } from '../../product/records/event-records.ts'
import { createViewTools } from '../../product/views/view-tools.ts'
import { styleWorkers } from './style-work.ts'
import { EventStreamHub, type EventStreamsOptions } from '../../product/events/event-stream-hub.ts'
import { openApiDocument } from '../openapi/openapi.ts'
import { someOrigin } from '../../catalogue/testing/catalogue.ts'

export const publicUrl = 'https://qr.example.com'
/** Has the `__Host-` prefix because `publicUrl` is on https. */
export const cookieName = '__Host-everscan_session'

export const testConfig = {
  dataDir: join(tmpdir(), 'everscan-test-api'),
  publicUrl,
  rateLimitPerMinute: 0,
  retentionDays: undefined as number | undefined,
  webhookAllowPrivate: false,
  privateDomains: false,
  trustProxy: [],
  backupDir: undefined as string | undefined,
  backupEveryHours: 24,
  backupKeep: 7,
  rootUrl: undefined,
  securityContact: undefined,
  backupPassphraseFile: undefined as string | undefined,
  geoipCityV4: undefined,
  geoipCityV6: undefined,
  mailsPerAccountPerDay: 200,
  mailsPerInstallationPerDay: 5_000,
}

/** Networks of documentation are in Munich; every user agent is an iPhone. */
export const testRuleTools: RuleTools = {
  createSplit: createSplits('a secret of tests'),
  visitorHash: (...parts) => parts.join(' '),
  sources: {
    require: () => undefined,
    loaded: {
      places: (network) =>
        network === '192.0.2.0' ? { country: 'DE', region: 'DE-BY', city: 'Munich' } : {},
      devices: () => ({ device: 'mobile', os: 'iOS', browser: 'Safari' }),
    },
  },
  loadPlaceReader: async () => (place) => ({
    ...(place.country !== 'XX' && { country: place.country }),
    ...(place.region === 'Berlin' && { region: 'DE-BE' }),
    ...(place.city !== 'Unknown' && { city: place.city }),
  }),
}

const checkAnswer = answerChecker(openApiDocument())

/**
 * Opens an API on a catalogue with two organizations and a key of each role in the first one. Its
 * scan store is down. Every response is checked against the OpenAPI document.
 */
export async function openTestApi(db: Database, options: Partial<ApiOptions> = {}): Promise<TestApi> {
  const app = createApi({
    db,
    store: deadStore(),
    config: testConfig,
    accounts: testAccountTools(),
    box: createSecretBox('a secret of tests', 'webhook secrets'),
    streams: testStreams(db),
    views: createViewTools('a secret of tests'),
    rules: testRuleTools,
    lookAtDns: async () => ({ found: [] }),
    readProblems: async () => [],
    styleWorkers,
    log: silentLog,
    ...options,
  })
  const mine = await createOrganization(db, { name: 'Mine' })
  const foreign = await createOrganization(db, { name: 'Foreign' })
  await markOperator(db, mine.id)
  const keyOf = async (organizationId: string, role: Role) =>
    (await createApiKey(db, organizationId, { origin: someOrigin, name: role, role })).value
  return {
    app,
    orgId: mine.id,
    foreignOrgId: foreign.id,
    keys: {
      ADMIN: await keyOf(mine.id, 'ADMIN'),
      EDITOR: await keyOf(mine.id, 'EDITOR'),
      VIEWER: await keyOf(mine.id, 'VIEWER'),
      foreign: await keyOf(foreign.id, 'ADMIN'),
    },
    call: async (method, path, { key, session, ...rest } = {}) => {
      const url = `/api/v1${path}`
      const headers = { ...callerHeaders({ key, session }), ...rest.headers }
      const answer = await app.inject({ method, url, ...rest, headers })
      if (answer.headers['content-encoding'] === undefined) checkAnswer(method, url, answer)
      return answer
    },
    stream: async (path, caller) => {
      const headers = callerHeaders(caller)
      const answer = await app.inject({ url: `/api/v1${path}`, headers, payloadAsStream: true })
      let text = ''
      answer.stream().on('data', (chunk: Buffer) => (text += chunk.toString()))
      return { statusCode: answer.statusCode, text: () => text }
    },
  }
}

type TestCaller = {
  key?: string | undefined
  /** Token of a session, sent as a page of the service sends it. */
  session?: string | undefined
}

function callerHeaders({ key, session }: TestCaller): Record<string, string> {
  return {
    ...(key === undefined ? {} : { 'x-api-key': key }),
    ...(session === undefined ? {} : { cookie: `${cookieName}=${session}`, origin: publicUrl }),
  }
}

export type TestApi = {
  app: FastifyInstance
  orgId: string
  foreignOrgId: string
  keys: Record<Role | 'foreign', string>
  call: (
    method: NonNullable<InjectOptions['method']>,
    path: string,
    options?: Omit<InjectOptions, 'method' | 'url' | 'path'> & {
      key?: string
      session?: string
    },
  ) => Promise<LightMyRequestResponse>
  /** Reads what does not end: `text` returns what came so far. */
  stream: (path: string, caller: TestCaller) => Promise<{ statusCode: number; text: () => string }>
}

/**
 * An API whose endpoints need no key or get none: they use neither the catalogue nor the scan
 * store.
 */
export function openTableApi(
  endpoints: readonly Route[],
  options: Partial<ApiOptions> = {},
): FastifyInstance {
  const db = {} as Database
  return createApi({
    db,
    store: {} as ScanStore,
    config: testConfig,
    accounts: testAccountTools(),
    box: createSecretBox('a secret of tests', 'webhook secrets'),
    streams: testStreams(db),
    views: createViewTools('a secret of tests'),
    rules: testRuleTools,
    lookAtDns: async () => ({ found: [] }),
    readProblems: async () => [],
    styleWorkers,
    log: silentLog,
    endpoints,
    ...options,
  })
}

export function testAccountTools(options: Partial<AccountTools> = {}): AccountTools {
  return { ...createAccountTools({ secret: 'a secret of tests' }), ...options }
}

export const testRecord: EventStreamsOptions['recordOf'] = (event, place) =>
  eventRecord(event, place, publicUrl)

/** Streams that end immediately, because these tests read entire responses. */
function testStreams(db: Database): EventStreams {
  return new EventStreamHub({ db, recordOf: testRecord, log: silentLog, pollMs: 5, lifeMs: 0 })
}

/** A scan store whose socket has no listener. */
function deadStore() {
  const dir = mkdtempSync(join(tmpdir(), 'everscan-api-'))
  const store = clickHouseScans(openClickHouse({ socketPath: join(dir, 'nobody') }))
  after(async () => {
    await store.close()
    rmSync(dir, { recursive: true })
  })
  return store
}

/** An account with a password and a session. */
export type Person = { userId: string; email: string; password: string; session: string; sessionId: string }

const password = 'correct horse battery'
let passwordHash: Promise<string> | undefined

/** Creates a person with an account; with a role, also a member of an organization. */
export async function somePerson(
  db: Database,
  name: string,
  member?: { organizationId: string; role: Role },
): Promise<Person> {
  passwordHash ??= hashPassword(password)
  const email = `${name.toLowerCase()}@example.com`
  const user = await createUser(db, { email, name, passwordHash: await passwordHash })
  if (user === undefined) throw new Error(`${email} is taken`)
  const userId = user.id
  if (member !== undefined) await saveMember(db, member.organizationId, { userId, role: member.role })
  const { session, token } = await createSession(db, userId, { userAgent: null, nowMs: Date.now() })
  return { userId, email, password, session: token, sessionId: session.id }
}

/** The typed client of a test API, connected without a network. */
export function clientOf({ app, keys }: TestApi, role: Role | 'foreign' = 'ADMIN'): Client {
  const injected: typeof globalThis.fetch = async (input, init) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input)
    const answer = await app.inject({
      method: init?.method as NonNullable<InjectOptions['method']>,
      url: pathname + search,
      headers: Object.fromEntries(new Headers(init?.headers)),
      ...(typeof init?.body === 'string' ? { payload: init.body } : {}),
    })
    const headers = Object.entries(answer.headers).map(([name, value]): [string, string] => [
      name,
      String(value),
    ])
    return new Response(new Uint8Array(answer.rawPayload), { status: answer.statusCode, headers })
  }
  return createClient({ baseUrl: publicUrl, apiKey: keys[role], fetch: injected, retries: 0 })
}
