import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ClickHouse } from '../../analytics/store/clickhouse.ts'
import { startTestStore, type TestStore } from '../../analytics/testing/store.ts'
import type { Database } from '../../db/database.ts'
import { openJournal, type Journal } from '../../journal/journal.ts'
import { prepareScan, type RawScan } from '../../journal/raw-scan.ts'
import { createLog } from '../../log.ts'
import { unknownPlace, type Geography } from '../../visitors/geography/geography.ts'
import { clickHouseIngester, type ClickHouseIngesterOptions } from '../clickhouse/clickhouse-ingester.ts'
import { startIngest, type Ingest, type IngestOptions } from '../ingest.ts'

export const silentLog = createLog({ level: 'silent', role: 'test' })

const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1'

/** Returns a phone's scan of a code; `visitor` is any number. */
export function someScan(fields: Partial<Omit<RawScan, 'visitor'>> & { visitor?: number } = {}): RawScan {
  const { visitor = 1, ...rest } = fields
  return {
    timeMs: Date.UTC(2026, 2, 1, 9, 30),
    organizationId: 'org_1',
    qrCodeId: 'qr_1',
    shortCode: 'QR1',
    domain: '',
    rule: '',
    arm: '',
    network: '203.0.113.0',
    userAgent: iphone,
    referrerHost: '',
    language: 'de-DE',
    app: '',
    hints: 0,
    ...rest,
    visitor: createHash('md5').update(String(visitor)).digest('hex'),
  }
}

export function openTestJournal(
  journalRoot: string,
  name: string,
  segmentBytesMax?: number,
  clock?: () => number,
): Journal {
  return openJournal({
    dir: join(journalRoot, name),
    rootDir: journalRoot,
    sync: 'never',
    bytesMax: 2 ** 30,
    ...(segmentBytesMax !== undefined && { segmentBytesMax }),
    ...(clock !== undefined && { clock }),
  })
}

/** Appends scans and waits until they are recorded. */
export async function record(journal: Journal, scans: readonly RawScan[]): Promise<void> {
  await Promise.all(
    scans.map(
      (scan) =>
        new Promise<void>((resolve, reject) => {
          const acknowledge = (recorded: boolean) =>
            recorded ? resolve() : reject(new Error('not recorded'))
          journal.append(prepareScan(scan), { acknowledge })
        }),
    ),
  )
}

/** Berlin or an unknown place: the geography files have tests of their own. */
export const testGeography: Geography = {
  locate: (network) =>
    network === '203.0.113.0'
      ? { country: 'DE', city: 'Berlin', region: 'Berlin', latitude: 52.5, longitude: 13.4 }
      : unknownPlace,
  reload: async () => [],
  problems: [],
}

export type TestIngestOptions = Partial<Omit<IngestOptions, 'ingester'>> &
  Pick<IngestOptions, 'journalRoot' | 'db'> &
  ClickHouseIngesterOptions

const started: Ingest[] = []

export async function startTestIngest({
  store,
  calls,
  isAlone,
  ...options
}: TestIngestOptions): Promise<Ingest> {
  const config = { geoipCityV4: undefined, geoipCityV6: undefined, journalBytesMax: 2 ** 30 }
  const ingest = await startIngest({
    config,
    log: silentLog,
    geography: testGeography,
    pollMs: 10,
    ingester: clickHouseIngester({
      store,
      ...(calls !== undefined && { calls }),
      ...(isAlone !== undefined && { isAlone }),
    }),
    ...options,
  })
  started.push(ingest)
  return ingest
}

/** A scan store that all tests of a suite share, and a folder for their journals. */
export type IngestSuite = Omit<TestStore, 'remove'> & {
  root: string
  /** Returns an organization and a journal root for one test. */
  newCase: () => { organizationId: string; journalRoot: string }
  /** Also stops the ingests of its tests. */
  remove: () => Promise<void>
}

/** Also stops ingests of failed tests, so that the process can end. */
export async function stopTestIngests(): Promise<void> {
  await Promise.all(started.splice(0).map((ingest) => ingest.stop()))
}

export async function startIngestSuite(): Promise<IngestSuite> {
  const { remove: removeStore, ...store } = await startTestStore()
  const root = mkdtempSync(join(tmpdir(), 'everscan-ingest-'))
  let cases = 0
  return {
    ...store,
    root,
    newCase: () => {
      const name = `case${cases++}`
      return { organizationId: `org_${name}`, journalRoot: join(root, name) }
    },
    remove: async () => {
      await stopTestIngests()
      await removeStore()
      rmSync(root, { recursive: true, force: true })
    },
  }
}

/** Returns total and unique scans of each code from the counters of the catalogue. */
export async function countersOf(db: Database): Promise<Record<string, [number, number]>> {
  const rows = await db.kysely.selectFrom('scan_counters').selectAll().orderBy('qr_code_id').execute()
  return Object.fromEntries(rows.map((row) => [row.qr_code_id, [row.total_scans, row.unique_scans]]))
}

/**
 * Returns total and unique scans of each code of an organization, and all its rows, from the scan
 * store.
 */
export async function storedOf(
  store: ClickHouse,
  organizationId: string,
): Promise<{ rows: number; hits: number; codes: Record<string, [number, number]> }> {
  const [all] = await store.select<{ rows: number; hits: number }>(
    `select count() as rows, uniqExact(writer, sequence) as hits from scans where organization_id = {organizationId:String}`,
    { organizationId },
  )
  const codes = await store.select<{ id: string; scans: number; uniques: number }>(
    `select qr_code_id as id, countIf(class = 'human') as scans, uniqExactIf(visitor, class = 'human') as uniques
     from scans where organization_id = {organizationId:String} group by id order by id`,
    { organizationId },
  )
  return { ...all!, codes: Object.fromEntries(codes.map(({ id, scans, uniques }) => [id, [scans, uniques]])) }
}

/** Waits until a condition holds, or throws after the timeout. */
export async function until(holds: () => boolean | Promise<boolean>, timeoutMs = 60_000): Promise<void> {
  for (const endMs = Date.now() + timeoutMs; !(await holds());) {
    if (Date.now() > endMs) throw new Error(`still not true after ${timeoutMs} ms: ${holds.toString()}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
