import assert from 'node:assert/strict'
import { test } from 'node:test'
import { problem } from '@everscan/contract/problems/problem.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { createDnsLook } from '../../dns-looks.ts'
import type { Database } from '../../db/database.ts'
import { onEitherDatabase } from '../../db/testing/databases.ts'
import { domainLooks } from '../../jobs/domains/domain-looks.ts'
import { readDomain } from '../../catalogue/domains/domains.ts'
import { domainRecord } from '../../product/records/domain-records.ts'
import { clientOf, openTestApi, testConfig, type TestApi } from '../testing/api.ts'
import { startDnsServer, type Zone } from '../testing/dns-server.ts'

const url = { type: 'URL', name: 'Menu', data: { url: 'https://example.com/' } } as const

const isAtShortCode = (error: { status?: number; details?: { path: string }[] }) =>
  error.status === 400 && error.details?.[0]?.path === 'shortCode'

onEitherDatabase('domains', (open) => {
  /** Opens an API that asks a DNS server with this zone. Ends both when `use` ends. */
  const withDns = async (
    use: (api: TestApi & { db: Database }, zone: Zone, state: { isBroken: boolean }) => Promise<void>,
    clock?: () => number,
  ): Promise<void> => {
    const zone: Zone = {}
    const server = await startDnsServer(zone)
    const lookAtDns = createDnsLook([server.address], 500)
    try {
      const db = await open()
      const config = { ...testConfig, httpsPort: 443 }
      const api = await openTestApi(db, { lookAtDns, config, ...(clock && { clock }) })
      await use({ ...api, db }, zone, server.state)
    } finally {
      server.close()
    }
  }

  test('201, 200: added, proved by its TXT record, changed, deleted; the audit log has each change', async () => {
    await withDns(async (api, zone, state) => {
      const { orgId } = api
      const { domains, auditLog } = clientOf(api, 'ADMIN')
      const made = await domains.create(orgId, {
        hostname: ' GO.Example.com. ',
        rootUrl: 'https://example.com/',
      })
      assert.match(made.id, /^dom_[0-9a-z]{26}$/)
      assert.equal(made.hostname, 'go.example.com')
      assert.equal(made.status, 'PENDING')
      const { name, value } = made.verification
      assert.equal(name, '_everscan.go.example.com')
      assert.match(value, /^everscan=[0-9a-z]{26}$/)
      assert.deepEqual(made.dns.expected[0], { type: 'TXT', name, value })
      assert.equal(made.dns.problem, null)
      assert.deepEqual((await clientOf(api, 'VIEWER').domains.list(orgId)).data, [made])

      const missing = await domains.check(orgId, made.id)
      assert.equal(missing.status, 'PENDING')
      assert.match(
        missing.dns.problem ?? '',
        /There is no TXT record _everscan\.go\.example\.com\. Set a TXT/,
      )
      zone[name] = { TXT: ['something else'] }
      assert.match((await domains.check(orgId, made.id)).dns.problem ?? '', /has another value/)
      zone[name] = { TXT: ['something else', value] }
      const proved = await domains.check(orgId, made.id)
      assert.equal(proved.status, 'ACTIVE')
      assert.deepEqual(
        proved.dns.found.map((record) => record.value),
        ['something else', value],
      )
      assert.match(proved.dns.problem ?? '', /has no address, so scans do not arrive/)
      zone['go.example.com'] = { A: ['192.0.2.1'] }
      assert.equal((await domains.check(orgId, made.id)).dns.problem, null)
      state.isBroken = true
      const silent = await domains.check(orgId, made.id)
      assert.equal(silent.status, 'ACTIVE', 'a DNS that fails takes nothing away')
      assert.match(silent.dns.problem ?? '', /The DNS did not answer: ESERVFAIL/)

      for (const { dns } of [missing, proved, silent])
        assert.deepEqual(
          dns.details.map(({ message }) => message),
          [dns.problem],
        )
      assert.deepEqual(silent.dns.details[0]?.values, { code: 'ESERVFAIL', name, value })
      const none = { status: 'NONE', expiresAt: null, problem: null, details: [], record: null }
      assert.deepEqual(silent.certificate, none)
      const certificate = async (fields: object) => {
        const row = { hostname: made.hostname, attempts: 0, next_order_at_ms: 0, ...fields }
        await api.db.kysely.deleteFrom('certificates').execute()
        await api.db.kysely.insertInto('certificates').values(row).execute()
        return (await domains.read(orgId, made.id)).certificate
      }
      const expiresAt = '2026-12-24T00:00:00.000Z'
      const inUse = { chain: 'a', private_key: 'b', expires_at_ms: Date.parse(expiresAt) }
      const failure = problem('orderRefused', { reason: 'no answer on port 80' })
      const failed = { problem: failure.message, named_problem: JSON.stringify(failure) }
      assert.deepEqual(await certificate({}), {
        status: 'PENDING',
        expiresAt: null,
        problem: null,
        details: [],
        record: null,
      })
      assert.deepEqual(await certificate(inUse), {
        ...none,
        status: 'ISSUED',
        expiresAt,
      })
      assert.deepEqual(await certificate({ ...inUse, ...failed }), {
        status: 'FAILING',
        expiresAt,
        problem: failure.message,
        details: [{ path: '', ...failure }],
        record: null,
      })
      const dnsValue = { dns_order_url: 'https://ca.example/1', dns_value: 'x'.repeat(43) }
      assert.deepEqual((await certificate(dnsValue)).record, {
        type: 'TXT',
        name: '_acme-challenge.go.example.com',
        value: 'x'.repeat(43),
      })
      assert.equal(
        (await domains.update(orgId, made.id, { certificateProof: 'dns' })).certificate.record,
        null,
      )
      assert.equal((await domains.read(orgId, made.id)).certificateProof, 'dns')
      await domains.update(orgId, made.id, { certificateProof: 'automatic' })
      const row = await readDomain(api.db, { organizationId: orgId, id: made.id })
      assert.ok(row)
      for (const place of [{}, { httpsPort: 443, tlsCert: '/etc/cert.pem' }])
        assert.deepEqual(
          domainRecord(row, { publicUrl: testConfig.publicUrl, ...place }).certificate,
          none,
          'the service orders none any more',
        )

      const changed = await domains.update(orgId, made.id, { rootUrl: null, isDefault: true })
      assert.deepEqual([changed.rootUrl, changed.isDefault], [null, true])
      assert.deepEqual(await domains.update(orgId, made.id, { isDefault: true }), changed)
      const other = await domains.create(orgId, { hostname: 'bücher.example', isDefault: true })
      assert.equal(other.hostname, 'xn--bcher-kva.example')
      assert.equal((await domains.read(orgId, made.id)).isDefault, false, 'one default')
      assert.deepEqual(await domains.delete(orgId, other.id), { id: other.id, deleted: true })
      await assert.rejects(domains.read(orgId, other.id), { status: 404 })
      await assert.rejects(domains.check(orgId, other.id), { status: 404 })
      const { data } = await auditLog.list(orgId)
      assert.deepEqual(
        data
          .filter(({ action }) => action.startsWith('domain'))
          .map(({ action, actor }) => [action, actor.kind]),
        [
          ['domain.delete', 'api-key'],
          ['domain.create', 'api-key'],
          ['domain.update', 'api-key'],
          // The certificate by DNS, and no more.
          ['domain.update', 'api-key'],
          ['domain.update', 'api-key'],
          ['domain.update', 'system'],
          ['domain.create', 'api-key'],
        ],
      )
    })
  })

  test('400: where a domain leads is a web address, and none of the domain itself', async () => {
    await withDns(async (api) => {
      const { domains } = clientOf(api, 'ADMIN')
      const made = await domains.create(api.orgId, { hostname: 'go.example.com' })
      for (const leads of ['javascript:alert(1)', 'https://a:b@example.com/', 'https://GO.example.com./a'])
        for (const field of ['rootUrl', 'notFoundUrl', 'goneUrl']) {
          const refusal = (error: { status?: number; details?: { path: string }[] }) =>
            error.status === 400 && error.details?.[0]?.path === field
          await assert.rejects(domains.update(api.orgId, made.id, { [field]: leads }), refusal, leads)
          const other = { hostname: 'M.example.com', [field]: leads.replace('GO', 'm') }
          await assert.rejects(domains.create(api.orgId, other), refusal, leads)
        }
      assert.deepEqual((await domains.read(api.orgId, made.id)).rootUrl, null)
    })
  })

  test('400: addresses, single labels, the host of PUBLIC_URL; 409: twice, too many; 403: EDITOR', async () => {
    await withDns(async (api) => {
      const { orgId } = api
      const { domains } = clientOf(api, 'ADMIN')
      for (const hostname of [
        '127.0.0.1',
        '[::1]',
        'localhost',
        'https://go.example.com',
        'go.example.com/a',
        'a_b.example.com',
        new URL(testConfig.publicUrl).host.toUpperCase(),
      ])
        await assert.rejects(
          domains.create(orgId, { hostname }),
          (error: { status: number; message: string }) => {
            assert.equal(error.status, 400, hostname)
            assert.match(error.message, /hostname/)
            return true
          },
        )
      await assert.rejects(clientOf(api, 'EDITOR').domains.create(orgId, { hostname: 'a.example' }), {
        status: 403,
      })
      await domains.create(orgId, { hostname: 'go.example.com' })
      await assert.rejects(domains.create(orgId, { hostname: 'GO.example.com' }), { status: 409 })
      for (let index = 1; index < limits.pendingDomainsMax; index++)
        await domains.create(orgId, { hostname: `a${index}.example.com` })
      await assert.rejects(domains.create(orgId, { hostname: 'more.example.com' }), { status: 409 })
    })
  })

  test('codes are on the domain that they were created on: given, the default, or none; clones keep it', async () => {
    await withDns(async (api, zone) => {
      const { orgId } = api
      const { batches, domains, qrCodes } = clientOf(api, 'ADMIN')
      const { protocol, port } = new URL(testConfig.publicUrl)
      const made = await domains.create(orgId, { hostname: 'go.example.com' })
      const pending = { ...url, domainId: made.id }
      await assert.rejects(qrCodes.create(orgId, pending), { status: 400 })
      await assert.rejects(qrCodes.create(orgId, { ...url, domainId: 'dom_x' }), { status: 400 })
      zone[made.verification.name] = { TXT: [made.verification.value] }
      await domains.check(orgId, made.id)

      const on = await qrCodes.create(orgId, { ...url, domainId: made.id, shortCode: 'MENU' })
      assert.equal(on.domainId, made.id)
      assert.equal(on.shortUrl, `${protocol}//go.example.com${port === '' ? '' : `:${port}`}/MENU`)
      const off = await qrCodes.create(orgId, { ...url, shortCode: 'menu' })
      assert.deepEqual([off.domainId, off.shortUrl], [null, `${testConfig.publicUrl}/menu`])
      await assert.rejects(qrCodes.create(orgId, { ...pending, shortCode: 'menu' }), { status: 409 })

      await domains.update(orgId, made.id, { isDefault: true })
      const byDefault = await qrCodes.create(orgId, url)
      assert.equal(byDefault.domainId, made.id)
      assert.equal((await qrCodes.create(orgId, { ...url, domainId: null })).domainId, null)
      const clones = await batches.clone(orgId, [on.id, off.id])
      assert.deepEqual(
        clones.data.map(({ domainId }) => domainId),
        [made.id, null],
      )

      assert.deepEqual(await qrCodes.update(orgId, on.id, { ...on, domainId: made.id }), on)
      await assert.rejects(qrCodes.update(orgId, on.id, { domainId: null }), { status: 400 })
      assert.equal((await qrCodes.list(orgId, { domainId: made.id })).pagination.total, 3)
      assert.equal((await qrCodes.list(orgId, { domainId: 'none', sort: 'totalScans' })).pagination.total, 3)
      assert.deepEqual(
        (await qrCodes.list(orgId, { domainId: made.id, sort: 'name', limit: 2 })).data.length,
        2,
      )
      assert.deepEqual((await qrCodes.list(orgId, { q: 'go.example.com/menu' })).data, [on])
      assert.deepEqual((await qrCodes.list(orgId, { q: off.shortUrl })).data, [off])
      const both = await batches.read(orgId, { shortCodes: ['GO.example.com/menu', 'MENU', 'x/y/z/MENU'] })
      assert.deepEqual([both.data.map(({ id }) => id), both.errorCount], [[on.id, off.id], 1])

      await assert.rejects(domains.delete(orgId, made.id), { status: 409 })
      await domains.delete(orgId, made.id, { codes: 'archive' })
      const archived = await qrCodes.read(orgId, on.id)
      assert.deepEqual([archived.status, archived.shortUrl], ['ARCHIVED', on.shortUrl])
    })
  })

  test('an exact domain takes short codes as another product made them', async () => {
    await withDns(async (api, zone) => {
      const { orgId } = api
      const { batches, domains, qrCodes } = clientOf(api, 'ADMIN')
      const made = await domains.create(orgId, { hostname: 'old.example.com', codes: 'exact' })
      const plain = await domains.create(orgId, { hostname: 'go.example.com' })
      assert.deepEqual([made.codes, plain.codes], ['exact', 'canonical'])
      zone[made.verification.name] = { TXT: [made.verification.value] }
      zone[plain.verification.name] = { TXT: [plain.verification.value] }
      await domains.check(orgId, made.id)
      await domains.check(orgId, plain.id)
      const on = { ...url, domainId: made.id }
      const [aBc, ABC] = [
        await qrCodes.create(orgId, { ...on, shortCode: 'a/Bc' }),
        await qrCodes.create(orgId, { ...on, shortCode: 'A/BC' }),
      ]
      assert.match(aBc.shortUrl, /^https?:\/\/old\.example\.com(:\d+)?\/a\/Bc$/)
      const clone = await batches.clone(orgId, [aBc.id])
      assert.deepEqual([clone.data[0]?.domainId, clone.errorCount], [made.id, 0])
      for (const shortCode of ['a//b', 'a/../b', 'ä', 'robots.txt'])
        await assert.rejects(qrCodes.create(orgId, { ...on, shortCode }), isAtShortCode, shortCode)
      for (const domainId of [plain.id, null])
        for (const shortCode of ['abc', 'a/bcd', 'a.bcd', 'docs', 'x'.repeat(33)])
          await assert.rejects(
            qrCodes.create(orgId, { ...url, domainId, shortCode }),
            isAtShortCode,
            shortCode,
          )
      const read = await batches.read(orgId, { shortCodes: ['OLD.example.com/a/Bc', 'old.example.com/a/bc'] })
      assert.deepEqual([read.data.map(({ id }) => id), read.errorCount], [[aBc.id], 1])
      for (const [q, found] of [
        [aBc.shortUrl, [aBc.id]],
        [ABC.shortUrl, [ABC.id]],
        ['/a/Bc', [aBc.id]],
      ] as const)
        assert.ok(
          (await qrCodes.list(orgId, { q })).data.some(({ id }) => id === found[0]),
          q,
        )
      await assert.rejects(domains.update(orgId, made.id, { codes: 'canonical' }), { status: 409 })
      await assert.rejects(
        domains.update(orgId, made.id, { codes: 'any' as 'exact' }),
        (error: { status?: number; details?: { path: string }[] }) =>
          error.status === 400 && error.details?.[0]?.path === 'codes',
      )
    })
  })

  test('a host belongs to the organization whose proof is there; after 7 days without any it is FAILING', async () => {
    let nowMs = Date.now()
    await withDns(
      async (api, zone) => {
        const { db, orgId, foreignOrgId } = api
        const first = clientOf(api, 'ADMIN').domains
        const second = clientOf(api, 'foreign').domains
        const mine = await first.create(orgId, { hostname: 'go.example.com' })
        const theirs = await second.create(foreignOrgId, { hostname: 'go.example.com' })
        const name = mine.verification.name
        const statuses = async () => [
          (await first.read(orgId, mine.id)).status,
          (await second.read(foreignOrgId, theirs.id)).status,
        ]
        const values = [mine.verification.value, theirs.verification.value]
        assert.notEqual(values[0], values[1])
        zone[name] = { TXT: values.slice(0, 1) }
        await second.check(foreignOrgId, theirs.id)
        assert.deepEqual(await statuses(), ['ACTIVE', 'PENDING'], 'whoever asks')
        zone[name] = { TXT: values }
        const waiting = await second.check(foreignOrgId, theirs.id)
        assert.match(waiting.dns.problem ?? '', /Another organization/)
        assert.deepEqual(await statuses(), ['ACTIVE', 'PENDING'])

        const look = async (hostname: string) => ({
          found: (zone[`_everscan.${hostname}`]?.TXT ?? []).map((value) => ({ type: 'TXT', name, value })),
        })
        const chore = domainLooks(look)
        delete zone[name]
        await chore.run(db, nowMs)
        assert.equal(
          (await readDomain(db, { organizationId: orgId, id: mine.id }))?.problem,
          null,
          'seen today',
        )
        nowMs += 6 * 86_400_000
        await chore.run(db, nowMs)
        assert.deepEqual(await statuses(), ['ACTIVE', 'PENDING'])
        nowMs += 2 * 86_400_000
        await chore.run(db, nowMs)
        assert.deepEqual(await statuses(), ['FAILING', 'PENDING'])
        zone[name] = { TXT: values.slice(1) }
        nowMs += 2 * 86_400_000
        await chore.run(db, nowMs)
        assert.deepEqual(await statuses(), ['PENDING', 'ACTIVE'], 'it passes on')
        zone[name] = { TXT: values.slice(0, 1) }
        nowMs += 2 * 86_400_000
        await chore.run(db, nowMs)
        assert.deepEqual(await statuses(), ['ACTIVE', 'PENDING'], 'and back')
      },
      () => nowMs,
    )
  })
})
