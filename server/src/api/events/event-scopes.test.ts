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

type Answer = ReturnType<Awaited<ReturnType<typeof openTestApi>>['stream']>

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
    const readers: { title: string; events: readonly EventName[]; answer: Awaited<Answer> }[] = []
    const read = async (title: string, events: readonly EventName[], caller: object, query = '') =>
      readers.push({ title, events, answer: await api.stream(path + query, caller) })
    for (const scope of keyScopes) await read(scope, expected[scope], { key: await keyWith(scope) })
    const both: KeyScope[] = ['imports', 'analytics:read']
    await read(
      'two scopes',
      both.flatMap((scope) => expected[scope]),
      { key: await keyWith(...both) },
    )
    await read('all scopes', eventNames, { key: await keyWith(...keyScopes) })
    await read('no scopes', eventNames, { key: api.keys.VIEWER })
    await read('a session', eventNames, { session })
    const key = await keyWith('codes:read')
    await read('some events', ['qr.created'], { key }, '?event=qr.created')
    await read('one code', ofCodes, { key }, '?qrCodeId=qr_1')
    const stored = eventNames.map((event, atMs) => ({ event, atMs, qrCodeId: 'qr_1', data: {} }))
    await inTransaction(db, (tx) => insertEvents(tx, api.orgId, { events: stored, nowMs: Date.now() }))
    const seenBy = ({ answer }: (typeof readers)[number]) =>
      [...answer.text().matchAll(/^event: (.*)$/gm)].map(([, name = '']) => name)
    // They are served one after another, and one may first catch up with the others.
    for (const reader of readers) await until(() => seenBy(reader).length >= reader.events.length)
    for (const reader of readers) {
      const { title, events, answer } = reader
      assert.equal(answer.statusCode, 200, title)
      assert.deepEqual(seenBy(reader).toSorted(), [...events].toSorted(), title)
    }
    streams.close()
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
