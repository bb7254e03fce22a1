import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { test, type TestContext } from 'node:test'
import { claimOrders } from '../../catalogue/certificates/certificates.ts'
import { applyLook } from '../../catalogue/domains/domain-proofs.ts'
import { createDomain, readDomain, updateDomain } from '../../catalogue/domains/domains.ts'
import { someOrganization, someOrigin } from '../../catalogue/testing/catalogue.ts'
import type { Database } from '../../db/database.ts'
import { openChangeFeed } from '../../db/feeds/changes.ts'
import { readAlpnChallenges, readCertificates, readChallenge } from '../../db/scans/certificate-lookup.ts'
import { forEachDatabase, silentLog as log } from '../../db/testing/databases.ts'
import { proofName } from '../../dns-looks.ts'
import { domainRecord } from '../../product/records/domain-records.ts'
import { createSecretBox } from '../../secret-box.ts'
import { openAuthority } from './acme.ts'
import { orderCertificates } from './order-certificates.ts'
import { startTestAuthority, type ProveName } from './testing/authority.ts'

const box = createSecretBox('s'.repeat(32), 'private keys of certificates')
const publicHost = 'qr.example.com'
const dayMs = 86_400_000
const hourMs = 3_600_000
const minuteMs = 60_000

async function addDomain(db: Database, hostname: string, { isProved }: { isProved: boolean }) {
  const { id } = await someOrganization(db)
  const nowMs = Date.now()
  const made = await createDomain(db, id, { hostname, fields: {}, origin: someOrigin, nowMs })
  const { proof } = made
  const found = isProved ? [{ type: 'TXT', name: proofName(hostname), value: proof }] : []
  await applyLook(db, hostname, { look: { found, failure: undefined }, nowMs })
  return { organizationId: id, id: made.id }
}

type Started = {
  proveName?: ProveName
  isPort80Open?: boolean
  txt?: readonly string[]
  orderMs?: number
}

async function start(
  t: TestContext,
  db: Database,
  { proveName, isPort80Open = true, txt = [], orderMs = 1_500 }: Started = {},
) {
  const authority = await startTestAuthority(
    async (token) => (isPort80Open ? readChallenge(db, token) : undefined),
    proveName,
  )
  t.after(() => authority.close())
  const { directoryUrl } = authority
  const open = () => openAuthority({ directoryUrl, email: 'a@example.com', ca: undefined, pollMs: 10 })
  const { run } = orderCertificates({
    authority: open(),
    directoryUrl,
    publicHost,
    box,
    log,
    orderMs,
    noticeMs: 0,
    lookUpTxt: async () => txt,
  })
  const status = async (hostname: string) => {
    const row = await db.kysely
      .selectFrom('certificates')
      .selectAll()
      .where('hostname', '=', hostname)
      .executeTakeFirst()
    return row
  }
  return { ...authority, run, status }
}

forEachDatabase('certificates by ACME', (open) => {
  test('PUBLIC_URL and every proved domain get one, once, and it is renewed at two thirds of its life', async (t) => {
    const db = await open()
    const other = await open({ same: db })
    await addDomain(db, 'go.example.org', { isProved: true })
    await addDomain(db, 'wait.example.org', { isProved: false })
    const changes = openChangeFeed(other)
    t.after(() => changes.close())
    await changes.catchUp()
    const { run, state } = await start(t, db)
    const nowMs = Date.now()
    await Promise.all([run(db, nowMs), run(other, nowMs)])
    await run(db, nowMs)
    const issued = await readCertificates(other)
    assert.deepEqual(issued.map(({ hostname }) => hostname).sort(), ['go.example.org', publicHost])
    assert.equal(state.orders, 2)
    assert.deepEqual([...(await changes.catchUp())].sort(), ['/go.example.org', `/${publicHost}`])
    for (const { hostname, chain, privateKey, expiresAtMs } of issued) {
      const certificate = new X509Certificate(chain)
      assert.equal(certificate.checkHost(hostname), hostname)
      assert.equal(Date.parse(certificate.validTo), expiresAtMs)
      assert.match(box.open(privateKey, hostname) ?? '', /BEGIN (EC )?PRIVATE KEY/)
      assert.doesNotMatch(privateKey, /PRIVATE KEY/)
    }
    await run(db, nowMs + 59 * dayMs)
    assert.equal(state.orders, 2)
    await run(db, nowMs + 61 * dayMs)
    assert.equal(state.orders, 4)
    const accounts = await db.kysely.selectFrom('acme_accounts').selectAll().execute()
    assert.equal(accounts.length, 1)
  })

  test('an authority that refuses, hangs or lies is asked again later, and what works goes on', async (t) => {
    const db = await open()
    const { run, state, status } = await start(t, db)
    const nowMs = Date.now()
    await run(db, nowMs)
    const [first] = await readCertificates(db)
    assert.equal(state.accounts, 1)
    let atMs = nowMs + 61 * dayMs
    const waits = [minuteMs, 5 * minuteMs, 20 * minuteMs, hourMs]
    const moods = [
      ['refuses', /this name is not allowed/],
      ['other name', /another host name/],
      ['garbage', /.+/],
      ['hangs', /did not finish the order within 1.5 s/],
    ] as const
    for (const [index, [mood, problem]] of moods.entries()) {
      state.mood = mood
      await run(db, atMs)
      const row = await status(publicHost)
      assert.match(row?.problem ?? '', problem, mood)
      assert.equal(row?.next_order_at_ms, atMs + (waits[index] ?? 0), mood)
      assert.deepEqual(await readCertificates(db), [first], 'the certificate in use stays')
      const orders = state.orders
      await run(db, atMs + 1_000)
      assert.equal(state.orders, orders, 'not before its time')
      atMs = row?.next_order_at_ms ?? 0
    }
    state.mood = 'good'
    // The certificates of the authority are of today, so the clock goes back to it.
    await db.kysely.updateTable('certificates').set({ next_order_at_ms: nowMs }).execute()
    await run(db, nowMs)
    const [renewed] = await readCertificates(db)
    assert.notEqual(renewed?.chain, first?.chain)
    assert.deepEqual([(await status(publicHost))?.problem, (await status(publicHost))?.attempts], [null, 0])
  })

  test('without port 80 the next order is over port 443, and that way comes first in renewals', async (t) => {
    const db = await open()
    const seen: string[] = []
    const proveName: ProveName = async (way, name) => {
      const [challenge] = await readAlpnChallenges(db, name)
      const { cert = '', key = '' } = JSON.parse(box.open(challenge?.answer ?? '', name) ?? '{}')
      seen.push(new X509Certificate(cert).subjectAltName ?? '')
      assert.match(key, /PRIVATE KEY/)
      // id-pe-acmeIdentifier, critical: RFC 8737, 3.
      assert.ok(new X509Certificate(cert).raw.includes(Buffer.from('06082b0601050507011f0101ff', 'hex')))
      return way === 'tls-alpn-01'
    }
    const { run, state, status } = await start(t, db, { proveName, isPort80Open: false, orderMs: 60_000 })
    const nowMs = Date.now()
    await run(db, nowMs)
    assert.match((await status(publicHost))?.problem ?? '', /no answer at the path/)
    await run(db, nowMs + minuteMs)
    assert.deepEqual(state.asked, ['http-01', 'tls-alpn-01'])
    assert.deepEqual(seen, [`DNS:${publicHost}`])
    assert.equal((await status(publicHost))?.proved_by, 'tls-alpn-01')
    assert.deepEqual(await readAlpnChallenges(db), [], 'it waits no longer')
    await run(db, nowMs + 61 * dayMs)
    assert.deepEqual(state.asked.slice(2), ['tls-alpn-01'])
  })

  test('a domain that leads elsewhere gets its certificate by a TXT record, and later ones by itself', async (t) => {
    const db = await open()
    const hostname = 'go.example.org'
    const { organizationId, id } = await addDomain(db, hostname, { isProved: true })
    const txt: string[] = []
    const { run, state, status } = await start(t, db, {
      proveName: async (way) => way === 'dns-01' && txt.length > 0,
      txt,
      orderMs: 60_000,
    })
    const nowMs = Date.now()
    const key = { organizationId, id }
    const change = { origin: someOrigin, nowMs, fields: { certificateProof: 'dns' as const } }
    await updateDomain(db, key, change)
    const recordOf = async () => {
      const row = await readDomain(db, key)
      assert.ok(row)
      const place = { publicUrl: 'https://qr.example.com', httpsPort: 443 }
      return domainRecord(row, place).certificate
    }
    await run(db, nowMs)
    const waiting = await recordOf()
    assert.equal(waiting.status, 'PENDING')
    assert.equal(waiting.record?.name, `_acme-challenge.${hostname}`)
    assert.match(waiting.record?.value ?? '', /^[\w-]{43}$/)
    await run(db, nowMs + minuteMs)
    assert.deepEqual(await recordOf(), waiting, 'the same value until it is set')
    txt.push('something else', waiting.record?.value ?? '')
    // A failure changes the value only if the order cannot go on.
    state.mood = 'other name'
    await run(db, nowMs + 2 * minuteMs)
    assert.match((await recordOf()).problem ?? '', /another host name/)
    assert.deepEqual((await recordOf()).record, waiting.record)
    state.mood = 'good'
    await run(db, nowMs + 3 * minuteMs)
    assert.match((await recordOf()).problem ?? '', /has ended the order/)
    assert.equal((await recordOf()).details[0]?.problem, 'orderEnded')
    await run(db, nowMs + 10 * minuteMs)
    const second = await recordOf()
    assert.match(second.record?.value ?? '', /^[\w-]{43}$/)
    assert.notEqual(second.record?.value, waiting.record?.value)
    txt.push(second.record?.value ?? '')
    await run(db, nowMs + 12 * minuteMs)
    const { record, ...issued } = await recordOf()
    assert.deepEqual([issued.status, record], ['ISSUED', null])
    assert.equal((await status(hostname))?.proved_by, 'dns-01')
    assert.deepEqual(state.asked.toSorted(), ['dns-01', 'dns-01', 'http-01'])

    // A renewal that waits is told like one that failed.
    txt.length = 0
    const later = nowMs + 61 * dayMs
    await run(db, later)
    const due = await recordOf()
    assert.equal(due.status, 'FAILING')
    assert.match(due.problem ?? '', /Set a TXT record _acme-challenge\.go\.example\.org with the value /)
    const order = (await status(hostname))?.dns_order_url
    await run(db, later + 5 * dayMs)
    assert.equal((await status(hostname))?.dns_order_url, order)
    await run(db, later + 7 * dayMs)
    assert.notEqual((await status(hostname))?.dns_order_url, order, 'authorities keep no order for longer')
    assert.notEqual((await recordOf()).record?.value, due.record?.value)

    // Once it leads here, nobody sets records any more.
    const found = [
      { type: 'TXT', name: proofName(hostname), value: (await readDomain(db, key))?.proof ?? '' },
    ]
    await applyLook(db, hostname, { look: { found, reach: 'HERE' }, nowMs: later })
    await db.kysely.updateTable('certificates').set({ next_order_at_ms: nowMs, attempts: 0 }).execute()
    await run(db, nowMs)
    assert.deepEqual([(await recordOf()).status, (await recordOf()).record], ['ISSUED', null])
    assert.equal((await status(hostname))?.proved_by, 'http-01')
  })

  test('a limit of the authority stops all orders until its time is over, on every machine', async (t) => {
    const db = await open()
    const { run, state } = await start(t, db)
    const nowMs = Date.now()
    await run(db, nowMs)
    state.mood = 'limits'
    await db.kysely.updateTable('certificates').set({ next_order_at_ms: nowMs }).execute()
    await run(db, nowMs)
    assert.equal(state.orders, 2)
    await addDomain(db, 'new.example.org', { isProved: true })
    state.mood = 'good'
    await run(db, nowMs + 2 * hourMs - 1)
    assert.equal(state.orders, 2)
    await run(db, nowMs + 2 * hourMs)
    assert.equal(state.orders, 4)
  })

  test('a worker that dies gives its host free when its lease is over', async () => {
    const db = await open()
    const claim = (nowMs: number) => claimOrders(db, { publicHost, nowMs, leaseMs: 1_000, limit: 4 })
    const [hostname] = (await claim(5_000)).map((one) => one.hostname)
    assert.equal(hostname, publicHost)
    assert.deepEqual(await claim(5_999), [])
    assert.equal((await claim(6_000)).length, 1)
  })
})
