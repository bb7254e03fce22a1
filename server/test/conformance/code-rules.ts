import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { RuleInput, RuleInputOf } from '@everscan/contract/rules/rules.ts'
import type { SimulatedVisitor } from '@everscan/contract/rules/rule-trials.ts'
import { phones } from '../support/phones.ts'
import { until } from '../support/service.ts'
import { urlCode, type Installation, type Tenant } from './installation.ts'
import { exportedRows } from './recorded-scans.ts'

const [iphone, , , android] = phones
const to = (path: string) => ({ url: `https://example.com/${path}` })

const sums = (list: readonly { name: string | null; scans: number; percentage: number }[]) =>
  list.map(({ name, scans, percentage }) => [name, scans, percentage])

/** One code, many destinations: `rules.md`, section 1. */
export function codeRules(of: Installation): void {
  const leadsTo = async (shortCode: string, headers = {}, method = 'GET') =>
    (await of.scan(shortCode, headers, method)).headers.get('location')?.replace('https://example.com/', '')

  describe('rules of a code', () => {
    let org: Tenant
    before(async () => {
      org = await of.organization()
    })
    const make = (rules: RuleInputOf<'URL'>[], more = {}) =>
      org.client.qrCodes.create(org.orgId, { ...urlCode('Ruled', more), type: 'URL', data: to('own'), rules })
    test("rules 1: the first rule whose `when` holds answers; when none does, the code's own data", async () => {
      const { shortCode } = await make([
        { name: 'Austrian', when: { languages: ['de-AT'] }, data: to('at') },
        { name: 'German', when: { languages: ['de'] }, data: to('de') },
      ])
      assert.equal(await leadsTo(shortCode, { 'accept-language': 'de-AT, en' }), 'at')
      assert.equal(await leadsTo(shortCode, { 'accept-language': 'de' }), 'de')
      assert.equal(await leadsTo(shortCode, { 'accept-language': 'en, de;q=0.9' }), 'own')
      assert.equal(await leadsTo(shortCode, { 'accept-language': 'de' }, 'HEAD'), 'de')
    })

    test('rules 1: countries, regions and cities, named as in analytics', async () => {
      const { shortCode } = await make([
        { name: 'Here', when: { countries: ['DE'] }, data: to('germany') },
        { name: 'There', when: { not: { countries: ['DE'] } }, data: to('elsewhere') },
      ])
      // The first scans of an installation may come before its countries are read.
      await until('countries', async () => (await leadsTo(shortCode)) === 'germany')
      assert.equal(await leadsTo(shortCode, { 'x-forwarded-for': '8.8.8.8' }), 'elsewhere')
      assert.equal(
        await leadsTo(shortCode, { 'x-forwarded-for': '10.0.0.1' }),
        'elsewhere',
        'unknown fulfils no entry of not',
      )
      const region = await make([
        { name: 'California', when: { regions: ['US-CA'] }, data: to('california') },
      ])
      assert.equal(await leadsTo(region.shortCode, { 'x-forwarded-for': '8.8.8.8' }), 'california')
    })

    test('rules 1: devices and systems, query and networks', async () => {
      const { shortCode } = await make([
        { name: 'Table', when: { query: { table: '7' } }, data: to('table') },
        { name: 'Office', when: { networks: ['192.0.2.0/24'] }, data: to('office') },
        { name: 'iPhone', when: { devices: ['mobile'], os: ['iOS'] }, data: to('iphone') },
      ])
      assert.equal(await leadsTo(`${shortCode}?table=7`), 'table')
      assert.equal(await leadsTo(shortCode, { 'x-forwarded-for': '192.0.2.1' }), 'office')
      assert.equal(await leadsTo(shortCode, { 'user-agent': iphone }), 'iphone')
      assert.equal(await leadsTo(shortCode, { 'user-agent': android }), 'own')
    })

    test('rules 1: the same visitor gets the same arm; with passQuery the query reaches it', async () => {
      const split = ['a', 'b'].map((name) => ({ name, weight: 1, data: to(name) }))
      const { shortCode } = await make([{ name: 'Test', split }], { passQuery: true })
      const arms = new Set<string | undefined>()
      for (let host = 1; host <= 20; host++) {
        const from = { 'x-forwarded-for': `198.51.100.${host}` }
        const arm = await leadsTo(`${shortCode}?x=1`, from)
        assert.equal(await leadsTo(`${shortCode}?x=1`, from), arm)
        arms.add(arm)
      }
      assert.deepEqual(arms, new Set(['a?x=1', 'b?x=1']))
    })

    test('rules 1: every scan records which rule and arm answered, also when the rule is gone', async () => {
      const { client, orgId } = org
      const split = ['a', 'b'].map((name) => ({ name, weight: 1, data: to(name) }))
      const { id, shortCode, rules } = await make([
        { name: 'German', when: { languages: ['de'] }, data: to('de') },
        { name: 'Test', when: { languages: ['fr'] }, split },
      ])
      const [german, test50] = rules
      assert.ok(german !== undefined && test50 !== undefined)
      const ending = new AbortController()
      const live: unknown[] = []
      const reading = (async () => {
        const query = { event: ['qr.scanned' as const], qrCodeId: [id] }
        for await (const { data } of client.events.stream(orgId, query, { signal: ending.signal }))
          live.push([data['ruleId'], data['arm']])
      })().catch(() => undefined)
      const arms: (string | undefined)[] = []
      for (let host = 1; host <= 12; host++) {
        const language = ['en', 'de', 'fr'][host % 3] ?? ''
        const headers = { 'x-forwarded-for': `198.51.100.${host}`, 'accept-language': language }
        const arm = await leadsTo(shortCode, headers)
        if (language === 'fr') arms.push(arm)
      }
      const read = async (query = {}) => client.qrCodes.analytics(orgId, id, query)
      await until('all are counted', async () => (await read()).summary.totalScans === 12)
      await client.qrCodes.update(orgId, id, { rules: [{ ...test50, name: 'Second test' }] })

      const counted = (arm: string) => arms.filter((one) => one === arm).length
      const expected = [
        [null, null, null, 4, 4],
        [german.id, 'German', null, 4, 4],
        ...['a', 'b'].map((arm) => [test50.id, 'Second test', arm, counted(arm), counted(arm)]),
      ].filter(([, , , scans]) => scans !== 0)
      const { destinations } = await read()
      const found = destinations.map((one) => [one.ruleId, one.name, one.arm, one.scans, one.uniqueScans])
      assert.deepEqual(new Set(found.map(String)), new Set(expected.map(String)))
      const listed = await client.scans.list(orgId, id, { limit: 100 })
      const answered = (ruleId: string | null) => listed.data.filter((scan) => scan.ruleId === ruleId).length
      assert.deepEqual([answered(null), answered(german.id), answered(test50.id)], [4, 4, 4])
      const filters: [{ rule: string[]; arm?: string[] }, scans: number][] = [
        [{ rule: [german.id] }, 4],
        [{ rule: ['none'] }, 4],
        [{ rule: ['!none'], arm: ['!a'] }, 8 - counted('a')],
        [{ rule: [test50.id], arm: ['a'] }, counted('a')],
      ]
      for (const [filter, scans] of filters) {
        assert.equal((await read(filter)).summary.totalScans, scans)
        const { pagination } = await client.scans.list(orgId, id, { ...filter, limit: 1 })
        assert.equal(pagination.total, scans)
        assert.equal((await exportedRows(org, id, filter)).rows.length, scans)
      }
      await org.refused(['GET', `/qr-codes/${id}/analytics?rule=German`], 400, 'VALIDATION_ERROR')
      await until('every event has come', () => live.length === 12)
      ending.abort()
      await reading
      assert.deepEqual(
        new Set(live.map(String)),
        new Set(listed.data.map((scan) => String([scan.ruleId, scan.arm]))),
      )
    })

    test('rules 1: simulate says what scans get, and why, with the same places, devices and arms', async () => {
      const { id, shortCode } = await make([
        { name: 'German iPhone', when: { countries: ['DE'], os: ['iOS'] }, data: to('iphone') },
        {
          name: 'Test',
          when: { countries: ['DE'] },
          split: ['a', 'b'].map((name) => ({ name, weight: 1, data: to(name) })),
        },
      ])
      const simulated = (visitor: SimulatedVisitor) =>
        org.client.qrCodes.simulateRules(org.orgId, id, { visitor })
      await until('countries', async () => (await leadsTo(shortCode)) !== 'own')
      for (let host = 1; host <= 10; host++) {
        const ip = host === 10 ? '8.8.8.8' : `81.169.181.${host}`
        for (const userAgent of [iphone, android]) {
          const headers = { 'x-forwarded-for': ip, 'user-agent': userAgent }
          const { data } = await simulated({ ip, userAgent })
          assert.equal(data['url'], `https://example.com/${await leadsTo(shortCode, headers)}`, ip)
        }
      }
      const { name, steps } = await simulated({ country: 'DE', os: 'Android' })
      assert.equal(name, 'Test')
      assert.deepEqual(
        steps.map(({ matched, failed }) => [matched, failed]),
        [
          [false, ['os']],
          [true, []],
        ],
      )
    })

    test('rules 1: replay divides the real scans of a period, beside how they were', async () => {
      const { id, shortCode, rules } = await make([
        { name: 'iPhone', when: { os: ['iOS'] }, data: to('iphone') },
        { name: 'Table', when: { query: { table: '7' } }, data: to('table') },
      ])
      assert.equal(await leadsTo(shortCode, { 'user-agent': iphone }), 'iphone')
      assert.equal(await leadsTo(shortCode, { 'user-agent': android }), 'own')
      const replay = async (list: RuleInput[]) =>
        org.client.qrCodes.replayRules(org.orgId, id, { rules: list })
      await until('both scans are stored', async () => (await replay([])).scans === 2)
      const all = await replay([{ name: 'Android', when: { os: ['Android'] }, data: to('android') }])
      assert.deepEqual(sums(all.replayed), [
        ['Android', 1, 50],
        [null, 1, 50],
      ])
      assert.deepEqual(
        sums(all.recorded).toSorted(([a], [b]) => String(a).localeCompare(String(b))),
        [
          ['iPhone', 1, 50],
          [null, 1, 50],
        ],
      )
      assert.equal(all.changed, 2)
      const { replayed, changed, undecided } = await replay(rules)
      assert.deepEqual(sums(replayed), [
        ['iPhone', 1, 50],
        ['Table', 0, 0],
        [null, 0, 0],
      ])
      assert.deepEqual([changed, undecided], [0, { scans: 1, conditions: ['query'] }])
      const body = { rules: [], startDate: '2026-01-01', endDate: '2026-04-01' }
      const { details } = await org.refused(
        ['POST', `/qr-codes/${id}/rules/replay`, { body }],
        400,
        'VALIDATION_ERROR',
      )
      assert.match(details?.[0]?.message ?? '', /starts at 2026-01-02T00:00:00\.000Z/)
    })

    test('rules 1: a change of rules holds for the next scan; an unknown name is 400 with its place', async () => {
      const { id, shortCode } = await make([])
      assert.equal(await leadsTo(shortCode), 'own')
      const { rules } = await org.client.qrCodes.update(org.orgId, id, {
        rules: [{ name: 'New', data: to('new') }],
      })
      assert.equal(await leadsTo(shortCode), 'new')
      const wrong = [{ ...rules[0], when: { countries: ['DE', 'ZZ'] } }]
      const { details } = await org.refused(
        ['PUT', `/qr-codes/${id}`, { body: { rules: wrong } }],
        400,
        'VALIDATION_ERROR',
      )
      assert.equal(details?.[0]?.path, 'rules[0].when.countries[1]')
      assert.equal(await leadsTo(shortCode), 'new')
    })
  })
}
