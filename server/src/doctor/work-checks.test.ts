import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { test } from 'node:test'
import type { Machine } from '../catalogue/installation/machines.ts'
import { createQrCode } from '../catalogue/codes/qr-codes.ts'
import { someOrganization, someQrCode } from '../catalogue/testing/catalogue.ts'
import { forEachDatabase } from '../db/testing/databases.ts'
import { contextFor, findingOf, scratchDir, textOf } from './testing/doctor.ts'
import { judgeGeography, judgeMachines, judgeQueues } from './work-checks.ts'

const nowMs = Date.UTC(2026, 10, 23)
const hourMs = 3_600_000
const dayMs = 24 * hourMs

forEachDatabase('checks of work', (open) => {
  test('late imports and deliveries, and webhooks that are disabled or fail, are reported', async () => {
    const db = await open()
    const given = { catalogue: async () => db, nowMs, isRunning: true }
    const context = contextFor({ DATA_DIR: scratchDir() }, given)
    const of = async (name: string) => textOf(await findingOf(name, context))
    const { id: organization_id } = await someOrganization(db)
    assert.equal(await of('work.late'), 'ok: none')
    assert.equal(await of('work.webhooks'), 'ok: all work')
    const times = { created_at_ms: 1, updated_at_ms: nowMs - hourMs }
    const job = {
      organization_id,
      kind: 'import',
      input: '{}',
      progress: '{}',
      attempts: 1,
      lease_number: 1,
      completed_at_ms: null,
    }
    await db.kysely
      .insertInto('jobs')
      .values([
        { ...job, id: 'late', status: 'PROCESSING', run_at_ms: 1, lease_until_ms: nowMs - hourMs, ...times },
        { ...job, id: 'at it', status: 'PROCESSING', run_at_ms: 1, lease_until_ms: nowMs + hourMs, ...times },
        { ...job, id: 'done', status: 'COMPLETED', run_at_ms: 1, lease_until_ms: null, ...times },
      ])
      .execute()
    const codeId = async () => (await createQrCode(db, organization_id, someQrCode())).id
    const ids = [await codeId(), await codeId(), await codeId()] as const
    const limit = { organization_id, scan_limit: 5, taken: 5, resets: 0, full_at_ms: nowMs - hourMs }
    await db.kysely
      .insertInto('scan_limits')
      .values([
        { ...limit, qr_code_id: ids[0], full_told: 0 },
        { ...limit, qr_code_id: ids[1], full_told: 1 },
        { ...limit, qr_code_id: ids[2], full_told: 0, full_at_ms: nowMs },
      ])
      .execute()
    const moment = { organization_id, event: 'qr.ended' as const }
    await db.kysely
      .insertInto('access_moments')
      .values([
        { ...moment, qr_code_id: ids[0], at_ms: nowMs - hourMs },
        { ...moment, qr_code_id: ids[1], at_ms: nowMs + hourMs },
      ])
      .execute()
    const webhook = {
      organization_id,
      events: '["*"]',
      description: '',
      batch: 0,
      secret: 's',
      previous_secret: null,
      previous_until_ms: null,
      last_delivery_at_ms: null,
      ...times,
    } as const
    await db.kysely
      .insertInto('webhooks')
      .values([
        {
          ...webhook,
          id: 'a',
          url: 'https://a.example/secret-path',
          status: 'DISABLED',
          disabled_reason: 'too many failures',
          failures_in_a_row: 20,
        },
        {
          ...webhook,
          id: 'b',
          url: 'https://b.example/',
          status: 'ENABLED',
          disabled_reason: null,
          failures_in_a_row: 3,
        },
        {
          ...webhook,
          id: 'c',
          url: 'https://c.example/',
          status: 'ENABLED',
          disabled_reason: null,
          failures_in_a_row: 0,
        },
      ])
      .execute()
    assert.match(
      await of('work.late'),
      /^warning: 1 import, 0 webhook deliveries and 2 events of .* -> see the part worker-0/,
    )
    const text = await of('work.webhooks')
    assert.match(
      text,
      /^warning: https:\/\/a\.example is disabled \(too many failures\), https:\/\/b\.example failed 3 times in a row -> .*in the dashboard/,
    )
    assert.doesNotMatch(text, /secret-path|c\.example/)
    const stopped = contextFor({ DATA_DIR: scratchDir() }, { ...given, isRunning: false })
    assert.match(textOf(await findingOf('work.late', stopped)), /^notice: .* -> \.\/everscan start/)
    await db.kysely.updateTable('webhooks').set({ failures_in_a_row: 0 }).execute()
    assert.match(await of('work.webhooks'), /^notice: https:\/\/a\.example is disabled/)
  })
})

test('long queues are a warning', () => {
  assert.equal(judgeQueues({ imports: 0, webhookDeliveries: 1_000, eventPages: 0 }).state, 'ok')
  assert.match(
    textOf(judgeQueues({ imports: 0, webhookDeliveries: 1_001, eventPages: 0 })),
    /^warning: .*EverscanQueueLong/,
  )
})

test('city databases are judged: old, unreadable, packaged', async () => {
  const built = nowMs - 61 * dayMs
  assert.match(
    textOf(judgeGeography({ v4: nowMs, v6: built }, nowMs)),
    /^warning: from 20\d\d-\d\d-\d\d, 61 days old: .* -> set GEOIP_CITY_V4/,
  )
  assert.equal(judgeGeography({ v4: built + dayMs, v6: nowMs }, nowMs).state, 'ok')
  const context = contextFor({ DATA_DIR: scratchDir(), GEOIP_CITY_V6: '/none' })
  assert.match(
    textOf(await findingOf('work.geography', context)),
    /^failed: the city database for IPv6 cannot be read.* -> correct GEOIP_CITY_V4/,
  )
})

const mailOf = async (url: string) =>
  textOf(await findingOf('work.mail', contextFor({ DATA_DIR: scratchDir(), SMTP_URL: url })))

test('a mail server is judged: one that greets, another program, none', async (t) => {
  let greeting = '220 mail.example ESMTP\r\n'
  const received: string[] = []
  const server = createServer((socket) => {
    socket.write(greeting)
    socket.on('data', (bytes) => received.push(bytes.toString()))
    socket.on('error', () => undefined)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  assert.match(await mailOf(`smtp://user:hidden@127.0.0.1:${port}`), /^ok: 127\.0\.0\.1:\d+ greets/)
  greeting = 'HTTP/1.1 400 Bad Request\r\n'
  const wrong = await mailOf(`smtp://user:hidden@127.0.0.1:${port}`)
  assert.match(wrong, /^warning: .* does not greet like a mail server: HTTP.* -> correct SMTP_URL/)
  assert.doesNotMatch(wrong, /hidden/)
  assert.match(await mailOf('smtp://127.0.0.1:1'), /^warning: .*ECONNREFUSED/)
  assert.deepEqual(received, [])
})

test('machines with other settings, or that went silent, are a warning', () => {
  const machine: Machine = {
    name: 'a:/data',
    release: '1.0.0',
    settings: { PUBLIC_URL: 'https://qr.example.com' },
    problem: null,
    problemDetails: [],
    waitingBytes: 0,
    state: 'LIVE',
    startedAtMs: 1,
    seenAtMs: 1,
  }
  const other = { ...machine, name: 'b:/data' }
  assert.equal(textOf(judgeMachines([])), 'ok: none has reported within 90 s')
  assert.equal(textOf(judgeMachines([machine, other])), 'ok: 2 machines, with equal settings')
  assert.match(
    textOf(judgeMachines([machine, { ...other, settings: { PUBLIC_URL: 'https://go.example.com' } }])),
    /^warning: PUBLIC_URL differs between machines: .* on a:\/data, .* on b:\/data\. .* -> set it to one value/,
  )
  assert.match(
    textOf(judgeMachines([machine, { ...other, state: 'SILENT' }])),
    /^warning: b:\/data has gone silent: .* -> start the service there again/,
  )
})
