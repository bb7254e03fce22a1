import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { randomFrom, testSeed } from '@everscan/contract/testing/random.ts'
import { figuresOfCodes } from '../copies/code-figures.ts'
import { deleteScansBefore, findFirstScans } from '../figures/old-scans.ts'
import { readPeriod } from '../figures/period.ts'
import { organizationAnalytics, qrCodeAnalytics } from '../figures/queries.ts'
import { archiveScans } from '../figures/scan-archive.ts'
import { exportScans } from '../figures/scan-export.ts'
import { listScans } from '../figures/scan-lists.ts'
import { refeedFirstScans, settleBatch, insertBatch, uniqueScansOf } from '../insert/insert.ts'
import { refeedFirstScansOfDays } from '../insert/put-back.ts'
import { referenceAnalytics, referenceFigures, referenceHits } from '../testing/reference-analytics.ts'
import { blockOf, randomScans } from '../testing/scan-rows.ts'
import { startTestStore } from '../testing/store.ts'
import { nobody } from './first-scans.ts'
import { readFirstScanDifferences } from './store-facts.ts'

const { store, remove } = await startTestStore()
after(remove)

const organizationId = 'org_nobody'
const qrCodeId = 'qr_busy'
const codes = ['qr_busy', 'qr_quiet'].map((id) => ({ organizationId, qrCodeId: id }))
const fromMs = Date.UTC(2026, 2, 1)
const middleMs = Date.UTC(2026, 2, 15)
const toMs = Date.UTC(2026, 3, 1)
const period = readPeriod({ startDate: '2026-03-01', endDate: '2026-03-31' })
const scope = { organizationId, filters: {}, interval: 'day', ...period } as const
const scans = randomScans(randomFrom(testSeed()), { organizationId, rows: 2_000, fromMs, toMs }).map(
  (row, index) => ({
    ...row,
    writer: 'writer-a',
    sequence: index,
    visitor: index % 3 === 0 ? nobody : row.visitor,
  }),
)
const dayOf = (timeMs: number) => Math.floor(timeMs / 86_400_000)

before(async () => insertBatch(store, blockOf('bat_nobody', scans)))

describe('scans of nobody', () => {
  it('count as scans and never as unique scans', async () => compare(scans))

  it('are not unique in lists, exports and archives', async () => {
    const unique = await uniquesOfBusy()
    const { scans: listed, total } = await listScans(store, {
      ...scope,
      qrCodeId,
      page: 1,
      limit: 5_000,
      includeBots: false,
    })
    assert.deepEqual([total, listed.filter(({ isUnique }) => isUnique).length], [humansOf(scans), unique])
    const exported = await textOf(exportScans(store, { ...scope, qrCodeId }))
    const lines = exported.trim().split(/\r?\n/).slice(1)
    assert.equal(lines.filter((line) => line.endsWith(',true')).length, unique)
    const archived = (
      await textOf(archiveScans(store, { organizationId, month: '202603', without: new Set() }))
    )
      .trim()
      .split('\n')
      .map((line): unknown[] => JSON.parse(line))
    const ofNobody = archived.filter((line) => line[3] === nobody)
    assert.equal(ofNobody.length, scans.filter(({ visitor }) => visitor === nobody).length)
    assert.ok(ofNobody.every((line) => line[18] === false))
  })

  it('get no first scan when those are derived again', async () => {
    await refeedFirstScans(store, 'bat_nobody')
    assert.equal(await settleBatch(store, blockOf('bat_nobody', scans)), 'stored')
    const days = Map.groupBy(scans, ({ timeMs }) => dayOf(timeMs))
    const hits = [...days].map(([day, rows]) => ({ day, hits: rows.length }))
    await refeedFirstScansOfDays(store, 'writer-a', hits)
    await compare(scans)
    assert.deepEqual(await readFirstScanDifferences(store, codes), [])
  })

  it('have no first scan after older ones were deleted', async () => {
    await deleteScansBefore(store, middleMs, AbortSignal.timeout(60_000))
    await findFirstScans(store, AbortSignal.timeout(60_000))
    await compare(scans.filter(({ timeMs }) => timeMs >= middleMs))
  })
})

const humansOf = (rows: typeof scans) =>
  rows.filter((row) => row.class === 'human' && row.qrCodeId === qrCodeId).length

async function uniquesOfBusy(): Promise<number> {
  const busy = (await uniqueScansOf(store, codes)).find((code) => code.qrCodeId === qrCodeId)
  return busy?.uniqueScans ?? assert.fail('no unique scans')
}

async function compare(rows: typeof scans): Promise<void> {
  for (const id of ['qr_busy', 'qr_quiet'])
    assert.deepEqual(
      await qrCodeAnalytics(store, { ...scope, qrCodeId: id, byDestination: true }),
      referenceAnalytics(rows, { ...scope, qrCodeId: id }),
    )
  const figures = await organizationAnalytics(store, { ...scope, topQrCodes: [] })
  const { topQrCodes: _, ...expected } = {
    topQrCodes: [],
    ...referenceFigures(referenceHits(rows, scope), scope),
  }
  assert.deepEqual({ ...figures, topQrCodes: undefined }, { ...expected, topQrCodes: undefined })
  const withoutFence = await Array.fromAsync(figuresOfCodes(store))
  const fence = new Map([['writer-a', scans.length]])
  const withFence = await Array.fromAsync(figuresOfCodes(store, { fence }))
  assert.deepEqual(withoutFence.flat(), withFence.flat())
  const uniques = new Map(
    (await uniqueScansOf(store, codes)).map((code) => [code.qrCodeId, code.uniqueScans]),
  )
  assert.deepEqual(new Map(withFence.flat().map((code) => [code.qrCodeId, code.uniqueScans])), uniques)
}

async function textOf(chunks: AsyncIterable<Buffer>): Promise<string> {
  return Buffer.concat(await Array.fromAsync(chunks)).toString()
}
