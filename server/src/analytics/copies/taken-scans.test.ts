import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pick, randomFrom, testSeed } from '@everscan/contract/testing/random.ts'
import { hasVariants } from '@everscan/contract/testing/variants.ts'
import { FatalError } from '../../errors.ts'
import { fileReads, fileScans, type FileScans } from '../files/file-scans.ts'
import { changeManifest, emptyManifest, type ScanSegment } from '../files/manifest.ts'
import { columnName, pathList } from '../files/parquet/file-sql.ts'
import { fileWrites } from '../files/parquet/file-writes.ts'
import { ParquetFiles } from '../files/parquet/parquet-files.ts'
import { ScanEngine } from '../files/parquet/scan-engine.ts'
import { texts } from '../files/segment-block.ts'
import { coverageOf, findOverlap } from '../files/stretches.ts'
import { insertBatch } from '../insert/insert.ts'
import { monthOf } from '../insert/one-month.ts'
import { ScanColumns } from '../insert/scan-columns.ts'
import type { ScanRow } from '../insert/scan-row.ts'
import type { ClickHouse } from '../store/clickhouse.ts'
import { closedOwnerOf, ofOrganizations } from '../store/closed-owner.ts'
import { nobody, ofKnownVisitors, placeOfScan } from '../store/first-scans.ts'
import { migrateScanStore, scanStoreSchema } from '../store/migrations.ts'
import { Integers8, nativeBlock } from '../store/native-columns.ts'
import { blockOf, randomScans } from '../testing/scan-rows.ts'
import { knownColumnsOf, startTestStore } from '../testing/store.ts'
import { copyScans } from './scan-copies.ts'
import { lastSequences } from './scan-fence.ts'
import { TakenScans } from './taken-scans.ts'

const seed = testSeed()
const random = randomFrom(seed)
const context = `SEED=${seed} npm test -- taken-scans`
const never = new AbortController().signal
/** Hits on closed codes: of the second owner, some that could be unique but for it. */
const [closed, otherClosed] = [closedOwnerOf('org_a'), closedOwnerOf('org_c')]
const organizations = ['org_a', 'org_b', closed, otherClosed]
const codes = ['qr_busy', 'qr_quiet', 'qr_x']
/** Two journals, and an import. Their hashes are not in the order of their names. */
const [cut, read, imported] = ['c'.repeat(32), 'a'.repeat(32), 'imp_01jzmd3vq8e6rw']
const writers = [cut, read, imported]
const oddTexts = ["l'A/q", 'say "x"', '🏙 北京', 'a\0b', 'a\0\u0001', '\0', 'line\nbreak', '\t\\n', '']

const root = mkdtempSync(join(tmpdir(), "everscan taken'scans [s]*-"))
const engine = await ScanEngine.open({
  folders: [root],
  spillTo: join(root, 'spill'),
  memory: '64MB',
})
const writes = fileWrites(engine)
after(() => {
  engine.close()
  rmSync(root, { recursive: true })
})

const withColumns = (all: ScanColumns['all']): Buffer => Buffer.concat(nativeBlock(all, 3))
let batches = 0
let folders = 0

/** Creates scans over three months. Of the sequences of each writer, some have no scan. */
function createScans(count: number): ScanRow[] {
  const sequences = new Map<string, number>()
  const [fromMs, toMs] = [Date.UTC(2026, 0, 20), Date.UTC(2026, 2, 10)]
  const visitors = Array.from({ length: count / 8 }, (_, at) =>
    at % 20 === 0
      ? nobody
      : Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16)).join(''),
  )
  return randomScans(random, { organizationId: '', rows: count, fromMs, toMs }).map((row, at): ScanRow => {
    const [organizationId, writer] = [pick(random, organizations), pick(random, writers)]
    const sequence = (sequences.get(writer) ?? 0) + (random() < 0.01 ? 2 : 1)
    sequences.set(writer, sequence)
    const odd = () => (random() < 0.2 ? pick(random, oddTexts) : 'Berlin')
    const early = fromMs + Math.floor(random() * 3)
    return {
      ...row,
      organizationId,
      ...(organizationId === closed && { class: 'bot' as const }),
      qrCodeId: pick(random, codes),
      writer,
      sequence,
      // In the order of the journal, as far as scans of many visitors have few times.
      timeMs: random() < 0.5 ? early : Math.floor(fromMs + ((toMs - fromMs) * at) / count),
      visitor: pick(random, visitors),
      city: odd(),
      region: odd(),
      arm: odd(),
      latitude: pick(random, [null, 52.5, 0, -0, 13.4, Number.NaN]),
      longitude: pick(random, [null, -13.4, 179.9, Number.NaN]),
    }
  })
}

async function insert(store: ClickHouse, rows: readonly ScanRow[]): Promise<void> {
  for (const [, ofMonth] of Map.groupBy(rows, ({ timeMs }) => monthOf(timeMs)))
    await insertBatch(store, blockOf(`bat_${String(batches++).padStart(8, '0')}`, ofMonth))
}

async function piecesOf(store: ClickHouse): Promise<Buffer[]> {
  const fence = await lastSequences(store)
  const copied = await Array.fromAsync(copyScans(store, fence, { pieceBytesMax: 50_000 }))
  return copied.map(({ native }) => native)
}

async function openTaking(fileRowsMax = 700) {
  const folder = join(root, String(folders++))
  const pieces = join(root, `pieces-${folders}`)
  const parquet = await ParquetFiles.open({ folder, engine: writes })
  let ids = 0
  const newId = () => `f${ids++}`
  return {
    folder,
    pieces,
    parquet,
    taken: await TakenScans.open({ parquet, engine: writes, folder: pieces, newId, fileRowsMax }),
  }
}

async function take(pieces: readonly Buffer[], checkpoints = new Map<string, number>()) {
  const taking = await openTaking()
  for (const piece of pieces) await taking.taken.add(piece)
  const segments = await taking.taken.finish({ checkpoints, signal: never })
  await taking.taken.close()
  return { ...taking, segments, paths: taking.parquet.pathsOf(segments.map(({ id }) => id)) }
}

/** Returns every column of scans in files, in the order of writers and sequences. */
async function rowsIn(paths: readonly string[]): Promise<unknown[][]> {
  const names = texts.map((name) => `${columnName(name)}::varchar`)
  return await engine.files.rows(
    `select ${names.join(', ')}, epoch_ms(time)::double, sequence::double, replace(visitor::varchar, '-', ''),
       latitude + 0, longitude + 0, is_unique
     from read_parquet(${pathList(paths)})
     order by writer, sequence`,
  )
}

/** Files have -0 as 0 where they have both. */
const degrees = (value: number | null): number | null =>
  value === null || Number.isNaN(value) ? null : Math.fround(value + 0)

/** Returns what they must be, with the first scans as the store has them. */
async function expectedRows(store: ClickHouse, rows: readonly ScanRow[]): Promise<unknown[][]> {
  const firsts = await store.select<{ key: string }>(
    `select concat(writer, ' ', toString(sequence)) as key
     from scans
     where class = 'human' and ${ofKnownVisitors} and ${ofOrganizations}
       and (organization_id, qr_code_id, visitor, ${placeOfScan}) in (
         select organization_id, qr_code_id, visitor, min(place)
         from first_scans group by organization_id, qr_code_id, visitor)`,
  )
  const unique = new Set(firsts.map(({ key }) => key))
  return rows
    .toSorted((a, b) =>
      a.writer < b.writer ? -1 : a.writer > b.writer ? 1 : Number(a.sequence) - Number(b.sequence),
    )
    .map((row) => [
      ...texts.map((name) => row[name]),
      row.timeMs,
      Number(row.sequence),
      row.visitor,
      degrees(row.latitude),
      degrees(row.longitude),
      unique.has(`${row.writer} ${row.sequence}`),
    ])
}

describe('scans of a copy become files', () => {
  let server: Awaited<ReturnType<typeof startTestStore>>
  let rows: ScanRow[] = []
  let pieces: Buffer[] = []
  let expected: unknown[][] = []
  before(async () => {
    server = await startTestStore()
    rows = createScans(3_000)
    for (let from = 0; from < rows.length; from += 1_600)
      await insert(server.store, rows.slice(from, from + 1_600))
    pieces = await piecesOf(server.store)
    expected = await expectedRows(server.store, rows)
  })
  after(() => server.remove())

  test('with every column, the first scans of the store, and few stretches', async () => {
    const { segments, paths, folder, pieces: temporary } = await take(pieces)
    assert.ok(pieces.length > 5)
    assertSame(await rowsIn(paths), expected)
    const uniques = expected.filter((row) => row.at(-1) === true)
    assert.ok(uniques.length > 100 && uniques.length < rows.length / 4)

    const stretches = segments.flatMap((segment) => segment.stretches)
    assert.equal(findOverlap(stretches), undefined, context)
    const has = coverageOf(stretches)
    for (const { timeMs, writer, sequence } of rows)
      assert.ok(has({ month: monthOf(timeMs), writer, sequence: Number(sequence) }), context)
    // A stretch for each writer and month, and one more where a file ends within one.
    const files = Math.ceil(rows.length / 700) + 3
    assert.ok(segments.length <= files && stretches.length <= 3 * writers.length + segments.length)
    assert.ok(segments.every((segment) => segment.rows <= 700 && segment.level === 1))
    changeManifest(emptyManifest, { from: '', to: '1', added: segments, removed: [] })

    assert.equal(existsSync(temporary), false)
    const found = await (await ParquetFiles.open({ folder, engine: writes })).list()
    const seen = { hasPurged: false, isGood: true }
    assert.deepEqual(byId(found), byId(segments.map((segment) => ({ ...segment, ...seen }))))
  })

  test('and every figure, list and export is as before', async () => {
    const { segments, paths } = await take(pieces)
    const files = segments.map(({ fromMs, toMs }, at) => ({ path: paths[at] ?? '', fromMs, toMs }))
    const inFiles = fileScans(fileReads({ engine, readListed: async () => ({ files, recent: undefined }) }))
    const same = async (ask: (store: FileScans) => Promise<unknown>) =>
      assert.deepEqual(await ask(inFiles), await ask(server.scanStore), context)
    const [startMs, endMs] = [Date.UTC(2026, 0), Date.UTC(2026, 3)]
    for (const organizationId of organizations.slice(0, 2)) {
      const scope = { organizationId, filters: {}, startMs, endMs, timezone: 'Europe/Berlin' }
      await same((store) => store.organizationAnalytics({ ...scope, interval: 'month', topQrCodes: [] }))
      for (const qrCodeId of codes) {
        const ofCode = { ...scope, qrCodeId }
        await same((store) => store.qrCodeAnalytics({ ...ofCode, interval: 'day', byDestination: true }))
        // Scans of one moment are in an order of each store.
        await same(async (store) => {
          const list = await store.listScans({ ...ofCode, page: 1, limit: 5_000, includeBots: true })
          return [list.total, list.scans.map((scan) => JSON.stringify(scan)).toSorted()]
        })
        await same(async (store) => {
          const text = Buffer.concat(await Array.fromAsync(store.exportScans(ofCode))).toString()
          return text.split('\r\n').toSorted()
        })
      }
    }
  })

  test('each once, also if a piece comes twice', async () => {
    const { taken, parquet } = await openTaking()
    const again = pieces.slice(0, 3)
    let added = 0
    for (const piece of [...again, ...pieces, ...again.toReversed()]) added += await taken.add(piece)
    assert.ok(added > rows.length)
    assert.deepEqual(taken.progress, { scans: rows.length, written: 0 })
    const segments = await taken.finish({ checkpoints: new Map(), signal: never })
    assert.deepEqual(taken.progress, { scans: rows.length, written: rows.length })
    assertSame(await rowsIn(parquet.pathsOf(segments.map(({ id }) => id))), expected)
    await taken.close()
  })

  test('and what a journal still has behind its checkpoint does not count as stored', async () => {
    const ends = await lastSequences(server.store)
    const checkpoint = Math.floor((ends.get(cut) ?? 0) / 2)
    const { segments, paths } = await take(
      pieces,
      new Map([
        [cut, checkpoint],
        [read, ends.get(read) ?? 0],
      ]),
    )
    assertSame(await rowsIn(paths), expected)
    const stretches = segments.flatMap((segment) => segment.stretches)
    assert.equal(findOverlap(stretches), undefined)
    const has = coverageOf(stretches)
    const stored = new Set(rows.map(({ writer, sequence }) => `${writer} ${sequence}`))
    const months = [...new Set(rows.map(({ timeMs }) => monthOf(timeMs)))]
    let gaps = 0
    for (const writer of writers)
      for (let sequence = 1; sequence <= (ends.get(writer) ?? 0); sequence++) {
        if (stored.has(`${writer} ${sequence}`)) continue
        gaps++
        const isBehind = writer === cut && sequence > checkpoint
        const isCovered = months.some((month) => has({ month, writer, sequence }))
        if (isBehind) assert.equal(isCovered, false, `${writer} ${sequence}, ${context}`)
      }
    assert.ok(gaps > 10)
  })

  test('until the signal aborts: then no file is left, and no table of the engine', async () => {
    for (const filesMax of [0, 2]) {
      const { taken, parquet, pieces: temporary } = await openTaking()
      for (const piece of pieces) await taken.add(piece)
      const ends = new AbortController()
      let files = 0
      const write = parquet.writeFrom.bind(parquet)
      parquet.writeFrom = async (...args) => {
        if (++files === filesMax) ends.abort()
        return await write(...args)
      }
      if (filesMax === 0) ends.abort()
      await assert.rejects(taken.finish({ checkpoints: new Map(), signal: ends.signal }), {
        name: 'AbortError',
      })
      await taken.close()
      assert.deepEqual([(await parquet.list()).length, existsSync(temporary)], [0, false])
    }
    assert.deepEqual(
      await engine.files.rows(`select table_name from duckdb_tables() where not temporary`),
      [],
    )
  })

  test('and what is no piece of this release adds nothing', async () => {
    const { taken, pieces: temporary } = await openTaking()
    const [piece = Buffer.alloc(0)] = pieces
    const columns = new ScanColumns()
    for (const row of rows.slice(0, 3)) columns.add({ ...row, class: 'human' }, 'bat_1')
    const later = new Integers8('mood', 'UInt8')
    for (let row = 0; row < 3; row++) later.add(1)
    await assert.rejects(
      taken.add(withColumns([...columns.all, later])),
      (error) => error instanceof FatalError && error.message.includes('mood'),
    )
    const ofRobots = withColumns(columns.all).toString('latin1').replace("'human' = 1", "'robot' = 1")
    await assert.rejects(
      taken.add(Buffer.from(ofRobots, 'latin1')),
      (error) => error instanceof FatalError && error.message.includes('robot'),
    )
    await assert.rejects(
      taken.add(withColumns(columns.all.filter(({ name }) => name !== 'visitor'))),
      /visitor/,
    )
    for (const bytes of [piece.subarray(0, -1), piece.subarray(1), Buffer.from('no rows at all')])
      await assert.rejects(taken.add(bytes), Error)
    assert.equal(await taken.add(Buffer.alloc(0)), 0)
    assert.deepEqual(taken.progress, { scans: 0, written: 0 })
    assert.deepEqual(await taken.finish({ checkpoints: new Map(), signal: never }), [])
    assert.deepEqual(readdirSync(temporary), [])
    await taken.close()
  })
})

test('scans of a copy of each earlier release become files', async () => {
  // Those before and after short codes and answers.
  const schemas = hasVariants ? Array.from({ length: scanStoreSchema - 1 }, (_, at) => at + 1) : [3, 4]
  for (const schema of schemas) {
    const { store, remove } = await startTestStore({ schema: 'none' })
    after(remove)
    await migrateScanStore(store, schema)
    const isOld = schema < 4
    const rows = createScans(200).map((row) => ({
      ...row,
      // First scans of that time have some of nobody.
      visitor: row.visitor === nobody ? 'a'.repeat(32) : row.visitor,
      ...(isOld && { shortCode: '', domain: '', rule: '', arm: '' }),
    }))
    await insert(await knownColumnsOf(store), rows)
    const { paths } = await take(await piecesOf(store))
    assertSame(await rowsIn(paths), await expectedRows(store, rows))
  }
})

/** Compares row by row: a comparison of all takes minutes to describe. */
function assertSame(rows: readonly unknown[][], expected: readonly unknown[][]): void {
  assert.equal(rows.length, expected.length, context)
  for (const [at, row] of rows.entries()) assert.deepEqual(row, expected[at], context)
}

function byId<Named extends Pick<ScanSegment, 'id'>>(segments: readonly Named[]): Named[] {
  return segments.toSorted((one, other) => (one.id < other.id ? -1 : 1))
}
