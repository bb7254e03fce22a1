import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { matrixDimensions, type MatrixDimension } from '@everscan/contract/dimensions/dimensions.ts'
import { intervals, type ScanFilters } from '@everscan/contract/resources/analytics.ts'
import { pick, randomFrom, testSeed, type Random } from '@everscan/contract/testing/random.ts'
import { hasVariants } from '@everscan/contract/testing/variants.ts'
import type { ScanRow } from '../insert/scan-row.ts'
import type { CodeIds, Selection } from '../scan-store.ts'
import { readCsv } from '../testing/csv.ts'
import { onEachStore, type EachStore } from '../testing/each-store.ts'
import {
  referenceCodes,
  referenceFigures,
  referenceHits,
  referenceMatrix,
  referenceTopQrCodes,
} from '../testing/reference-analytics.ts'
import { randomScans } from '../testing/scan-rows.ts'
import { dateText } from './calendar.ts'
import { daysOf, periodBefore, readPeriod, type Period } from './period.ts'

const seed = testSeed()
const runsMax = process.env['SOAK'] === '1' ? 1_000 : hasVariants ? 25 : 8
const random = randomFrom(seed)
const organizationId = 'org_selected'
const allIds = Array.from({ length: 12 }, (_, index) => `qr_${String(index).padStart(26, '0')}`)
/** Codes with scans. The last ones have none. */
const scannedIds = allIds.slice(0, 9)
/** Codes that the organization still has. */
const keptIds = allIds.filter((_, index) => index % 4 !== 3)
const nowMs = Date.UTC(2026, 2, 20, 15, 30)

const scans = randomScans(random, {
  organizationId,
  rows: 3_000,
  fromMs: Date.UTC(2025, 9, 1),
  toMs: Date.UTC(2026, 3, 10),
}).map((row): ScanRow => ({
  ...row,
  qrCodeId: pick(random, random() < 0.4 ? scannedIds.slice(0, 1) : scannedIds),
  city: random() < 0.1 ? '!Kheis' : row.city,
  region: pick(random, ['', 'Bavaria', 'Bavaria', 'New York']),
}))

const zones = ['UTC', 'Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe', 'Asia/Kathmandu']

function randomPeriod(from: Random): Period {
  const startDate = dateText(20_365 + Math.floor(from() * 160))
  // A day may begin half a day later than in UTC, so an end on the first day could precede it.
  const endMs = Date.parse(startDate) + Math.floor((1 + from() * 70) * 86_400_000)
  const endDate = from() < 0.3 ? '2026-03-31' : new Date(endMs).toISOString()
  return readPeriod({
    startDate: from() < 0.3 ? '2025-10-01' : startDate,
    endDate: endDate < startDate ? new Date(endMs).toISOString() : endDate,
    timezone: pick(from, zones),
  })
}

function randomFilters(from: Random): ScanFilters {
  const sample = pick(from, scans)
  const not = () => (from() < 0.5 ? '!' : '')
  return {
    ...(from() < 0.25 && { country: [`${not()}${sample.country}`, 'US'] }),
    ...(from() < 0.25 && { region: [`${not()}${pick(from, ['Unknown', 'Bavaria', 'New York'])}`] }),
    ...(from() < 0.25 && { city: [pick(from, ['\\!Kheis', '!!Kheis', `${not()}Berlin`])] }),
    ...(from() < 0.25 && { deviceType: ['!mobile' as const, sample.deviceType] }),
    ...(from() < 0.25 && { os: [`${not()}${sample.os}`] }),
    ...(from() < 0.25 && { referrer: ['!', sample.referrer] }),
  }
}

/** As many other ids as make a list too long to go with each query. */
const strangers = Array.from({ length: 2_500 }, (_, at) => `qr_${String(1e9 + at).padStart(26, '0')}`)

function codeIds(ids: readonly string[], from: Random): CodeIds {
  const all = from() < 0.5 ? ids : [...ids, ...strangers]
  return { ids: all.join(), total: all.length }
}

/** A selection in one of its forms, and the codes that it means. */
function randomSelection(from: Random): {
  selection: Selection | undefined
  selected: readonly string[] | undefined
} {
  if (from() < 0.2) return { selection: undefined, selected: undefined }
  const selected = keptIds.filter(() => from() < 0.6)
  const others = allIds.filter((id) => !selected.includes(id))
  const isExcept = from() < 0.5
  const list = isExcept ? others : selected
  return { selection: { mode: isExcept ? 'except' : 'only', codes: codeIds(list, from) }, selected }
}

function randomDimensions(from: Random): [MatrixDimension, MatrixDimension] {
  const row = pick(from, matrixDimensions)
  const column = pick(
    from,
    matrixDimensions.filter((one) => one !== row),
  )
  return [row, column]
}

it('a random period is valid for every seed', () => {
  for (let from = 0; from < 1_000; from++) {
    const { startMs, endMs } = randomPeriod(randomFrom(from))
    assert.ok(startMs < endMs, `seed ${from}`)
  }
})

onEachStore((store) => {
  describe('figures of selected codes equal the plain reference', () => {
    before(() => store.insert(scans))

    it('summary, timeline, breakdowns, matrix, top codes, table and export, in random selections, periods and filters', async () => {
      for (let run = 0; run < runsMax; run++) {
        const period = randomPeriod(random)
        const filters = random() < 0.5 ? {} : randomFilters(random)
        const { selection, selected } = randomSelection(random)
        const scope = { organizationId, selection, filters, ...period }
        const days = daysOf(period)
        const interval = pick(
          random,
          intervals.filter((one) => one !== 'hour' || days.last - days.first < 31),
        )
        const dimensions = randomDimensions(random)
        const context = JSON.stringify({ seed, run, ...scope, interval, dimensions })
        const hits = referenceHits(scans, scope, selected)
        const top = scannedIds.filter((id) => selected === undefined || selected.includes(id))

        const matrix = await store.scanStore.matrixSides(scope, dimensions)
        const topQrCodes = await store.scanStore.mostScannedQrCodes(scope, { limit: 10, offset: 0 })
        const expectedTop = referenceTopQrCodes(hits, top)
        assert.deepEqual(
          topQrCodes,
          expectedTop.map(({ qrCodeId }) => qrCodeId),
          context,
        )
        const figures = await store.scanStore.organizationAnalytics({
          ...scope,
          interval,
          topQrCodes,
          matrix,
        })
        assert.deepEqual(
          figures,
          {
            ...referenceFigures(hits, { ...period, interval }),
            matrix: referenceMatrix(hits, dimensions),
            topQrCodes: expectedTop,
          },
          context,
        )
        await compareTable(store, { scope, selected, hits, context })
        await compareExport(store, { scope, selected, hits, context })
      }
    })

    it('a matrix of one code', async () => {
      const [qrCodeId = ''] = scannedIds
      const period = readPeriod({ startDate: '2026-01-10', endDate: '2026-03-20' })
      const scope = { organizationId, qrCodeId, filters: {}, ...period }
      const dimensions = ['city', 'os'] as const
      const sides = await store.scanStore.matrixSides(scope, dimensions)
      const { matrix } = await store.scanStore.qrCodeAnalytics({ ...scope, interval: 'day', matrix: sides })
      assert.deepEqual(matrix, referenceMatrix(referenceHits(scans, scope), dimensions))
    })

    it('a matrix of a period without scans', async () => {
      const period = readPeriod({ startDate: '2020-01-10', endDate: '2020-03-20' })
      const scope = { organizationId, filters: {}, ...period }
      const sides = await store.scanStore.matrixSides(scope, ['code', 'os'])
      const { matrix } = await store.scanStore.organizationAnalytics({
        ...scope,
        interval: 'day',
        topQrCodes: [],
        matrix: sides,
      })
      assert.deepEqual(matrix, { rows: [], columns: [], scans: [], other: 0 })
    })
  })
})

type Compared = {
  scope: Period & { organizationId: string; selection: Selection | undefined; filters: ScanFilters }
  selected: readonly string[] | undefined
  hits: ReturnType<typeof referenceHits>
  context: string
}

/** Compares every page of the table in each of its orders. */
async function compareTable(store: EachStore, { scope, selected, hits, context }: Compared): Promise<void> {
  const ids = selected ?? keptIds
  const earlier = periodBefore(scope, nowMs)
  const codes = { ids: ids.join(), total: ids.length }
  const rows = referenceCodes(hits, referenceHits(scans, { ...scope, ...earlier }, selected), ids)
  assert.deepEqual(
    await store.scanStore.countCodes({ scope, before: earlier, ids: rows.map(({ qrCodeId }) => qrCodeId) }),
    rows,
    context,
  )
  for (const sort of ['scans', 'uniqueScans', 'change'] as const)
    for (const order of ['asc', 'desc'] as const) {
      const ranked: string[] = []
      for (let offset = 0; offset < ids.length; offset += 4)
        ranked.push(
          ...(await store.scanStore.rankCodes({
            scope,
            before: earlier,
            codes,
            sort,
            order,
            limit: 4,
            offset,
          })),
        )
      const direction = order === 'asc' ? 1 : -1
      const exact = ({ scans: now, previousScans }: (typeof rows)[number]) =>
        (now - previousScans) / previousScans
      const expected = rows.toSorted((a, b) => {
        const byId = a.qrCodeId < b.qrCodeId ? -1 : 1
        if (sort !== 'change') return direction * (a[sort] - b[sort]) || byId
        if (a.change === null || b.change === null)
          return Number(a.change === null) - Number(b.change === null) || byId
        return direction * (exact(a) - exact(b)) || byId
      })
      assert.deepEqual(
        ranked,
        expected.map(({ qrCodeId }) => qrCodeId),
        `${sort} ${order}: ${context}`,
      )
    }
}

async function compareExport(store: EachStore, { scope, selected, hits, context }: Compared): Promise<void> {
  const { selection: _, ...ofAll } = scope
  const pieces = store.exportScansOfCodes(
    ofAll,
    {
      ids: selected,

      readCodes: async (ids) =>
        new Map(
          ids.filter((id) => keptIds.includes(id)).map((id) => [id, { shortCode: id.slice(-4), name: '=1' }]),
        ),
    },
    {
      chunk: pick(random, [1, 4, 1_000]),
      scansPerPiece: pick(random, [97, 50_000]),
    },
  )
  const [header, ...rows] = readCsv(Buffer.concat(await Array.fromAsync(pieces)).toString())
  assert.equal(
    header?.join(),
    'qr_code_id,short_code,name,timestamp,country,city,device_type,os,browser,is_unique',
  )
  const expected = hits
    .filter(({ isBot }) => !isBot)
    .toSorted((a, b) => (a.qrCodeId < b.qrCodeId ? -1 : Number(a.qrCodeId > b.qrCodeId)))
    .map((hit) => [
      hit.qrCodeId,
      ...(keptIds.includes(hit.qrCodeId) ? [hit.qrCodeId.slice(-4), "'=1"] : ['', '']),
      new Date(hit.timeMs).toISOString(),
      hit.country,
      hit.city,
      hit.deviceType,
      hit.os,
      hit.browser,
      String(hit.isUnique),
    ])
  assert.deepEqual(rows, expected, context)
}
