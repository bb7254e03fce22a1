import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { ErrorBody } from '@everscan/contract/schema/errors.ts'
import type { RulesReplay } from '@everscan/contract/rules/rule-trials.ts'
import type { Conditions, ExcludedConditions, Rule } from '@everscan/contract/rules/rules.ts'
import { seededRandom } from '@everscan/contract/testing/random.ts'
import type { PeriodTooLong } from '../../analytics/scan-store.ts'
import type { ScanRow } from '../../analytics/insert/scan-row.ts'
import { onEitherDatabase } from '../../db/testing/databases.ts'
import { startIngestSuite } from '../../ingest/testing/ingest.ts'
import { createSplits } from '../../rules/splits.ts'
import { randomRules } from '../../rules/testing/random-rules.ts'
import { referenceRule } from '../../rules/testing/reference-rules.ts'
import { openTestApi, type TestApi } from '../testing/api.ts'
import { createCodes, ingest, rawScan, recordScans } from '../testing/scanned-codes.ts'

const { remove, root, scanStore, store } = await startIngestSuite()
after(remove)

const startDate = '2026-01-10'
const endDate = '2026-03-20'
const isInPeriod = ({ timeMs }: ScanRow) =>
  timeMs >= Date.parse(startDate) && timeMs < Date.parse(endDate) + 86_400_000
const replay = async (api: TestApi, id: string, payload: object) => {
  const path = `/organizations/${api.orgId}/qr-codes/${id}/rules/replay`
  return api.call('POST', path, { key: api.keys.VIEWER, payload })
}
const noColumns = {
  country: false,
  region: false,
  city: false,
  language: false,
  device: false,
  os: false,
  browser: false,
}
const data = { url: 'https://example.com/' }

onEitherDatabase('a replay of rules', (open) => {
  test('divides stored scans as a plain reading of the interface does, and tells what it cannot judge', async () => {
    const random = seededRandom()
    const db = await open()
    const api = await openTestApi(db, { store: scanStore })
    const [id = '', ...others] = await createCodes(api, 2)
    const rows = await recordScans(api, { db, random, ids: [id, ...others], scansMade: 900, store, root })
    const scans = rows.filter((row) => row.qrCodeId === id && row.class === 'human' && isInPeriod(row))
    assert.ok(scans.length > 100)
    let [answered, undecided] = [0, 0]
    for (let round = 0; round < 20; round++) {
      const rules = randomRules(random).filter(({ when = {} }) => isPeriod(when) && isPeriod(when.not ?? {}))
      const expected = new Map<string, number>([['own', 0]])
      const openNames = new Set<string>()
      const places = new Map(rules.map((rule, index) => [rule.id, `rules[${index}]`]))
      for (const { id: ruleId, enabled } of rules) if (enabled) expected.set(places.get(ruleId) ?? '', 0)
      for (const row of scans) {
        const outcome = referenceOutcome(rules, row)
        const key = outcome.open.length > 0 ? 'undecided' : (places.get(outcome.rule?.id ?? '') ?? 'own')
        for (const name of outcome.open) openNames.add(name)
        expected.set(key, (expected.get(key) ?? 0) + 1)
      }
      const rest = rules.map(({ id: _id, ...rule }) => rule)
      const answer = await replay(api, id, { rules: rest, startDate, endDate })
      assert.equal(answer.statusCode, 200, answer.body)
      const result = answer.json<RulesReplay>()
      const found = new Map(
        result.replayed.map((one) => [one.index === null ? 'own' : `rules[${one.index}]`, one.scans]),
      )
      if (result.undecided.scans > 0) found.set('undecided', result.undecided.scans)
      assert.deepEqual(found, expected, JSON.stringify(rules))
      assert.deepEqual(result.undecided.conditions, [...openNames].toSorted())
      assert.equal(result.scans, scans.length)
      assert.equal(result.changed, scans.length - (found.get('own') ?? 0) - (found.get('undecided') ?? 0))
      assert.deepEqual(
        result.recorded.map(({ ruleId, scans: count, percentage }) => [ruleId, count, percentage]),
        [[null, scans.length, 100]],
      )
      answered += result.changed
      undecided += result.undecided.scans
    }
    assert.ok(answered > 30 && undecided > 3, `${answered} answered by a rule, ${undecided} undecided`)
  })

  test('counts scans beside how they were, and gives each visitor the arm that a front gives', async () => {
    const db = await open()
    const api = await openTestApi(db, { store: scanStore })
    const path = `/organizations/${api.orgId}/qr-codes`
    const split = ['A', 'B'].map((name) => ({ name, weight: 1, data }))
    const made = await api.call('POST', path, {
      key: api.keys.ADMIN,
      payload: { type: 'URL', name: 'Split', data, rules: [{ name: 'Test', split }] },
    })
    const { id, rules } = made.json<{ id: string; rules: Rule[] }>()
    const ruleId = rules[0]?.id ?? ''
    const armOf = createSplits('a secret of tests')(ruleId, split)
    const scans = Array.from({ length: 200 }, (_, visitor) => {
      const scan = rawScan(api, { id, visitor, timeMs: Date.UTC(2026, 2, 10, 9, visitor % 60) })
      const key = Buffer.from(scan.visitor, 'hex').toString('latin1')
      return { ...scan, rule: ruleId, arm: split[armOf(key)]?.name ?? '' }
    })
    await ingest(db, { store, root }, [scans])
    const period = { startDate: '2026-03-01', endDate: '2026-03-31' }
    const same = (await replay(api, id, { rules, ...period })).json<RulesReplay>()
    assert.equal(same.changed, 0)
    const countOf = (name: string) => scans.filter(({ arm }) => arm === name).length
    assert.deepEqual(
      same.replayed.map(({ arm, scans: count }) => [arm, count]),
      [
        ['A', countOf('A')],
        ['B', countOf('B')],
        [null, 0],
      ],
    )
    assert.deepEqual(
      same.recorded
        .map((one) => [one.ruleId, one.index, one.name, one.arm, one.scans].join(' '))
        .toSorted((a, b) => a.localeCompare(b)),
      [`${ruleId} 0 Test A ${countOf('A')}`, `${ruleId} 0 Test B ${countOf('B')}`],
    )
    const first = { name: 'Half past', when: { from: '09:30', to: '10:00', timeZone: 'UTC' }, data }
    const changed = (await replay(api, id, { rules: [first, ...rules], ...period })).json<RulesReplay>()
    const late = scans.filter(({ timeMs }) => new Date(timeMs).getUTCMinutes() >= 30).length
    assert.deepEqual([changed.replayed[0]?.scans, changed.changed], [late, late])
    const gone = (await replay(api, id, { rules: [], ...period })).json<RulesReplay>()
    assert.deepEqual([gone.changed, gone.recorded[0]?.index, gone.recorded[0]?.name], [200, null, 'Test'])

    const scope = {
      organizationId: api.orgId,
      qrCodeId: id,
      filters: {},
      startMs: Date.UTC(2026, 2, 1),
      endMs: Date.UTC(2026, 2, 31),
      timezone: 'UTC',
    }
    const bounded = async (bounds: { scansMax: number; msMax: number; scansPerPiece?: number }) => {
      const columns = { ...noColumns, visitor: true, time: 'minute' as const }
      let [count, pieces] = [0, 0]
      for await (const piece of scanStore.replayScans(scope, { columns, bounds })) {
        pieces++
        count += piece.reduce((sum, one) => sum + one.scans, 0)
      }
      return { count, pieces }
    }
    // 20 or so visitors a minute for an hour: four pieces of a quarter of an hour.
    assert.deepEqual(await bounded({ scansMax: 200, msMax: 10_000, scansPerPiece: 60 }), {
      count: 200,
      pieces: 4,
    })
    await assert.rejects(bounded({ scansMax: 199, msMax: 10_000 }), ({ startMs, reason }: PeriodTooLong) => {
      assert.equal(reason, 'scans')
      // It fits from there on, and not a quarter of an hour earlier.
      assert.equal(startMs, Date.UTC(2026, 2, 10, 9, 15))
      return true
    })
    await assert.rejects(bounded({ scansMax: 200, msMax: -1 }), ({ startMs, reason }: PeriodTooLong) => {
      assert.deepEqual([reason, startMs], ['time', scope.endMs])
      return true
    })
  })

  test('400: a period of more days, with the longest that fits; rules with their places', async () => {
    const api = await openTestApi(await open(), { store: scanStore })
    const [id = ''] = await createCodes(api, 1)
    const tooLong = await replay(api, id, { rules: [], startDate: '2026-01-01', endDate: '2026-03-31' })
    assert.equal(tooLong.statusCode, 200, 'just 90 days')
    const longer = await replay(api, id, { rules: [], startDate: '2025-12-31', endDate: '2026-03-31' })
    assert.equal(longer.statusCode, 400)
    const [problem] = longer.json<ErrorBody>().details ?? []
    assert.equal(problem?.path, 'startDate')
    assert.match(problem?.message ?? '', /90 days.*starts at 2026-01-01T00:00:00.000Z/)
    const wrong = { rules: [{ name: 'A', when: { countries: ['ZZ'] }, data }] }
    const [place] = (await replay(api, id, wrong)).json<ErrorBody>().details ?? []
    assert.equal(place?.path, 'rules[0].when.countries[0]')
  })
})

/** Random times are in any order. */
const isPeriod = ({ startsAt, endsAt }: ExcludedConditions) =>
  startsAt === undefined || endsAt === undefined || Date.parse(startsAt) < Date.parse(endsAt)

/** The first rule whose stored conditions hold, and its conditions that are not stored. */
function referenceOutcome(rules: readonly Rule[], row: ScanRow): { rule: Rule | undefined; open: string[] } {
  const regions: Readonly<Record<string, string>> = { Berlin: 'DE-BE' }
  const region = regions[row.region]
  const visitor = {
    timeMs: row.timeMs,
    key: '',
    ...(row.country !== 'XX' && { country: row.country }),
    ...(region !== undefined && { region }),
    ...(row.city !== 'Unknown' && { city: row.city }),
    ...(row.language !== '' && { language: row.language.toLowerCase() }),
    device: row.deviceType,
    ...(row.os !== 'Unknown' && { os: row.os }),
    ...(row.browser !== 'Unknown' && { browser: row.browser }),
  }
  for (const rule of rules) {
    const when = rule.when === undefined ? undefined : stored(rule.when)
    const open = [
      ...unstored.filter((name) => rule.when?.[name] !== undefined),
      ...unstored.filter((name) => rule.when?.not?.[name] !== undefined).map((name) => `not.${name}`),
    ]
    const { when: _when, ...rest } = rule
    if (referenceRule([{ ...rest, ...(when !== undefined && { when }) }], visitor) !== undefined)
      return { rule, open }
  }
  return { rule: undefined, open: [] }
}

const unstored = ['query', 'networks', 'visit'] as const

const without = ({ query: _q, networks: _n, visit: _v, ...rest }: ExcludedConditions) => rest

function stored({ not, ...when }: Conditions): Conditions {
  return { ...without(when), ...(not !== undefined && { not: without(not) }) }
}
