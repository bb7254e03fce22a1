import assert from 'node:assert/strict'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, describe, test } from 'node:test'
import { pick, randomFrom, testSeed } from '@everscan/contract/testing/random.ts'
import type { ScanFilters } from '@everscan/contract/resources/analytics.ts'
import { monthOf } from '../../insert/one-month.ts'
import type { ScanRow } from '../../insert/scan-row.ts'
import { closedOwnerOf } from '../../store/closed-owner.ts'
import { randomScans } from '../../testing/scan-rows.ts'
import type { Rollup } from '../figures/listed-scans.ts'
import { fileReads, fileScans } from '../file-scans.ts'
import { ListedFiles } from '../listed-files.ts'
import type { ScanSegment } from '../manifest.ts'
import { pathList, quoted } from '../parquet/file-sql.ts'
import { fileWrites } from '../parquet/file-writes.ts'
import { ParquetFiles } from '../parquet/parquet-files.ts'
import { ScanEngine } from '../parquet/scan-engine.ts'
import { SegmentBlock } from '../segment-block.ts'
import { FoundRollups } from './found-rollups.ts'

const root = mkdtempSync(join(tmpdir(), "everscan o'rollups [s]*-"))
const engine = await ScanEngine.open({ folders: [root], spillTo: join(root, 'spill'), memory: '64MB' })
after(() => {
  engine.close()
  rmSync(root, { recursive: true })
})

const rolledScansMin = 100
const [organizationId, small] = ['org_1', 'org_small']
const period = { startMs: Date.UTC(2026, 2, 1), endMs: Date.UTC(2026, 3, 1), timezone: 'UTC' }
const seed = testSeed()
const random = randomFrom(seed)
const runsMax = process.env['SOAK'] === '1' ? 1_000 : 25
const scansOf = (owner: string, rows: number) =>
  randomScans(random, { organizationId: owner, rows, fromMs: period.startMs, toMs: period.endMs })
const rows = [...scansOf(organizationId, 400), ...scansOf(small, rolledScansMin - 1)]
const humans = (owner: string): number =>
  rows.filter((row) => row.organizationId === owner && row.class === 'human').length

const codeOfKnownVisitors = 'qr_known'
const codes = ['qr_busy', 'qr_quiet', 'qr_bots', codeOfKnownVisitors]
/** Clocks of Monrovia differed by 44 minutes and 30 seconds until January 7, 1972. */
const zones = ['Africa/Monrovia', 'UTC', 'Asia/Kathmandu', 'America/New_York']
const [oldFromMs, oldToMs] = [Date.UTC(1971, 10, 10), Date.UTC(1972, 1, 20)]
const oldScans = [organizationId, organizationId, organizationId, organizationId, small].flatMap((owner) =>
  randomScans(random, { organizationId: owner, rows: 500, fromMs: oldFromMs, toMs: oldToMs }).map(
    (row): ScanRow => {
      const qrCodeId = random() < 0.2 ? pick(random, codes) : row.qrCodeId
      if (random() < 0.1) return { ...row, qrCodeId, class: 'bot', organizationId: closedOwnerOf(owner) }
      return { ...row, qrCodeId, class: qrCodeId === 'qr_bots' ? 'bot' : row.class }
    },
  ),
)

/** A period that is short, or has whole months, and some or all codes. */
function randomScope() {
  const startMs = oldFromMs + Math.floor((random() * 1.2 - 0.1) * (oldToMs - oldFromMs))
  const endMs = startMs + 1 + Math.floor(random() * 90 * 86_400_000)
  const ids = codes.filter(() => random() < 0.5)
  const mode = pick(random, ['only', 'except', 'all'] as const)
  const selection = mode === 'all' ? undefined : { mode, codes: { ids: ids.join(), total: ids.length } }
  const filters: ScanFilters = random() < 0.8 ? {} : { country: ['DE'] }
  return {
    organizationId: pick(random, [organizationId, organizationId, small]),
    startMs,
    endMs,
    timezone: pick(random, zones),
    filters,
    selection,
  }
}

function blockOf(scans: readonly ScanRow[]): SegmentBlock {
  const block = new SegmentBlock(scans.length)
  for (const row of scans)
    block.add(row, row.class === 'human' && row.qrCodeId !== codeOfKnownVisitors && random() < 0.5)
  return block
}

let folders = 0
const newFolder = (): string => join(root, String(folders++))
let folder: string
let files: ParquetFiles
let segment: ScanSegment
let listed: ListedFiles

beforeEach(async () => {
  folder = newFolder()
  await reopen()
  const stretches = [{ month: 202603, writer: 'a', from: 0, to: rows.length }]
  segment = await files.write('s1', stretches, blockOf(rows))
  listed = reader()
})

async function reopen(): Promise<void> {
  files = await ParquetFiles.open({ folder, engine: fileWrites(engine), rolledScansMin })
  await files.list()
}

/** Returns a reader as a start of the engine has it. */
function reader(): ListedFiles {
  return new ListedFiles({
    engine,
    folder,
    records: { read: async function* () {} },
    readManifest: async (known) => ({
      revision: 'r1',
      segments: known === 'r1' ? undefined : [segment],
    }),
    rolledScansMin,
  })
}

async function rollupsRead(): Promise<string[]> {
  return (await listed.read()).files.flatMap(({ rollup }) => (rollup === undefined ? [] : [rollup.path]))
}

async function totalOf(owner: string): Promise<number> {
  const scans = fileScans(fileReads({ engine, readListed: () => listed.read() }))
  const scope = { organizationId: owner, filters: {}, ...period }
  const { summary } = await scans.organizationAnalytics({ ...scope, interval: 'day', topQrCodes: [] })
  return summary.totalScans
}

function rollupsThere(): string[] {
  const month = join(folder, '202603')
  return readdirSync(month)
    .filter((name) => name.includes('.rollup'))
    .map((name) => join(month, name))
}

test('figures and tables with rollups are those without, in random scopes', async () => {
  let closedHits = 0
  const parquet = await ParquetFiles.open({ folder: newFolder(), engine: fileWrites(engine), rolledScansMin })
  const segments: ScanSegment[] = []
  for (const [month, ofMonth] of Map.groupBy(oldScans, ({ timeMs }) => monthOf(timeMs)))
    for (const part of [ofMonth.slice(0, ofMonth.length / 2), ofMonth.slice(ofMonth.length / 2)]) {
      const from = segments.length * 1_000
      const stretches = [{ month, writer: 'a', from, to: from + part.length }]
      segments.push(await parquet.write(`f${segments.length}`, stretches, blockOf(part)))
    }
  while (await parquet.addRollup(segments.slice(1)));
  const found = new FoundRollups(engine, rolledScansMin)
  const paths = segments.map((one) => ({ ...one, path: parquet.pathsOf([one.id])[0]! }))
  const rollups = await found.of(paths)
  assert.equal(rollups.size, segments.length - 1)
  const storeWith = (used: ReadonlyMap<string, Rollup>) => {
    const read = { files: paths.map((file) => ({ ...file, rollup: used.get(file.id) })), recent: undefined }
    return fileScans(fileReads({ engine, readListed: async () => read }))
  }
  const stores = [storeWith(new Map()), storeWith(rollups)]
  for (let run = 0; run < runsMax; run++) {
    const scope = randomScope()
    const earlier = { ...scope, endMs: scope.startMs, startMs: 2 * scope.startMs - scope.endMs }
    const sort = pick(random, ['scans', 'uniqueScans', 'change'] as const)
    const page = { limit: 4, offset: 0 }
    const [counted, expected] = await Promise.all(
      stores.map(async (scans) => {
        const topQrCodes = await scans.mostScannedQrCodes(scope, page)
        return {
          topQrCodes,
          figures: await scans.organizationAnalytics({ ...scope, interval: 'day', topQrCodes }),
          ranked: await scans.rankCodes({ scope, before: earlier, sort, order: 'asc', ...page }),
          table: await scans.countCodes({ scope, before: earlier, ids: codes }),
        }
      }),
    )
    assert.deepEqual(counted, expected, JSON.stringify({ seed, scope }))
    closedHits += counted?.figures.summary.closedHits ?? 0
    if (sort === 'uniqueScans') assert.ok(!counted?.ranked.includes(codeOfKnownVisitors))
  }
  assert.ok(closedHits > 0)
})

describe('the rollup of a file', () => {
  test('is made once, and readers find it without another revision', async () => {
    assert.deepEqual(await rollupsRead(), [])
    assert.equal(await totalOf(organizationId), humans(organizationId))
    assert.equal(await files.addRollup([segment]), true)
    assert.equal(await files.addRollup([segment]), false)
    assert.deepEqual(await rollupsRead(), rollupsThere())
    assert.equal((await rollupsRead()).length, 1)
    assert.equal(await totalOf(organizationId), humans(organizationId))
  })

  test('is what figures read, but for an organization with few scans in the file', async () => {
    await files.addRollup([segment])
    await listed.read()
    // A file without the scans that the rollup has counted takes the place of the other.
    const [path = ''] = files.pathsOf([segment.id])
    await engine.files.run(
      `copy (from read_parquet(${pathList([path])}) where organization_id = '${small}')
       to ${quoted(`${path}.other`)} (format parquet)`,
    )
    renameSync(`${path}.other`, path)
    assert.equal(await totalOf(organizationId), humans(organizationId))
    assert.equal(await totalOf(small), humans(small))
  })

  test('is not used when it is damaged, of another version or of another file', async () => {
    const changes: ((path: string) => void)[] = [
      (path) => {
        const bytes = readFileSync(path)
        bytes[20] = (bytes[20] ?? 0) ^ 1
        writeFileSync(path, bytes)
      },
      (path) => renameSync(path, path.replace(/-1$/, '-2')),
      (path) => renameSync(path, path.replace('s1-', 's2-')),
    ]
    for (const change of changes) {
      await files.addRollup([segment])
      const [path = ''] = rollupsThere()
      change(path)
      listed = reader()
      assert.deepEqual(await rollupsRead(), [])
      assert.equal(await totalOf(organizationId), humans(organizationId))
      // The next start removes it, and the worker makes another.
      await reopen()
      assert.deepEqual(rollupsThere(), [])
    }
    assert.equal(await files.addRollup([segment]), true)
    assert.equal((await rollupsRead()).length, 1)
  })

  test('can be removed while it is read: after one error answers come from the scans', async () => {
    await files.addRollup([segment])
    const [path = ''] = await rollupsRead()
    rmSync(path)
    await assert.rejects(totalOf(organizationId))
    listed.forgetRollups()
    assert.equal(await totalOf(organizationId), humans(organizationId))
  })

  test('that cannot be made stops no other, and is tried again after the next look', async () => {
    const writes = fileWrites(engine)
    let isFull = true
    const rowsOf = async (sql: string) => {
      if (isFull && sql.includes('copy')) throw new Error('Out of Memory Error')
      return await writes.rows(sql)
    }
    files = await ParquetFiles.open({ folder, engine: { ...writes, rows: rowsOf }, rolledScansMin })
    await files.list()
    await assert.rejects(files.addRollup([segment]))
    assert.equal(await files.addRollup([segment]), false)
    isFull = false
    await files.list()
    assert.equal(await files.addRollup([segment]), true)
    assert.deepEqual(await rollupsRead(), rollupsThere())
  })

  test('that is made while the folder is looked at stays', async () => {
    for (let round = 0; round < 20; round++) {
      const looks = [files.list(), files.addRollup([segment]), files.list(), files.list()]
      await Promise.all(looks)
      assert.equal(rollupsThere().length, 1)
      assert.equal(await files.addRollup([segment]), false)
      for (const path of rollupsThere()) rmSync(path)
      await files.list()
    }
  })

  test('goes with its file, and what a kill left goes at the next start', async () => {
    await files.addRollup([segment])
    const [path = ''] = rollupsThere()
    const [ofScans = ''] = files.pathsOf([segment.id])
    writeFileSync(`${ofScans}.tmp`, 'half of it')
    await reopen()
    assert.deepEqual([existsSync(`${ofScans}.tmp`), existsSync(path)], [false, true])
    assert.equal(await files.addRollup([segment]), false)
    await files.remove(segment.id)
    assert.deepEqual(rollupsThere(), [])
  })
})
