import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { matrixDimensions } from '@everscan/contract/dimensions/dimensions.ts'
import { intervals, type ScanFilters } from '@everscan/contract/resources/analytics.ts'
import { pick, randomFrom, testSeed } from '@everscan/contract/testing/random.ts'
import { hasVariants } from '@everscan/contract/testing/variants.ts'
import { daysOf, periodBefore, type Period } from '../figures/period.ts'
import type { ScanRow } from '../insert/scan-row.ts'
import { PeriodTooLong, type ReplayColumns, type ReplayedScans, type Selection } from '../scan-store.ts'
import { closedOwnerOf } from '../store/closed-owner.ts'
import { nobody } from '../store/first-scans.ts'
import { openEach, type EachStore } from '../testing/each-store.ts'
import { randomScans } from '../testing/scan-rows.ts'

const seed = testSeed()
const random = randomFrom(seed)
const runsMax = process.env['SOAK'] === '1' ? 500 : hasVariants ? 20 : 4
const organizationId = 'org_both'
const codes = Array.from({ length: 9 }, (_, at) => `qr_${String(at).padStart(26, '0')}`)
/** Instants at which clocks change in a zone of the tests, or a month begins in one. */
const moments = [
  Date.UTC(2026, 2, 8, 5, 30),
  Date.UTC(2026, 2, 29, 1),
  Date.UTC(2026, 3, 4, 15),
  Date.UTC(2026, 1, 28, 18, 30),
  Date.UTC(2026, 3, 1),
]
const zones = ['UTC', 'Asia/Kolkata', 'Australia/Lord_Howe', 'America/St_Johns', 'Europe/Berlin']
const oddTexts = [
  'a,b',
  'say "x"',
  'line\nbreak\r\n',
  '\tt\\n',
  '=1+1',
  '＝1',
  '🏙 北京',
  "l'A/q\u2028\u2029",
  '\u0001\u007f\u001f\b\f',
  '',
]

/** Regions and systems, which a server has as lines of one text, never have a line break. */
const oddLines = oddTexts.filter((text) => !text.includes('\n'))

const scans = randomScans(random, {
  organizationId,
  rows: 2_500,
  fromMs: Date.UTC(2026, 1, 20),
  toMs: Date.UTC(2026, 3, 12),
}).map((row, sequence): ScanRow => {
  const near = pick(random, moments) + Math.floor((random() - 0.5) * 3 * 3_600_000)
  const timeMs = random() < 0.3 ? near : row.timeMs
  const isClosed = random() < 0.05
  const odd = () => (random() < 0.2 ? { city: pick(random, oddTexts), os: pick(random, oddLines) } : {})
  return {
    ...row,
    ...odd(),
    ...(isClosed && { organizationId: closedOwnerOf(organizationId), class: 'bot' as const }),
    qrCodeId: pick(random, random() < 0.4 ? codes.slice(0, 1) : codes),
    timeMs,
    // Order of two scans at one moment, on two machines, is each store's own.
    writer: timeMs % 2 === 0 ? 'writer-a' : 'writer-b',
    sequence,
    region: pick(random, ['', 'Bavaria', ...oddLines]),
    latitude: pick(random, [null, 52.5, 0, -0, 13.4, -0.1, 90]),
    longitude: pick(random, [null, -13.4, 179.9, 7]),
    visitor: random() < 0.05 ? nobody : row.visitor,
  }
})

const stores: EachStore[] = []
before(async () => {
  for (const open of Object.values(openEach)) {
    const store = await open()
    stores.push(store)
    await store.insert(scans)
  }
})
after(async () => {
  for (const store of stores) await store.remove()
})

/** Asks each store, and compares the answers. */
async function same<Answer>(ask: (store: EachStore) => Promise<Answer>, context: object): Promise<Answer> {
  const [one, other] = await Promise.all(stores.map(ask))
  assert.deepEqual(other, one, JSON.stringify({ seed, ...context }))
  return one as Answer
}

async function textOf(pieces: AsyncIterable<Buffer>): Promise<string> {
  return Buffer.concat(await Array.fromAsync(pieces)).toString()
}

function randomPeriod(): Period {
  const timezone = pick(random, zones)
  const startMs = pick(random, moments) + Math.floor((random() - 0.7) * 20 * 86_400_000)
  const lengthMs = pick(random, [3_600_000, 86_400_000, 30 * 86_400_000]) * (0.1 + random())
  return { startMs, endMs: startMs + Math.ceil(lengthMs), timezone }
}

function randomFilters(): ScanFilters {
  const sample = pick(random, scans)
  const some = (value: string) => [`${random() < 0.4 ? '!' : ''}${value}`]
  return {
    ...(random() < 0.2 && { country: [...some(sample.country), 'US'] }),
    ...(random() < 0.2 && { region: some(sample.region || 'Unknown') }),
    ...(random() < 0.2 && { city: some(sample.city) }),
    ...(random() < 0.2 && { os: [...some(sample.os), ...some(pick(random, scans).os)] }),
    ...(random() < 0.2 && { language: some('de') }),
    ...(random() < 0.2 && { rule: some(sample.rule || 'none') }),
    ...(random() < 0.2 && { arm: some(sample.arm) }),
  }
}

function randomSelection(): Selection | undefined {
  if (random() < 0.3) return undefined
  const ids = codes.filter(() => random() < 0.5)
  return { mode: pick(random, ['only', 'except'] as const), codes: { ids: ids.join(), total: ids.length } }
}

describe('both stores give equal answers', () => {
  test('figures, matrix, lists and tables, in random scopes', async () => {
    for (let run = 0; run < runsMax; run++) {
      const period = randomPeriod()
      const days = daysOf(period)
      const interval = pick(
        random,
        intervals.filter((one) => one !== 'hour' || days.last - days.first < 31),
      )
      const scope = { organizationId, filters: random() < 0.4 ? {} : randomFilters(), ...period }
      const ofOne = { ...scope, qrCodeId: pick(random, codes) }
      const ofSome = { ...scope, selection: randomSelection() }
      const context = { run, interval, ofOne, ofSome }
      const [row, column] = [pick(random, matrixDimensions), pick(random, matrixDimensions)]
      const dimensions = [row, column === row ? 'code' : column] as const
      const matrix =
        row === 'code'
          ? undefined
          : await same(({ scanStore }) => scanStore.matrixSides(ofSome, dimensions), context)
      const page = { limit: 4, offset: Math.floor(random() * 4) }
      const topQrCodes = await same(({ scanStore }) => scanStore.mostScannedQrCodes(ofSome, page), context)
      await same(
        ({ scanStore }) => scanStore.organizationAnalytics({ ...ofSome, interval, topQrCodes, matrix }),
        context,
      )
      const byDestination = random() < 0.5
      await same(({ scanStore }) => scanStore.qrCodeAnalytics({ ...ofOne, interval, byDestination }), context)
      const earlier = periodBefore(period, Date.UTC(2026, 4))
      const sort = pick(random, ['scans', 'uniqueScans', 'change'] as const)
      const ofTable =
        ofSome.selection?.mode === 'only'
          ? ofSome.selection.codes
          : { ids: codes.join(), total: codes.length }
      const listed = random() < 0.5 ? {} : { codes: ofTable }
      const ranking = {
        scope: ofSome,
        before: earlier,
        sort,
        order: pick(random, ['asc', 'desc'] as const),
        ...listed,
      } as const
      await same(({ scanStore }) => scanStore.rankCodes({ ...ranking, ...page }), { ...context, ranking })
      await same(
        ({ scanStore }) => scanStore.countCodes({ scope: ofSome, before: earlier, ids: codes }),
        context,
      )
      const list = { page: 1 + Math.floor(random() * 3), limit: 20, includeBots: random() < 0.5 }
      // As it is sent: a number of 0 may be negative.
      await same(
        async ({ scanStore }) => JSON.stringify(await scanStore.listScans({ ...ofOne, ...list })),
        context,
      )
    }
  })

  test('exports and archives, byte for byte, in pieces of any size', async () => {
    const names = new Map(codes.map((id, at) => [id, { shortCode: `S${at}`, name: oddTexts[at] ?? '' }]))
    for (let run = 0; run < runsMax; run++) {
      const scope = { organizationId, filters: random() < 0.5 ? {} : randomFilters(), ...randomPeriod() }
      const qrCodeId = pick(random, codes)
      const ids = random() < 0.5 ? undefined : codes.filter(() => random() < 0.5)
      const sizes = { chunk: pick(random, [2, 1_000]), scansPerPiece: pick(random, [200, 50_000]) }
      const context = { run, scope, qrCodeId, ids, sizes }
      await same((store) => textOf(store.exportScans({ ...scope, qrCodeId }, sizes.scansPerPiece)), context)
      const readCodes = async () => names
      await same((store) => textOf(store.exportScansOfCodes(scope, { ids, readCodes }, sizes)), context)
      const without = new Set(codes.filter(() => random() < 0.3))
      const months = await same(({ scanStore }) => scanStore.scanMonths({ organizationId, without }), context)
      const archived = { organizationId, without, month: pick(random, months) }
      const text = await same((store) => textOf(store.archiveScans(archived, pick(random, [250, 20_000]))), {
        context,
        archived,
      })
      assert.ok(text.length > 0)
    }
  })

  test('replays, and the ids that have scans', async () => {
    for (let run = 0; run < runsMax; run++) {
      const scope = { organizationId, qrCodeId: pick(random, codes), filters: {}, ...randomPeriod() }
      const is = () => random() < 0.4
      const columns: ReplayColumns = {
        time: random() < 0.3 ? undefined : pick(random, ['minute', 'millisecond']),
        country: is(),
        region: is(),
        city: is(),
        language: is(),
        device: is(),
        os: is(),
        browser: is(),
        visitor: is(),
      }
      const bounds = { scansMax: pick(random, [50, 10_000]), msMax: 20_000, scansPerPiece: 40 }
      await same(({ scanStore }) => replayed(scanStore.replayScans(scope, { columns, bounds })), { scope })
    }
    const [one = ''] = codes
    await same(
      async ({ scanStore }) => (await scanStore.scannedIds([one, 'x', organizationId])).toSorted(),
      {},
    )
    await same(({ scanStore }) => Array.fromAsync(scanStore.scannedCodes(organizationId)), {})
  })
})

/** Returns the pieces of a replay, in the order of texts, or where it would fit. */
async function replayed(pieces: AsyncIterable<ReplayedScans[]>): Promise<string[][] | number> {
  try {
    return (await Array.fromAsync(pieces)).map((rows) => rows.map(textOfRow).sort())
  } catch (error) {
    assert.ok(error instanceof PeriodTooLong)
    return error.startMs
  }
}

function textOfRow(row: ReplayedScans): string {
  return JSON.stringify(Object.entries(row).sort(([one], [other]) => (one < other ? -1 : 1)))
}

test('a store without scans answers, too', async () => {
  const store = await openEach.files()
  const { scanStore } = store
  const scope = { organizationId, filters: {}, startMs: 0, endMs: 1, timezone: 'UTC' }
  const figures = await scanStore.organizationAnalytics({ ...scope, interval: 'day', topQrCodes: [] })
  assert.equal(figures.summary.totalScans, 0)
  assert.deepEqual(await scanStore.scanMonths({ organizationId, without: new Set() }), [])
  const list = { ...scope, qrCodeId: 'qr_none', page: 1, limit: 10, includeBots: true }
  assert.deepEqual(await scanStore.listScans(list), { scans: [], total: 0 })
  await store.remove()
})
