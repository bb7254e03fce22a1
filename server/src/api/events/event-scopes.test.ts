// In a process of its own: the oldest transaction of its server decides which events are settled.
import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { keyScopes, type KeyScope } from '@everscan/contract/resources/api-keys.ts'
import { eventNames, type EventName } from '@everscan/contract/resources/events.ts'
import type { ErrorBody } from '@everscan/contract/schema/errors.ts'
import { createApiKey } from '../../catalogue/organizations/api-keys.ts'
import { someOrigin } from '../../catalogue/testing/catalogue.ts'
import { inTransaction } from '../../db/database.ts'
import { insertEvents } from '../../db/feeds/event-pages.ts'
import {
  onEitherDatabase,
  silentLog,
  useOwnServer,
  type OpenTestDatabase,
} from '../../db/testing/databases.ts'
import { openTestApi, somePerson, testRecord } from '../testing/api.ts'
import { EventStreamHub, type EventStreamsOptions } from '../../product/events/event-stream-hub.ts'

const ofCodes = [
  'qr.created',
  'qr.updated',
  'qr.deleted',
  'qr.archived',
  'qr.restored',
  'qr.opened',
  'qr.ended',
  'qr.full',
] as const

/** The events that a key with each scope receives, written by hand. */
const expected: Readonly<Record<KeyScope, readonly EventName[]>> = {
  'codes:read': ofCodes,
  'codes:write': ofCodes,
  'analytics:read': ['qr.scanned'],
  imports: ['import.completed', 'import.failed', 'move.completed', 'move.failed'],
  admin: [
    'member.joined',
    'member.left',
    'member.role_changed',
    'copy.failed',
    'domain.certificate_failing',
    'webhook.ping',
  ],
}

/** Events without their data, which these tests do not store. */
const bareRecord: EventStreamsOptions['recordOf'] = (stored, place) => ({
  ...testRecord({ ...stored, event: 'qr.scanned' }, place),
  event: stored.event,
})

// The oldest transaction of the whole server determines which events are settled.
useOwnServer()

onEitherDatabase('the live stream of a key with scopes', (open) => {
  const opened: EventStreamHub[] = []
  afterEach(() => opened.splice(0).forEach((streams) => streams.close()))

  async function start(openDatabase: OpenTestDatabase, options: Partial<EventStreamsOptions> = {}) {
    const db = await openDatabase()
    const streams = new EventStreamHub({ db, recordOf: bareRecord, log: silentLog, pollMs: 5, ...options })
    opened.push(streams)
    const api = await openTestApi(db, { streams })
    const path = `/organizations/${api.orgId}/events`
    const keyWith = async (...scopes: KeyScope[]) =>
      (await createApiKey(db, api.orgId, { name: 'a', role: 'VIEWER', scopes, origin: someOrigin })).value
    return { db, streams, api, path, keyWith }
  }

  test('has the events of its scopes only, with or without a choice of events', async () => {
    const { db, streams, api, path, keyWith } = await start(open)
    const { session } = await somePerson(db, 'Ada', { organizationId: api.orgId, role: 'VIEWER' })
    const readers: { title: string; events: readonly EventName[]; answer: ReturnType<typeof api.call> }[] = []
    const read = (title: string, events: readonly EventName[], caller: object, query = '') =>
      readers.push({ title, events, answer: api.call('GET', path + query, caller) })
    for (const scope of keyScopes) read(scope, expected[scope], { key: await keyWith(scope) })
    const both: KeyScope[] = ['imports', 'analytics:read']
    read(
      'two scopes',
      both.flatMap((scope) => expected[scope]),
      { key: await keyWith(...both) },
    )
    read('all scopes', eventNames, { key: await keyWith(...keyScopes) })
    read('no scopes', eventNames, { key: api.keys.VIEWER })
    read('a session', eventNames, { session })
    const key = await keyWith('codes:read')
    read('some events', ['qr.created'], { key }, '?event=qr.created')
    read('one code', ofCodes, { key }, '?qrCodeId=qr_1')
    await until(() => streams.stats().readers === readers.length)
    const { key: holder } = await createApiKey(db, api.orgId, {
      name: 'b',
      role: 'VIEWER',
      origin: someOrigin,
    })
    // The last reader: when it has an event, all others have it.
    const last = await streams.open({
      organizationId: api.orgId,
      keyId: holder.id,
      sessionId: undefined,
      userId: null,
    })
    let text = ''
    last.on('data', (chunk: Buffer) => (text += chunk.toString()))
    const stored = eventNames.map((event, atMs) => ({ event, atMs, qrCodeId: 'qr_1', data: {} }))
    await inTransaction(db, (tx) => insertEvents(tx, api.orgId, { events: stored, nowMs: Date.now() }))
    await until(() => eventNames.every((name) => text.includes(`"${name}"`)))
    streams.close()
    for (const { title, events, answer } of readers) {
      const { statusCode, body } = await answer
      assert.equal(statusCode, 200, title)
      const seen = [...body.matchAll(/^event: (.*)$/gm)].map(([, name = '']) => name)
      assert.deepEqual(new Set(seen), new Set<string>(events), title)
      assert.equal(seen.length, events.length, title)
    }
  })

  test('403 for an event of another scope, which names the event and the scope', async () => {
    // A stream that is not refused ends at once.
    const { api, path, keyWith } = await start(open, { lifeMs: 0 })
    for (const scope of keyScopes) {
      const key = await keyWith(scope)
      for (const name of eventNames.filter((one) => !expected[scope].includes(one))) {
        const [own = ''] = expected[scope]
        const answer = await api.call('GET', `${path}?event=${own}&event=${name}`, { key })
        assert.equal(answer.statusCode, 403, `${name} with ${scope}`)
        const { code, message } = answer.json<ErrorBody>()
        assert.equal(code, 'FORBIDDEN')
        const needed = keyScopes.find((one) => expected[one].includes(name))
        assert.equal(message, `The event ${name} requires the scope ${needed}; the API key has ${scope}.`)
      }
    }
  })
})

async function until(isTrue: () => boolean): Promise<void> {
  for (const endMs = Date.now() + 10_000; !isTrue(); await new Promise((resolve) => setTimeout(resolve, 5)))
    if (Date.now() > endMs) throw new Error(`not within 10 s: ${isTrue.toString()}`)
}
