import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { listIn } from '@everscan/contract/dimensions/answered-lists.ts'
import {
  filterDimensions,
  listedDimensions,
  listOf,
  matrixDimensions,
  type FilterDimension,
} from '@everscan/contract/dimensions/dimensions.ts'
import type { ScanFilters } from '@everscan/contract/resources/analytics.ts'
import { randomFrom, testSeed } from '@everscan/contract/testing/random.ts'
import { hasVariants } from '@everscan/contract/testing/variants.ts'
import { readCsv } from '../testing/csv.ts'
import { onEachStore, type EachStore } from '../testing/each-store.ts'
import {
  referenceAnalytics,
  referenceFigures,
  referenceHits,
  referenceMatrix,
  valuesOf,
} from '../testing/reference-analytics.ts'
import { randomScans } from '../testing/scan-rows.ts'
import { readPeriod } from './period.ts'

const seed = testSeed()
const organizationId = 'org_dimensions'
const qrCodeId = 'qr_busy'
/** Its middle is whole days, which rollups have; its ends are read scan by scan. */
const period = readPeriod({ startDate: '2026-03-01T07:30', endDate: '2026-03-20T15:45' })
const scans = randomScans(randomFrom(seed), {
  organizationId,
  rows: 1_500,
  fromMs: Date.UTC(2026, 1, 25),
  toMs: Date.UTC(2026, 2, 25),
})

/** Compares figures of some filters with the reference, and lists of scans with the figures. */
async function totalOf({ scanStore, exportScans }: EachStore, filters: ScanFilters): Promise<number> {
  const scope = { organizationId, filters, ...period }
  const options = { ...scope, interval: 'day' } as const
  const all = await scanStore.organizationAnalytics({ ...options, topQrCodes: [] })
  const context = JSON.stringify({ seed, filters })
  assert.deepEqual(
    all,
    { ...referenceFigures(referenceHits(scans, scope), options), topQrCodes: [] },
    context,
  )
  const ofCode = await scanStore.qrCodeAnalytics({ ...options, qrCodeId, byDestination: true })
  assert.deepEqual(ofCode, referenceAnalytics(scans, { ...options, qrCodeId }), context)
  const { totalScans, uniqueScans } = ofCode.summary
  const listed = await scanStore.listScans({ ...scope, qrCodeId, page: 1, limit: 1, includeBots: false })
  assert.equal(listed.total, totalScans, context)
  const exported = readCsv(
    Buffer.concat(await Array.fromAsync(exportScans({ ...scope, qrCodeId }))).toString(),
  )
  assert.equal(exported.length - 1, totalScans, context)
  assert.equal(exported.filter((cells) => cells.at(-1) === 'true').length, uniqueScans, context)
  return all.summary.totalScans
}

const written = (value: string) => (value.startsWith('!') ? `\\${value}` : value)
const filterBy = (name: FilterDimension, value: string): ScanFilters => ({ [name]: [value] })

/** How many values of a dimension are compared. */
const valuesMax = hasVariants ? 3 : 1
onEachStore((store) => {
  let allScans: Promise<number> | undefined
  before(() => store.insert(scans))

  describe('every dimension of the table equals the plain reference', () => {
    for (const name of filterDimensions)
      test(`${name} as filter: a value, and all others, add up to all scans`, async () => {
        const total = await (allScans ??= totalOf(store, {}))
        const values = valuesOf(name, referenceHits(scans, { organizationId, filters: {}, ...period }))
        assert.ok(values.length > 1)
        for (const value of values.slice(0, valuesMax)) {
          const wanted = await totalOf(store, filterBy(name, written(value)))
          const others = await totalOf(store, filterBy(name, `!${value}`))
          assert.ok(wanted > 0 && others > 0, value)
          assert.equal(wanted + others, total, value)
        }
      })

    for (const name of listedDimensions)
      test(`${name} as list: its rows add up to all scans, and each counts what its filter shows`, async () => {
        const options = { organizationId, interval: 'day', topQrCodes: [], ...period } as const
        const figures = await store.scanStore.organizationAnalytics({ ...options, filters: {} })
        const rows = listIn(figures, name)
        assert.equal(
          rows.reduce((sum, row) => sum + row.scans, 0),
          figures.summary.totalScans,
        )
        for (const { value, country, scans: counted } of rows.slice(0, valuesMax)) {
          const filters = {
            ...filterBy(name, written(value)),
            ...(country !== undefined && { country: [country] }),
          }
          const { summary } = await store.scanStore.organizationAnalytics({ ...options, filters })
          assert.equal(summary.totalScans, counted, `${value} ${country}`)
        }
        assert.equal(listOf(name).isOfCountry === true, rows[0]?.country !== undefined)
      })

    for (const [at, row] of matrixDimensions.entries())
      test(`${row} in a matrix, as rows and as columns, of all codes and of one`, async () => {
        const other = matrixDimensions[(at + 1) % matrixDimensions.length] ?? row
        const pairs = [[row, other] as const, [other, row] as const]
        const filterings: ScanFilters[] = [{}, { os: ['!iOS'] }]
        for (const [turn, dimensions] of pairs.entries())
          for (const [which, code] of [{}, { qrCodeId }].entries())
            for (const [index, filters] of filterings.entries()) {
              // Any two of the three together once; only the variants have all three.
              if (!hasVariants && (turn + which + index) % 2 !== 0) continue
              const scope = { organizationId, ...code, filters, ...period }
              const matrix = await store.scanStore.matrixSides(scope, dimensions)
              const figures = await store.scanStore.organizationAnalytics({
                ...scope,
                interval: 'day',
                topQrCodes: [],
                matrix,
              })
              assert.deepEqual(figures.matrix, referenceMatrix(referenceHits(scans, scope), dimensions))
            }
      })
  })
})
