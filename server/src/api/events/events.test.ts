// In a process of its own: the oldest transaction of its server decides which events are settled.
import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import type { CreatedApiKey } from '@everscan/contract/resources/api-keys.ts'
import type { Event } from '@everscan/contract/resources/events.ts'
import type { QrCode } from '@everscan/contract/resources/qr-codes.ts'
import { insertEvents, keepEvents, settledPosition, readEventPages } from '../../db/feeds/event-pages.ts'
import { inTransaction, type Database } from '../../db/database.ts'
import { onEitherDatabase, useOwnServer } from '../../db/testing/databases.ts'
import { eventId } from '../../ids.ts'
import { EventStreamHub, type EventStreamsOptions } from '../../product/events/event-stream-hub.ts'
import type { EventStreams } from '../../product/events/event-streams.ts'
import { ended, startImportWorker, upload } from '../testing/imports.ts'
import { openTestApi, somePerson, testRecord, type Person } from '../testing/api.ts'
import { silentLog } from '../../db/testing/databases.ts'
import { createApiKey } from '../../catalogue/organizations/api-keys.ts'
import { someOrigin, someSource } from '../../catalogue/testing/catalogue.ts'
import type { ApiError } from '../../errors.ts'
import { createOrganization } from '../../catalogue/organizations/organizations.ts'
import { endSession } from '../../catalogue/accounts/sessions.ts'
import { createUser, saveMember } from '../../catalogue/accounts/users.ts'
import type { Readable } from 'node:stream'

const code = { type: 'URL', name: 'Poster', data: { url: 'https://example.com/' } }
const dayMs = 24 * 3_600_000

/** All stored events of an organization, as they are sent. */
async function storedEvents(db: Database, organizationId: string): Promise<Event[]> {
  const before = { version: String(2n ** 62n), pageId: '' }
  const range = { after: { version: '0', pageId: '' }, before, sinceMs: 0, limit: 1_000 }
  const pages = await readEventPages(db, [organizationId], range)
  return pages.flatMap(({ id, events }) =>
    events.map((event, place) => testRecord(event, { organizationId, id: eventId(id, place) })),
  )
}

onEitherDatabase('events', (open) => {
  test('are sent for every change of codes, members and imports, with the record that a GET returns', async () => {
    const db = await open()
    const api = await openTestApi(db)
    const { call, orgId, keys } = api
    const path = `/organizations/${orgId}`
    await keepEvents(db, [orgId], Date.now() + dayMs)
    const send = async (method: 'POST' | 'PUT' | 'DELETE', to: string, payload?: object) => {
      const answer = await call(method, path + to, { key: keys.ADMIN, ...(payload && { payload }) })
      assert.ok(answer.statusCode < 300, answer.body)
      return answer.json<{ id: string; data: QrCode[] }>()
    }
    const { id } = await send('POST', '/qr-codes', code)
    await send('PUT', `/qr-codes/${id}`, { name: 'Flyer', status: 'ARCHIVED' })
    const archived = (await call('GET', `${path}/qr-codes/${id}`, { key: keys.ADMIN })).json<QrCode>()
    // An update that changes nothing creates no event.
    await send('PUT', `/qr-codes/${id}`, { name: 'Flyer' })
    await send('PUT', `/qr-codes/${id}`, { status: 'ACTIVE' })
    await send('POST', `/qr-codes/${id}/rollback`, { version: 1 })
    const batch = await send('POST', '/qr-codes/batch', { qrCodes: [code, code] })
    const ids = batch.data.map((one) => one.id)
    await send('POST', '/qr-codes/batch/update', { ids, updates: { addTags: ['a'] } })
    await send('DELETE', '/qr-codes/batch', { ids })
    await send('DELETE', `/qr-codes/${id}`)
    const user = await createUser(db, { email: 'ada@example.com', name: 'Ada' })
    const boss = await createUser(db, { email: 'grace@example.com', name: 'Grace' })
    assert.ok(user !== undefined && boss !== undefined)
    for (const [userId, role] of [
      [user.id, 'VIEWER'],
      [boss.id, 'ADMIN'],
    ] as const)
      await saveMember(db, orgId, { userId, role })
    await send('PUT', `/members/${user.id}`, { role: 'EDITOR' })
    await send('DELETE', `/members/${user.id}`)
    const invited = await call('POST', `${path}/invitations`, {
      key: keys.ADMIN,
      payload: { email: 'x@example.com' },
    })
    const token = invited.json<{ acceptUrl: string }>().acceptUrl.split('#')[1]
    const payload = { token, name: 'X', password: 'a long password' }
    assert.equal((await call('POST', '/invitations/accept', { payload })).statusCode, 200)
    const worker = startImportWorker(db)
    const uploaded = await upload(api, { file: 'name,url\na,https://example.com/\nb,nope\n' })
    const job = await ended(api, uploaded)
    await worker.stop()

    const events = await storedEvents(db, orgId)
    assert.deepEqual(
      events.map(({ event }) => event),
      [
        'qr.created',
        'qr.updated',
        'qr.archived',
        'qr.restored',
        'qr.updated',
        'qr.created',
        'qr.created',
        'qr.updated',
        'qr.updated',
        'qr.deleted',
        'qr.deleted',
        'qr.deleted',
        'member.role_changed',
        'member.left',
        'member.joined',
        'qr.created',
        'import.completed',
      ],
    )
    for (const event of events) {
      assert.match(event.id, /^evt_[0-9a-z]{26}$/)
      assert.equal(event.organizationId, orgId)
    }
    assert.equal(new Set(events.map((event) => event.id)).size, events.length)
    assert.deepEqual(events[2]?.data, archived)
    assert.deepEqual(
      [events.at(-5)?.data['role'], events.at(-3)?.data['email'], events[1]?.data['name']],
      ['EDITOR', 'x@example.com', 'Flyer'],
    )
    const { errors: _, errorsTruncated: __, ...summary } = job
    assert.deepEqual(events.at(-1)?.data, summary)
  })

  test('are stored only if there is a receiver, and only those of its kinds', async () => {
    const db = await open()
    const { call, orgId, keys } = await openTestApi(db)
    const path = `/organizations/${orgId}`
    const create = () => call('POST', `${path}/qr-codes`, { key: keys.ADMIN, payload: code })
    await create()
    const payload = { url: 'https://hooks.example.com/', events: ['qr.deleted'] }
    const hook = await call('POST', `${path}/webhooks`, { key: keys.ADMIN, payload })
    const { id } = (await create()).json<QrCode>()
    await call('DELETE', `${path}/qr-codes/${id}`, { key: keys.ADMIN })
    await call('PUT', `${path}/webhooks/${hook.json<{ id: string }>().id}`, {
      key: keys.ADMIN,
      payload: { status: 'DISABLED' },
    })
    await call('DELETE', `${path}/qr-codes/${(await create()).json<QrCode>().id}`, { key: keys.ADMIN })
    await keepEvents(db, [orgId], Date.now() - 1)
    await create()
    assert.deepEqual(
      (await storedEvents(db, orgId)).map(({ event }) => event),
      ['qr.deleted'],
    )
  })

  test('a failed change leaves none', async () => {
    const db = await open()
    const { orgId } = await openTestApi(db)
    await assert.rejects(
      inTransaction(db, async (tx) => {
        await insertEvents(tx, orgId, { events: [someEvent(1)], nowMs: Date.now() })
        throw new Error('the change failed')
      }),
    )
    assert.deepEqual(await storedEvents(db, orgId), [])
    await assert.rejects(insertEvents(db, orgId, { events: [someEvent(1)], nowMs: 1 }), /transaction/)
  })
})

const someEvent = (number: number, size = 0) => ({
  event: 'qr.scanned' as const,
  atMs: number,
  qrCodeId: `qr_${number % 2}`,
  data: { number, filler: 'x'.repeat(size) },
})

/** The events that a stream has sent so far, as numbers of `someEvent`, with their ids. */
class Reading {
  text = ''
  ended = false
  readonly stream: Readable
  constructor(stream: Readable) {
    this.stream = stream
    stream.on('data', (chunk: Buffer) => (this.text += chunk.toString()))
    stream.on('end', () => (this.ended = true))
    stream.on('close', () => (this.ended = true))
  }
  get numbers(): number[] {
    return [...this.text.matchAll(/"number":(\d+)/g)].map(([, number]) => Number(number))
  }
  get ids(): string[] {
    return [...this.text.matchAll(/^id: (.*)\nevent: qr/gm)].map(([, id = '']) => id)
  }
}

async function until(isTrue: () => boolean, limitMs = 10_000): Promise<void> {
  for (const endMs = Date.now() + limitMs; !isTrue(); await new Promise((resolve) => setTimeout(resolve, 5)))
    if (Date.now() > endMs) throw new Error(`not within ${limitMs} ms: ${isTrue.toString()}`)
}

const upTo = (count: number, from = 1): number[] =>
  Array.from({ length: count - from + 1 }, (_, index) => index + from)

// The oldest transaction of the whole server determines which events are settled.
useOwnServer()

onEitherDatabase('the live stream', (open) => {
  const opened: EventStreams[] = []
  // Also after a failed test: an open stream would keep the process from ending.
  afterEach(() => opened.splice(0).forEach((streams) => streams.close()))

  async function start(options: Partial<EventStreamsOptions> = {}) {
    const db = await open()
    const { orgId, foreignOrgId } = await openTestApi(db)
    const found = await db.kysely
      .selectFrom('api_keys')
      .select(['id', 'name'])
      .where('organization_id', '=', orgId)
      .execute()
    const keyId = found.find(({ name }) => name === 'VIEWER')?.id ?? ''
    const streams = new EventStreamHub({ db, recordOf: testRecord, log: silentLog, pollMs: 5, ...options })
    opened.push(streams)
    let made = 0
    const make = (count: number, { organizationId = orgId, size = 0, via = db } = {}) =>
      inTransaction(via, (tx) =>
        insertEvents(tx, organizationId, {
          events: Array.from({ length: count }, () => someEvent(++made, size)),
          nowMs: Date.now(),
        }),
      )
    const read = async (more: Partial<Parameters<EventStreams['open']>[0]> = {}) =>
      new Reading(
        await streams.open({ organizationId: orgId, keyId, sessionId: undefined, userId: null, ...more }),
      )
    return { db, orgId, foreignOrgId, keyId, streams, make, read }
  }

  test('delivers events in order, filtered, of its own organization only, to many readers', async () => {
    const { streams, make, read, foreignOrgId } = await start()
    await make(3)
    const all = await read()
    const some = await read({ qrCodeIds: ['qr_0'] })
    const none = await read({ events: ['qr.created'] })
    await make(2)
    await make(7, { organizationId: foreignOrgId })
    await make(250)
    await until(() => all.numbers.length === 252 && some.numbers.length >= 126)
    const ofOrganization = [4, 5, ...upTo(262, 13)]
    assert.deepEqual(all.numbers, ofOrganization)
    assert.deepEqual(
      some.numbers,
      ofOrganization.filter((number) => number % 2 === 0),
    )
    assert.deepEqual(none.numbers, [])
    assert.equal(streams.stats().readers, 3)
    streams.close()
    await until(() => all.ended && some.ended && none.ended)
    assert.match(all.text, /^retry: 2000\n: connected\n\nid: evt_\w{26}\n\nid: evt_/)
  })

  test('resumes after any event, even in the middle of a page, without a gap or a repeat', async () => {
    const { streams, make, read } = await start()
    const first = await read()
    for (const count of [3, 120, 1, 40]) await make(count)
    await until(() => first.numbers.length === 164)
    first.stream.destroy()
    await make(5)
    for (const seen of [1, 2, 3, 50, 103, 122, 163, 164]) {
      const again = await read({ lastEventId: first.ids[seen - 1] ?? '' })
      await until(() => again.numbers.length >= 169 - seen)
      assert.deepEqual(again.numbers, upTo(169, seen + 1))
    }
    await make(1)
    streams.close()
  })

  test('reports that the last event is unknown or too old, and starts with the oldest stored one', async () => {
    const { db, streams, make, read } = await start()
    await make(2)
    const [old] = await db.kysely.selectFrom('event_pages').select('id').execute()
    await db.kysely
      .updateTable('event_pages')
      .set({ created_at_ms: Date.now() - dayMs - 1_000 })
      .execute()
    await make(2)
    for (const lastEventId of ['nonsense', eventId(old?.id ?? '', 0), eventId('0'.repeat(24), 3)]) {
      const reading = await read({ lastEventId })
      await until(() => reading.numbers.length === 2)
      assert.deepEqual(reading.numbers, [3, 4])
      assert.match(
        reading.text,
        /\n\nevent: stream\.gap\ndata: \{"problem":"eventsNotKept","values":\{\},"message":"[^\n]+"\}\n\nid: evt_/,
      )
    }
    streams.close()
  })

  test('a transaction that commits late is neither missed nor does it make others miss events', async () => {
    const { db, orgId, streams, make, read } = await start()
    const other = await open({ same: db })
    const reading = await read()
    if (db.source.dialect === 'postgres') {
      const late = Promise.withResolvers<void>()
      const begun = Promise.withResolvers<void>()
      const slow = inTransaction(other, async (tx) => {
        await insertEvents(tx, orgId, { events: [someEvent(1_000)], nowMs: Date.now() })
        begun.resolve()
        await late.promise
      })
      await begun.promise
      await make(3)
      await new Promise((resolve) => setTimeout(resolve, 100))
      // Held back: a reader that resumed after them would miss the first.
      assert.deepEqual(reading.numbers, [])
      late.resolve()
      await slow
      await until(() => reading.numbers.length === 4)
      assert.deepEqual(reading.numbers, [1_000, 1, 2, 3])
    }
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => make(5, { via: index % 2 === 0 ? db : other })),
    )
    const expected = reading.numbers.length === 0 ? 100 : 104
    await until(() => reading.numbers.length >= expected)
    assert.equal(new Set(reading.ids).size, expected)
    const again = await read({ lastEventId: reading.ids[10] ?? '' })
    await until(() => again.ids.length >= expected - 11)
    assert.deepEqual(again.ids, reading.ids.slice(11))
    streams.close()
  })

  test('a reader that does not read is cut off and may come back; the others are not affected', async () => {
    const { streams, make, read, orgId, keyId } = await start({ unreadBytesMax: 64 * 1024 })
    const good = await read()
    const slow = await streams.open({ organizationId: orgId, keyId, sessionId: undefined, userId: null })
    for (let page = 0; page < 5; page++) {
      await make(10, { size: 2_000 })
      await until(() => good.numbers.length === 10 * (page + 1))
    }
    await until(() => slow.destroyed)
    assert.equal(good.ended, false)
    // Events of a long way back are read no faster than the reader takes them.
    const back = await read({ lastEventId: good.ids[0] ?? '' })
    await until(() => back.numbers.length === 49)
    streams.close()
  })

  test('ends when its key is revoked, and after its maximum duration; a comment is sent in quiet times', async () => {
    let nowMs = Date.now()
    const { db, streams, read, keyId } = await start({
      clock: () => nowMs,
      lifeMs: 60_000,
      heartbeatMs: 15_000,
    })
    const reading = await read()
    nowMs += 16_000
    await until(() => reading.text.endsWith(': heartbeat\n\n'))
    nowMs += 45_000
    await until(() => reading.ended)
    const second = await read()
    await db.kysely.updateTable('api_keys').set({ revoked_at_ms: nowMs }).where('id', '=', keyId).execute()
    nowMs += 1_001
    await until(() => second.ended)
    assert.equal(streams.stats().readers, 0)
  })

  test('ends with its session, and when its account is no longer a member', async () => {
    let nowMs = Date.now()
    const { db, orgId, streams, read } = await start({ clock: () => nowMs })
    const people = ['Ada', 'Eve', 'Kim'].map((name) =>
      somePerson(db, name, { organizationId: orgId, role: 'VIEWER' }),
    )
    const [ada, eve, kim] = (await Promise.all(people)) as [Person, Person, Person]
    const readAs = ({ sessionId }: Person) => read({ keyId: undefined, sessionId })
    const readings = [await readAs(ada), await readAs(eve), await readAs(kim)]
    await endSession(db, { userId: ada.userId, id: ada.sessionId }, { source: someSource, nowMs })
    await db.kysely.deleteFrom('members').where('user_id', '=', eve.userId).execute()
    nowMs += 1_001
    await until(() => readings[0]?.ended === true && readings[1]?.ended === true)
    assert.equal(readings[2]?.ended, false)
    streams.close()
  })

  test('429: too many readers of one organization; events are stored for a day after the last reader', async () => {
    const { db, orgId, streams, read } = await start()
    const [one, other] = await keysOf(db, orgId)
    for (let count = 0; count < 250; count++) await read(count % 2 === 0 ? one : other)
    await assert.rejects(read(), { status: 429, code: 'RATE_LIMITED', message: /^This organization has 250/ })
    streams.close()
    const row = await db.kysely.selectFrom('event_readers').selectAll().executeTakeFirst()
    assert.equal(row?.organization_id, orgId)
    assert.ok((row?.until_ms ?? 0) > Date.now() + dayMs - 60_000)
    assert.ok(BigInt((await settledPosition(db)).version) > 0n)
  })

  test('429: one account with keys of several organizations leaves three quarters to others', async () => {
    const { db, orgId, foreignOrgId, streams, read } = await start()
    const userId = 'usr_1'
    const keys = [await keysOf(db, orgId), await keysOf(db, foreignOrgId)].flat()
    const readAs = (id: string, index: number) => read({ ...keys[index % keys.length], userId: id })
    for (let count = 0; count < 250; count++) await readAs(userId, count)
    for (const index of [0, 1, 2, 3])
      await assert.rejects(readAs(userId, index), { status: 429, message: /account .* has 250 streams/ })
    for (let count = 0; count < 240; count++) await readAs('usr_2', count)
    streams.close()
  })

  test('a stream counts for its key or session, and for the account of either', async () => {
    const { db, streams } = await start({ lifeMs: 0 })
    const holders: unknown[] = []
    const openCounted: EventStreams['open'] = async ({
      organizationId,
      keyId,
      sessionId,
      userId,
      ...more
    }) => {
      holders.push([organizationId, keyId, sessionId, userId])
      return streams.open({ organizationId, keyId, sessionId, userId, ...more })
    }
    const counted = { open: openCounted, close: () => streams.close(), stats: () => streams.stats() }
    const { call } = await openTestApi(db, { streams: counted })
    const { id: organizationId } = await createOrganization(db, { name: 'Streams' })
    const ada = await somePerson(db, 'Ada', { organizationId, role: 'ADMIN' })
    const path = `/organizations/${organizationId}`
    const made = await call('POST', `${path}/api-keys`, { session: ada.session, payload: { name: 'a' } })
    const { id, key } = made.json<CreatedApiKey>()
    for (const caller of [{ key }, { session: ada.session }])
      assert.equal((await call('GET', `${path}/events`, caller)).statusCode, 200)
    assert.deepEqual(holders, [
      [organizationId, id, undefined, ada.userId],
      [organizationId, undefined, ada.sessionId, ada.userId],
    ])
  })

  test('429: a key has at most 200 streams; one that ends leaves its place to another', async () => {
    const { streams, read } = await start()
    const readings: Reading[] = []
    for (let count = 0; count < 200; count++) readings.push(await read())
    await assert.rejects(read(), { status: 429, message: /^This API key has 200 streams of events open/ })
    readings[7]?.stream.destroy()
    await until(() => streams.stats().readers === 199)
    await read()
    await assert.rejects(read(), { status: 429 })
    streams.close()
  })

  test('429: five organizations that open all they can leave a stream to a newcomer', async () => {
    const { db, orgId, foreignOrgId, streams, read } = await start()
    const names = ['Third', 'Fourth', 'Fifth', 'Newcomer']
    const made: string[] = []
    for (const name of names) made.push((await createOrganization(db, { name })).id)
    const newcomer = made.pop() ?? ''
    const counts: number[] = []
    for (const organizationId of [orgId, foreignOrgId, ...made]) {
      const keys = await keysOf(db, organizationId)
      let count = 0
      const readNext = () => read(keys[count % keys.length])
      while (await readNext().then(() => true, isTooMany)) count++
      counts.push(count)
    }
    assert.deepEqual(counts, [250, 250, 250, 150, 1])
    await read((await keysOf(db, newcomer))[0])
    streams.close()
  })
})

/** The place holders of two new keys, which together may open more than their organization may. */
async function keysOf(db: Database, organizationId: string) {
  const holders: { organizationId: string; keyId: string }[] = []
  for (const name of ['One', 'Other']) {
    const { key } = await createApiKey(db, organizationId, { name, role: 'VIEWER', origin: someOrigin })
    holders.push({ organizationId, keyId: key.id })
  }
  return holders
}

function isTooMany(error: ApiError): false {
  assert.equal(error.status, 429)
  return false
}
