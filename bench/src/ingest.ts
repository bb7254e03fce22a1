import { fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startTestEngine } from '@everscan/server/analytics/testing/engine.ts'
import { migrateScanStore } from '@everscan/server/analytics/store/migrations.ts'
import { ScanBlock } from '@everscan/server/analytics/insert/scan-block.ts'
import { openClickHouse } from '@everscan/server/analytics/store/open-clickhouse.ts'
import type { ClickHouse } from '@everscan/server/analytics/store/clickhouse.ts'
import { desktops, tablets } from '@everscan/server/visitors/user-agents/testing/known-computers.ts'
import { phones } from '@everscan/server/visitors/user-agents/testing/known-phones.ts'
import { openJournal, type Journal } from '@everscan/server/journal/journal.ts'
import { prepareIds, type PreparedScan } from '@everscan/server/journal/raw-scan.ts'
import { createLog } from '@everscan/server/log.ts'
import { memoryOf } from '@everscan/server/processes/supervisor.ts'
import { cpuMs, pinToCore } from './load/cores.ts'
import { filledQrCodeId, makeCatalogue } from './fill-catalogue.ts'
import { median, rounded } from './figures.ts'
import type { IngestOrder, IngestResult } from './ingest-worker.ts'

const sizes = { quick: 200_000, full: 5_000_000 }
const codes = 20_000
const organizationId = 'org_bench'
/** Worker and engine share one core. The journal writer and the measurement use the other. */
const core = 0
const otherCore = 1
const rowsPerBlock = 50_000
const log = createLog({ level: 'silent', role: 'bench' })
/** Mostly phones, because most scans come from phones. */
const userAgents = [...phones, ...phones, ...phones, ...phones, ...tablets, ...desktops].map(
  ([userAgent]) => userAgent,
)
const referrers = ['', '', '', '', '', '', '', 'instagram.com', 'm.facebook.com', 'www.google.com']

/**
 * Measures ingest from a journal to rows in the scan store, counters in the catalogue and stored
 * positions, with worker and engine together on one core: user agents of real devices in 6,000
 * spellings, addresses from everywhere, 20,000 codes. The baseline is the engine's own insert of
 * the same rows, prepared as text, on the same core, into the bare table. `ratio` is our rows per
 * second divided by the baseline's.
 */
export async function benchIngest({ quick }: { quick: boolean }): Promise<object> {
  const scans = quick ? sizes.quick : sizes.full
  const rounds = 5
  const results: { seconds: number; bareSeconds: number; memoryMb: number; cpuUs: [number, number] }[] = []
  for (let round = 0; round < rounds; round++) {
    const root = mkdtempSync(join(tmpdir(), 'everscan-bench-'))
    const engine = await startTestEngine()
    const store = openClickHouse({ socketPath: engine.socketPath, deadlineMs: 10 * 60_000 })
    pinToCore(process.pid, otherCore)
    pinToCore(engine.pid, core)
    try {
      await migrateScanStore(store)
      await makeCatalogue(root, { organizationId, codes, log })
      await writeJournal(join(root, 'journal'), scans)
      const engineFromMs = cpuMs(engine.pid)
      const { seconds, cpuSeconds, rssMbBefore, rssMbMax } = await ingest({
        journalRoot: join(root, 'journal'),
        dataDir: root,
        socketPath: engine.socketPath,
        scans,
      })
      const cpuUs: [number, number] = [
        (cpuSeconds * 1e6) / scans,
        ((cpuMs(engine.pid) - engineFromMs) * 1000) / scans,
      ]
      const bareSeconds = await insertBare(store, scans)
      results.push({ seconds, bareSeconds, memoryMb: rssMbMax - rssMbBefore, cpuUs })
      console.log(
        `${round + 1} ${Math.round(scans / seconds)} scans/s, bare insert ${Math.round(scans / bareSeconds)} rows/s, memory +${Math.round(rssMbMax - rssMbBefore)} MB, processor ${cpuUs.map(rounded).join(' and ')} µs per scan`,
      )
    } finally {
      await store.close()
      await engine.remove()
      rmSync(root, { recursive: true, force: true })
    }
  }
  return {
    ratio: rounded(median(results.map((one) => one.bareSeconds / one.seconds))),
    scansPerSecond: Math.round(scans / median(results.map((one) => one.seconds))),
    bareRowsPerSecond: Math.round(scans / median(results.map((one) => one.bareSeconds))),
    cpuUsPerScan: {
      worker: rounded(median(results.map((one) => one.cpuUs[0]))),
      engine: rounded(median(results.map((one) => one.cpuUs[1]))),
    },
    memoryMb: Math.round(Math.max(...results.map((one) => one.memoryMb))),
    scans,
    rounds,
  }
}

async function writeJournal(rootDir: string, scans: number): Promise<void> {
  const journal = openJournal({ dir: join(rootDir, 'front-0'), rootDir, sync: 'never', bytesMax: 2 ** 40 })
  const ids = Array.from({ length: codes }, (_, i) =>
    prepareIds({
      organizationId,
      qrCodeId: filledQrCodeId(i),
      shortCode: String(i).padStart(7, '0'),
      domain: '',
      rule: '',
      arm: '',
    }),
  )
  const perTurn = 1_000
  for (let start = 0; start < scans; start += perTurn)
    await append(
      journal,
      Array.from({ length: Math.min(perTurn, scans - start) }, (_, i) => someScan(start + i, ids)),
    )
  await journal.close()
}

/** Returns a scan. Scans span some hours in order; three in four are a visitor's first. */
function someScan(i: number, ids: readonly Uint8Array[]): PreparedScan {
  const [a = 0, b = 0, c = 0, d = 0] = new Uint32Array(
    createHash('md5').update(`bench ${i}`).digest().buffer.slice(0, 16),
  )
  const person = Math.floor(i * 0.75)
  const userAgent = userAgents[a % userAgents.length] ?? ''
  return {
    timeMs: Date.UTC(2025, 0, 1) + i * 5,
    ids: ids[Math.floor((b / 2 ** 32) ** 3 * ids.length)] ?? new Uint8Array(),
    visitor: createHash('md5').update(`visitor ${person}`).digest('binary'),
    network: `${1 + (c % 222)}.${(c >>> 8) % 256}.${(c >>> 16) % 256}.0`,
    // Releases of a browser differ in their last digits.
    userAgent: userAgent.replace(/(\d)(?=[^\d]*$)/, String(d % 20)),
    referrerHost: referrers[d % referrers.length] ?? '',
    language: ['de-DE', 'en-US', 'fr-FR', 'pt-BR'][d % 4] ?? '',
    app: '',
    hints: 0,
  }
}

function append(journal: Journal, scans: readonly PreparedScan[]): Promise<void> {
  return new Promise((resolve, reject) => {
    let waiting = scans.length
    const answer = {
      acknowledge: (recorded: boolean) => {
        if (!recorded) reject(new Error('a scan was not recorded'))
        else if (--waiting === 0) resolve()
      },
    }
    for (const scan of scans) journal.append(scan, answer)
  })
}

async function ingest(order: IngestOrder): Promise<IngestResult> {
  const child = fork(join(import.meta.dirname, 'ingest-worker.ts'), {
    stdio: 'inherit',
    execArgv: [...memoryOf.worker],
  })
  pinToCore(child.pid ?? 0, core)
  child.send(order)
  const [result] = (await once(child, 'message')) as [IngestResult]
  return result
}

/** Inserts the rows of the ingest, read in advance, into an equal table without projections. */
async function insertBare(store: ClickHouse, scans: number): Promise<number> {
  await store.command('create table bare as scans')
  const projections = await store.select<{ name: string }>(
    `select name from system.projections where database = currentDatabase() and table = 'bare'`,
  )
  for (const { name } of projections) await store.command(`alter table bare drop projection ${name}`)
  const { columns } = new ScanBlock('')
  let seconds = 0
  let rows = 0
  const stretches = await store.select<{ month: number; first: number; last: number }>(
    'select toYYYYMM(time) as month, min(sequence) as first, max(sequence) as last from scans group by month order by month',
  )
  for (const { month, first, last } of stretches) {
    for (let from = first; from <= last; from += rowsPerBlock) {
      const block = await store.bytes(
        `select ${columns.join(', ')} from scans
         where toYYYYMM(time) = ${month} and sequence >= ${from} and sequence < ${from + rowsPerBlock}
         order by sequence format TabSeparated`,
      )
      const fromMs = performance.now()
      await store.insert('bare', columns, block, {
        settings: { async_insert: 0, input_format_parallel_parsing: 0, max_insert_threads: '1' },
      })
      seconds += (performance.now() - fromMs) / 1000
      rows += block.reduce((sum, chunk) => sum + chunk.filter((byte) => byte === 10).length, 0)
    }
  }
  if (rows !== scans) throw new Error(`${rows} rows of ${scans} scans`)
  return seconds
}
