import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { ScanFilters } from '@everscan/contract/resources/analytics.ts'
import { dateText, type Interval } from './calendar.ts'
import { onEachStore } from '../testing/each-store.ts'
import { uniqueScansOf } from '../insert/insert.ts'
import { rollups } from './dimension-columns.ts'
import { readPeriod, type Period } from './period.ts'
import {
  referenceAnalytics,
  referenceFigures,
  referenceHits,
  referenceTopQrCodes,
} from '../testing/reference-analytics.ts'
import { closedOwnerOf } from '../store/closed-owner.ts'
import { groupsSql } from './scan-groups.ts'
import { randomScans } from '../testing/scan-rows.ts'
import { hasVariants } from '@everscan/contract/testing/variants.ts'
import { pick, randomFrom, testSeed, type Random } from '@everscan/contract/testing/random.ts'
import type { ScanRow } from '../insert/scan-row.ts'

const seed = testSeed()
const runsMax = process.env['SOAK'] === '1' ? 1000 : hasVariants ? 15 : 5
const intervals: readonly Interval[] = ['day', 'week', 'month']
const periods = [
  ['2025-09-01', '2026-04-30'],
  ['2025-10-26', '2025-10-26'],
  ['2026-03-08T01:30', '2026-03-29T03:00:00.5'],
] as const

const zones = [
  'UTC',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'America/Santiago',
  'Pacific/Apia',
]

/** Returns a period of up to 90 days in one of the zones. */
function randomPeriod(random: Random): Period {
  const startDate = dateText(20_350 + Math.floor(random() * 200))
  // A day may begin half a day later than in UTC, so an end on the first day could precede it.
  const endMs = Date.parse(startDate) + Math.floor((1 + random() * 89) * 86_400_000)
  return readPeriod({ startDate, endDate: new Date(endMs).toISOString(), timezone: pick(random, zones) })
}

it('a random period is valid for every seed', () => {
  for (let from = 0; from < 1_000; from++) {
    const { startMs, endMs } = randomPeriod(randomFrom(from))
    assert.ok(startMs < endMs, `seed ${from}`)
  }
})

function sumOf<Key extends string>(rows: readonly Record<Key, number>[], key: Key): number {
  return rows.reduce((sum, row) => sum + row[key], 0)
}

onEachStore((store, server) => {
  const ofServer = server && it
  describe('analytics of a code and of an organization equal the plain reference, figure by figure', () => {
    const random = randomFrom(seed)
    const organizationId = 'org_reference'
    // The scans span changes of the clocks, in zones with whole and half hours.
    const scans = randomScans(random, {
      organizationId,
      rows: 4_000,
      fromMs: Date.UTC(2025, 8, 20),
      toMs: Date.UTC(2026, 3, 10),
    })
    before(() => store.insert(scans))

    async function compare(period: Period, interval: Interval, filters: ScanFilters): Promise<void> {
      for (const qrCodeId of ['qr_busy', 'qr_quiet', 'qr_never']) {
        const options = { organizationId, qrCodeId, interval, filters, byDestination: true, ...period }
        const figures = await store.scanStore.qrCodeAnalytics(options)
        assert.deepEqual(figures, referenceAnalytics(scans, options), JSON.stringify({ seed, ...options }))
        assert.equal(
          figures.timeline.reduce((sum, bucket) => sum + bucket.uniqueScans, 0),
          figures.summary.uniqueScans,
        )
        const { destinations, summary } = figures
        assert.equal(sumOf(destinations, 'scans'), summary.totalScans)
        assert.equal(sumOf(destinations, 'uniqueScans'), summary.uniqueScans)
      }
      const scope = { organizationId, filters, ...period }
      const hits = referenceHits(scans, scope)
      const topQrCodes = ['qr_busy', 'qr_never']
      const ofAll = await store.scanStore.organizationAnalytics({ ...scope, interval, topQrCodes })
      assert.deepEqual(
        ofAll,
        {
          ...referenceFigures(hits, { interval, ...period }),
          topQrCodes: referenceTopQrCodes(hits, topQrCodes),
        },
        JSON.stringify({ seed, ...scope, interval }),
      )
      const ranked = referenceTopQrCodes(hits, ['qr_busy', 'qr_quiet']).map(({ qrCodeId }) => qrCodeId)
      assert.deepEqual(await store.scanStore.mostScannedQrCodes(scope, { limit: 10, offset: 0 }), ranked)
      assert.deepEqual(
        await store.scanStore.mostScannedQrCodes(scope, { limit: 1, offset: 1 }),
        ranked.slice(1),
      )
    }

    // Each zone with each interval and each period once; only the variants have all three together.
    for (const [zone, timezone] of ['UTC', 'Europe/Berlin', 'America/St_Johns'].entries())
      it(`by day, week and month in ${timezone}`, async () => {
        for (const [at, interval] of intervals.entries())
          for (const [range, [startDate, endDate]] of periods.entries())
            if (hasVariants || (zone + at + range) % periods.length === 0)
              await compare(readPeriod({ startDate, endDate, timezone }), interval, {})
      })

    it('with filters, alone and together', async () => {
      const period = readPeriod({ startDate: '2025-10-01', endDate: '2026-03-31', timezone: 'Europe/Berlin' })
      const filters: ScanFilters[] = [
        { country: ['DE'] },
        { country: ['XX'], city: ['Unknown'] },
        { city: ["L'Aquila", 'São Paulo', 'a\tb\\'] },
        { deviceType: ['mobile', 'tablet'] },
        { os: ['iOS'], browser: ['Safari', 'Chrome'] },
        { referrer: [''] },
        { referrer: ['nowhere.example'] },
        { country: [], os: ["'; drop table scans; --"] },
        { rule: ['rul_test'] },
        { rule: ['rul_test', 'none'], country: ['!DE'] },
        { rule: ['!none'], arm: ['A'] },
        { rule: ['rul_second'], arm: ['A'] },
        { rule: ['!rul_test'], arm: ['', '!B'] },
        { rule: ['rul_unknown'] },
      ]
      for (const filter of filters) await compare(period, pick(random, intervals), filter)
    })

    it('of a code that never had rules, whose own data answered every scan', async () => {
      const period = readPeriod({ startDate: '2025-09-01', endDate: '2026-04-30' })
      const filters = { rule: ['none'] }
      const options = { organizationId, qrCodeId: 'qr_busy', interval: 'day', filters, ...period } as const
      const { destinations, ...figures } = await store.scanStore.qrCodeAnalytics(options)
      assert.deepEqual({ ...figures, destinations }, referenceAnalytics(scans, options))
      assert.deepEqual(
        destinations.map(({ ruleId, percentage }) => [ruleId, percentage]),
        [[null, 100]],
      )
      const never = await store.scanStore.qrCodeAnalytics({ ...options, qrCodeId: 'qr_never' })
      assert.deepEqual(never.destinations, [])
    })

    void ofServer?.('of whole days without reading scan by scan', async () => {
      const period = readPeriod({ startDate: '2025-09-01', endDate: '2026-04-30' })
      const groups = groupsSql({
        organizationId,
        filters: {},
        interval: 'day',
        topQrCodes: ['qr_busy'],
        ...period,
      })
      const plan = await server?.().store.select<{ explain: string }>(`explain ${groups.sql}`, {
        ...groups.params,
      })
      assert.ok(plan)
      const reads = plan.map(({ explain }) => explain).filter((line) => line.includes('ReadFrom'))
      assert.equal(reads.length, rollups.length + 2, plan.map(({ explain }) => explain).join('\n'))
      assert.deepEqual(
        reads.filter((line) => !/\(by_\w+\)/.test(line)),
        [],
      )
    })

    it('in random periods, zones and filters', async () => {
      for (let run = 0; run < runsMax; run++) {
        const period = randomPeriod(random)
        const sample = pick(random, scans)
        const filters: ScanFilters = {
          ...(random() < 0.3 && { country: [sample.country, 'US'] }),
          ...(random() < 0.3 && { os: [sample.os] }),
          ...(random() < 0.3 && { city: [sample.city] }),
          ...(random() < 0.3 && { rule: [sample.rule === '' ? 'none' : sample.rule] }),
          ...(random() < 0.3 && { arm: [random() < 0.5 ? sample.arm : '!A'] }),
        }
        await compare(period, pick(random, intervals), filters)
      }
    })

    void ofServer?.('and the unique scans of the code are the sum over all time', async () => {
      const { store: whole } = server?.() ?? {}
      assert.ok(whole)
      const codes = ['qr_busy', 'qr_quiet', 'qr_never'].map((qrCodeId) => ({ organizationId, qrCodeId }))
      const counts = await uniqueScansOf(whole, [
        ...codes,
        { organizationId: 'org_other', qrCodeId: 'qr_busy' },
      ])
      const period = readPeriod({ startDate: '2025-01-01', endDate: '2026-12-31' })
      for (const code of codes) {
        const options = { ...code, ...period, interval: 'month', filters: {} } as const
        const { uniqueScans } = referenceAnalytics(scans, options).summary
        const counted = counts.find(({ qrCodeId }) => qrCodeId === code.qrCodeId)?.uniqueScans
        assert.equal(counted ?? 0, uniqueScans, code.qrCodeId)
      }
      assert.equal(counts.length, 2)
    })

    it('and no scan of another organization is among them', async () => {
      const period = readPeriod({ startDate: '2025-01-01', endDate: '2026-12-31' })
      const options = {
        organizationId: 'org_other',
        qrCodeId: 'qr_busy',
        interval: 'month',
        filters: {},
        ...period,
      } as const
      assert.equal((await store.scanStore.qrCodeAnalytics(options)).summary.totalScans, 0)
    })
  })

  it('of two first scans at one moment, from two machines, one is unique', async () => {
    const [scan] = randomScans(randomFrom(1), { organizationId: 'org_tie', rows: 1, fromMs: 0, toMs: 1 })
    assert.ok(scan)
    const twins: ScanRow[] = ['Safari', 'Chrome'].map((browser) => ({
      ...scan,
      class: 'human',
      timeMs: Date.UTC(2026, 2, 1),
      writer: `writer of ${browser}`,
      browser,
    }))
    for (const twin of twins) await store.insert([twin])
    const period = readPeriod({ startDate: '2026-03-01', endDate: '2026-03-01' })
    const uniqueScans = async (filters: ScanFilters) => {
      const { organizationId, qrCodeId } = scan
      const options = { organizationId, qrCodeId, interval: 'day', filters, ...period } as const
      return (await store.scanStore.qrCodeAnalytics(options)).summary.uniqueScans
    }
    const [all, ...each] = await Promise.all([
      uniqueScans({}),
      uniqueScans({ browser: ['Safari'] }),
      uniqueScans({ browser: ['Chrome'] }),
    ])
    assert.equal(all, 1)
    assert.deepEqual(
      each.sort((a, b) => a - b),
      [0, 1],
    )
  })

  it('hits on closed codes are one figure, by period and filter, and in no other', async () => {
    const organizationId = 'org_shut'
    const range = { rows: 400, fromMs: Date.UTC(2026, 2, 1), toMs: Date.UTC(2026, 2, 10) }
    const open = randomScans(randomFrom(2), { organizationId, ...range })
    const closed = randomScans(randomFrom(3), { organizationId, ...range }).map((row) => ({
      ...row,
      organizationId: closedOwnerOf(organizationId),
      writer: `${row.writer} closed`,
      class: 'bot' as const,
    }))
    await store.insert([...open, ...closed])
    for (const period of [
      readPeriod({ startDate: '2026-03-02', endDate: '2026-03-05' }),
      readPeriod({ startDate: '2026-03-02T07:30', endDate: '2026-03-06T01:00' }),
    ])
      for (const filters of [{}, { country: ['DE'] }, { os: ['!iOS'] }] as ScanFilters[]) {
        const scope = { organizationId, filters, ...period }
        const options = { ...scope, interval: 'day' } as const
        const hits = referenceHits(closed, { ...scope, organizationId: closedOwnerOf(organizationId) })
        for (const qrCodeId of ['qr_busy', 'qr_quiet']) {
          const expected = referenceAnalytics(open, { ...options, qrCodeId })
          const closedHits = hits.filter((hit) => hit.qrCodeId === qrCodeId).length
          const summary = { ...expected.summary, closedHits }
          const figures = await store.scanStore.qrCodeAnalytics({ ...options, qrCodeId, byDestination: true })
          assert.deepEqual(figures, { ...expected, summary })
        }
        const expected = referenceFigures(referenceHits(open, scope), options)
        const { topQrCodes: _, ...figures } = await store.scanStore.organizationAnalytics({
          ...options,
          topQrCodes: [],
        })
        assert.deepEqual(figures, { ...expected, summary: { ...expected.summary, closedHits: hits.length } })
        assert.ok(hits.length > 0)
      }
  })
})
