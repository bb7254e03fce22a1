import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client, QrCodeOf } from '@everscan/client/create-client.ts'
import type { RawScan } from '../../src/journal/raw-scan.ts'
import { journalStart, readFrames } from '../../src/journal/reader.ts'
import type { Load } from './load.ts'
import { until, type Service } from './service.ts'

/** Codes of a started service, and a client that reads their figures. */
export type Codes = { client: Client; orgId: string; codes: readonly QrCodeOf<'URL'>[] }

export async function createCodes(service: Service, count: number): Promise<Codes> {
  const client = service.client()
  const [organization] = await client.organizations.listMine()
  const orgId = organization?.id ?? ''
  const codes: QrCodeOf<'URL'>[] = []
  for (let i = 0; i < count; i++) {
    const data = { url: `https://example.com/${i}` }
    codes.push(await client.qrCodes.create(orgId, { type: 'URL', name: `Code ${i}`, data }))
  }
  return { client, orgId, codes }
}

/** The number of scans in the journals, by the id of their code, or by another property. */
export async function recordedScans(
  dataDir: string,
  keyOf = ({ qrCodeId }: RawScan): string => qrCodeId,
): Promise<Map<string, number>> {
  const recorded = new Map<string, number>()
  for (const path of globSync(join(dataDir, 'journal', '*', 'writer'))) {
    let position = journalStart
    for (let more = true; more;) {
      const read = await readFrames(dirname(path), position)
      for (const { scan } of read.frames) recorded.set(keyOf(scan), (recorded.get(keyOf(scan)) ?? 0) + 1)
      ;({ position, more } = read)
    }
  }
  return recorded
}

export async function totalScans({ client, orgId, codes }: Codes): Promise<number> {
  const totals = await Promise.all(
    codes.map(async ({ id }) => (await client.qrCodes.analytics(orgId, id)).summary.totalScans),
  )
  return totals.reduce((sum, total) => sum + total, 0)
}

/**
 * Waits until all recorded scans are in analytics and asserts, code by code: acknowledged ≤
 * recorded = analytics ≤ sent, and none twice. Returns the number of scans.
 */
export async function assertAccounts(
  service: Service,
  of: Codes,
  loads: readonly Pick<Load, 'scanned'>[],
): Promise<number> {
  const recorded = await recordedScans(service.dataDir)
  for (const { id, shortCode } of of.codes) {
    const inJournal = recorded.get(id) ?? 0
    const counts = loads.map(({ scanned }) => scanned.get(shortCode) ?? { sent: 0, acknowledged: 0 })
    const sent = sumOf(counts.map((one) => one.sent))
    const acknowledged = sumOf(counts.map((one) => one.acknowledged))
    assert.ok(acknowledged <= inJournal, `${shortCode}: ${acknowledged} acknowledged, ${inJournal} recorded`)
    assert.ok(inJournal <= sent, `${shortCode}: ${inJournal} recorded, ${sent} sent`)
  }
  return await assertCounted(service, of)
}

/**
 * Asserts for each code: acknowledged ≤ counted ≤ sent, and none twice. For runs of more than half
 * an hour, after which the journals no longer have all scans. Returns the number of scans.
 */
export async function assertAcknowledgedCounted(
  of: Codes,
  loads: readonly Pick<Load, 'scanned'>[],
): Promise<number> {
  let all = 0
  for (const { id, shortCode } of of.codes) {
    const counts = loads.map(({ scanned }) => scanned.get(shortCode) ?? { sent: 0, acknowledged: 0 })
    const sent = sumOf(counts.map((one) => one.sent))
    const acknowledged = sumOf(counts.map((one) => one.acknowledged))
    const total = async () => (await of.client.qrCodes.analytics(of.orgId, id)).summary.totalScans
    await until(
      `${acknowledged} scans of ${shortCode} are counted`,
      async () => (await total()) >= acknowledged,
    )
    // Scans that were recorded but not acknowledged follow.
    await sleep(5_000)
    const counted = await total()
    assert.ok(counted >= acknowledged, `${shortCode}: ${acknowledged} acknowledged, ${counted} counted`)
    assert.ok(counted <= sent, `${shortCode}: ${counted} counted, ${sent} sent`)
    await assertFigures(of, id, counted)
    all += counted
  }
  return all
}

/**
 * Waits until all recorded scans are in analytics and asserts that each is there once. Every scan
 * has its own visitor, so a scan counted twice would make totals larger than uniques. Returns the
 * number of scans.
 */
export async function assertCounted(service: Service, of: Codes): Promise<number> {
  const recorded = await recordedScans(service.dataDir)
  const all = sumOf(of.codes.map(({ id }) => recorded.get(id) ?? 0))
  // Parts may still be restarting: on a slow machine the client's own retries end before that.
  const total = (): Promise<number> => totalScans(of).catch(() => -1)
  await until(`${all} scans are in analytics`, async () => (await total()) >= all)
  for (const { id } of of.codes) await assertFigures(of, id, recorded.get(id) ?? 0)
  return all
}

/**
 * Asserts that every counter of a code's scans reaches the same number, all of them unique. Not at
 * the same moment: uniques become visible a moment after their scans, and the counters move with
 * the checkpoint after both.
 */
export async function assertFigures({ client, orgId }: Codes, id: string, scans: number): Promise<void> {
  const figures = async (): Promise<Record<string, number>> => {
    const { summary, timeline, devices } = await client.qrCodes.analytics(orgId, id)
    const record = await client.qrCodes.read(orgId, id)
    return {
      total: summary.totalScans,
      unique: summary.uniqueScans,
      withBots: summary.totalScans + summary.botScans,
      timelineTotal: sumOf(timeline.map((day) => day.scans)),
      timelineUnique: sumOf(timeline.map((day) => day.uniqueScans)),
      byDevice: sumOf(devices.os.map((os) => os.scans)),
      recordTotal: record.totalScans,
      recordUnique: record.uniqueScans,
    }
  }
  let last: Record<string, number> | undefined
  const agree = async (): Promise<boolean> => {
    last = await figures()
    return Object.values(last).every((count) => count === scans)
  }
  // On a timeout the comparison below reports the difference.
  await until('the figures agree', agree).catch(() => undefined)
  assert.ok(last !== undefined)
  assert.deepEqual(last, Object.fromEntries(Object.keys(last).map((name) => [name, scans])))
}

/** The slowest acceptable redirect during an outage; the machine may be busy with other work. */
const redirectMsMax = 3_000

/** Stops a load and asserts that every scan got its redirect. */
export async function assertNoneFailed(load: Load): Promise<void> {
  await load.stop()
  const { sent, acknowledged } = load.total()
  assert.deepEqual([...load.problems], [])
  assert.equal(load.refused(), 0)
  assert.equal(acknowledged, sent)
  assert.ok(load.slowestMs() < redirectMsMax, `the slowest redirect took ${load.slowestMs()} ms`)
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0)
}
