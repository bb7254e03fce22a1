import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { FatalError } from '../../errors.ts'
import { CopiedDays } from './copied-days.ts'
import { figuresOfCodes, type CodeFigures, type CodeFiguresOptions } from './code-figures.ts'
import { insertBatch } from '../insert/insert.ts'
import { integers64, readBlocks } from './native-blocks.ts'
import { deleteScansBefore, findFirstScans } from '../figures/old-scans.ts'
import { copyScans, estimateScans, insertCopiedScans, type CopiedScans } from './scan-copies.ts'
import type { Fence } from './scan-fence.ts'
import { blockOf, randomScans } from '../testing/scan-rows.ts'
import { storeCalls } from '../testing/store-calls.ts'
import { pick, randomFrom, testSeed } from '@everscan/contract/testing/random.ts'
import type { ScanRow } from '../insert/scan-row.ts'
import { startTestStore } from '../testing/store.ts'
import type { ClickHouse } from '../store/clickhouse.ts'

const seed = testSeed()
const random = randomFrom(seed)
const { store, remove } = await startTestStore()
after(remove)

const [ended, cut, live, unknown] = ['a', 'b', 'c', 'd'].map((digit) => digit.repeat(32)) as [
  string,
  string,
  string,
  string,
]
const sequences = new Map<string, number>()
let batches = 0

/** Creates scans of two organizations over three months. The sequences of each writer increase. */
function scansOf(writers: readonly string[], count: number): ScanRow[] {
  const rows = ['org_a', 'org_b'].flatMap((organizationId) =>
    randomScans(random, {
      organizationId,
      rows: Math.ceil(count / 2),
      fromMs: Date.UTC(2026, 0, 20),
      toMs: Date.UTC(2026, 2, 10),
    }),
  )
  return rows.map((row) => {
    const writer = pick(random, writers)
    const sequence = (sequences.get(writer) ?? 0) + 1
    sequences.set(writer, sequence)
    // One code has the most scans, and some texts are long, so that pieces differ in size.
    const qrCodeId = random() < 0.5 ? row.qrCodeId : `qr_${Math.floor(random() * 20)}`
    const arm = random() < 0.1 ? 'arm '.repeat(60) : ''
    return { ...row, writer, sequence, qrCodeId, arm }
  })
}

async function insert(rows: readonly ScanRow[]): Promise<void> {
  for (const [, ofMonth] of Map.groupBy(rows, ({ timeMs }) => new Date(timeMs).getUTCMonth()))
    await insertBatch(store, blockOf(`bat_${String(batches++).padStart(8, '0')}`, ofMonth))
}

async function empty(): Promise<void> {
  await store.command('truncate table scans')
  await store.command('truncate table first_scans')
}

async function restore(pieces: readonly Pick<CopiedScans, 'native'>[]): Promise<void> {
  await empty()
  for (const piece of pieces) await insertCopiedScans(store, piece)
}

const textOf = (chunks: readonly Buffer[]) => Buffer.concat(chunks).toString()
const allScans = async (where = 'true') =>
  textOf(
    await store.bytes(
      `select * except (country_city, place, code_hash, device), country_city, place, code_hash, device from scans
       where ${where} order by writer, sequence format TabSeparated`,
    ),
  )
const firstScans = async () =>
  textOf(
    await store.bytes(`select organization_id, qr_code_id, visitor, place, time from first_scans final
      order by all format TabSeparated`),
  )

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}

const isIn = (fence: Fence | undefined, { writer, sequence }: ScanRow) =>
  fence === undefined || Number(sequence) <= (fence.get(writer) ?? -1)

function referenceFigures(rows: readonly ScanRow[]): CodeFigures[] {
  const codes = Map.groupBy(rows, ({ organizationId, qrCodeId }) => `${organizationId} ${qrCodeId}`)
  return [...codes.keys()].toSorted().map((code) => {
    const [organizationId = '', qrCodeId = ''] = code.split(' ')
    const ofCode = codes.get(code) ?? []
    const hitsOf = (name: ScanRow['class']) => ofCode.filter((row) => row.class === name)
    const humans = hitsOf('human')
    return {
      organizationId,
      qrCodeId,
      hits: {
        human: humans.length,
        bot: hitsOf('bot').length,
        preview: hitsOf('preview').length,
        prefetch: hitsOf('prefetch').length,
      },
      uniqueScans: new Set(humans.map(({ visitor }) => visitor)).size,
    }
  })
}

const figures = async (options: CodeFiguresOptions = {}) =>
  (await collect(figuresOfCodes(store, options))).flat()

describe('scans for copies', () => {
  let rows: ScanRow[] = []
  let fence: Fence = new Map()
  let isChanged = true

  beforeEach(async () => {
    if (!isChanged) return
    isChanged = false
    await empty()
    sequences.clear()
    rows = [...scansOf([ended], 600), ...scansOf([cut, live], 1200), ...scansOf([unknown], 100)]
    await insert(rows.slice(0, 700))
    await insert(rows.slice(700))
    fence = new Map([
      [ended, sequences.get(ended) ?? 0],
      [cut, Math.floor((sequences.get(cut) ?? 0) / 2)],
      [live, sequences.get(live) ?? 0],
      // A writer that recorded nothing, and a writer whose scans the store does not have yet.
      ['e'.repeat(32), 0],
      ['f'.repeat(32), 1_000_000],
    ])
  })

  for (const scansPerStretch of [150, 1000, 1_000_000])
    test(`figures of every code are exact, in order, in stretches of ${scansPerStretch}`, async () => {
      assert.deepEqual(await figures({ scansPerStretch }), referenceFigures(rows))
      assert.deepEqual(
        await figures({ scansPerStretch, fence }),
        referenceFigures(rows.filter((row) => isIn(fence, row))),
      )
      assert.deepEqual(daysOf(await collect(copyScans(store, fence))), new Set(referenceDays(rows, fence)))
    })

  test('a code with very many scans is counted in parts', async () => {
    let parts = 0
    const watched: ClickHouse = {
      ...storeCalls(store),
      select: (sql, params, options) => {
        if (sql.includes('cityHash64(visitor) % ')) parts++
        return store.select(sql, params, options)
      },
    }
    await collect(figuresOfCodes(watched, { scansPerStretch: 100 }))
    assert.ok(parts >= 4, `${parts} parts`)
  })

  test('every query waits for everybody else, and takes one processor', async () => {
    const calls: (Record<string, unknown> | undefined)[] = []
    const note = (options?: { settings?: object }) =>
      void calls.push(options?.settings as Record<string, unknown> | undefined)
    const watched: ClickHouse = {
      ...storeCalls(store),
      select: (sql, params, options) => {
        // The retention also uses the query for stretches, which has its own settings.
        if (/from scans|first_scans/.test(sql) && !sql.includes('stretchesOfCodes')) note(options)
        return store.select(sql, params, options)
      },
      bytes: (sql, params, options) => {
        note(options)
        return store.bytes(sql, params, options)
      },
    }
    await collect(copyScans(watched, fence))
    await collect(figuresOfCodes(watched, { fence }))
    await collect(figuresOfCodes(watched))
    assert.ok(calls.length > 10)
    for (const settings of calls) assert.partialDeepStrictEqual(settings, { priority: '3', max_threads: 1 })
  })

  test('writers by the thousand make no longer statements than those that go on', async () => {
    const many = new Map(
      Array.from({ length: 20_000 }, (_, index) => [index.toString(16).padStart(32, '0'), 5]),
    )
    for (const [writer, sequence] of fence) many.set(writer, sequence)
    let longest = 0
    const watched: ClickHouse = {
      ...storeCalls(store),
      select: (sql, params, options) => {
        longest = Math.max(longest, sql.length + JSON.stringify(params ?? {}).length)
        return store.select(sql, params, options)
      },
    }
    const expected = referenceFigures(rows.filter((row) => isIn(fence, row)))
    assert.deepEqual((await collect(figuresOfCodes(watched, { fence: many }))).flat(), expected)
    assert.ok(longest < 3000, `${longest} characters`)
  })

  for (const pieceBytesMax of [20_000, 8_000_000])
    test(`what lies within the fence is copied once and restored as it was, in pieces of ${pieceBytesMax} bytes`, async () => {
      const within = `writer = '${ended}' or writer = '${live}' or writer = '${cut}' and sequence <= ${fence.get(cut)}`
      const before = await allScans(within)
      const pieces = await collect(copyScans(store, fence, { pieceBytesMax }))
      const count = rows.filter((row) => isIn(fence, row)).length
      assert.equal(
        pieces.reduce((sum, piece) => sum + piece.rows, 0),
        count,
      )
      assert.ok(pieces.length > (pieceBytesMax < 100_000 ? 10 : 2), `${pieces.length} pieces`)
      for (const { native } of pieces) {
        assert.ok(native.length <= pieceBytesMax, `${native.length} bytes`)
        assert.equal(monthsOfPiece(native).size, 1)
      }
      isChanged = true
      await restore(pieces)
      assert.equal(await allScans(), before)
      const kept = rows.filter((row) => isIn(fence, row))
      assert.deepEqual(await figures(), referenceFigures(kept))
    })

  test('scans that come in while others are copied and counted are left out, also those of new writers', async () => {
    isChanged = true
    const whole = new Map([...fence].filter(([writer]) => writer !== cut))
    const kept = rows.filter((row) => isIn(whole, row))
    const before = await allScans(`writer in ('${ended}', '${live}')`)
    let writers = 0
    // Each insert brings the scans of one more new front.
    const comeIn = () => insert(scansOf([live, String(++writers).padStart(32, '0')], 60))
    // By then, the pieces have shrunk to their final size.
    const pieces = await collect(copyScans(goingOn(store, 20, comeIn), whole, { pieceBytesMax: 30_000 }))
    assert.ok(writers >= 4, `${writers} writers`)
    assert.deepEqual(
      (
        await collect(figuresOfCodes(goingOn(store, 0, comeIn), { fence: whole, scansPerStretch: 300 }))
      ).flat(),
      referenceFigures(kept),
    )
    assert.deepEqual(daysOf(pieces), new Set(referenceDays(rows, whole)))
    assert.ok(writers >= 6, `${writers} writers`)
    await restore(pieces)
    assert.equal(await allScans(), before)
  })

  test('unique scans are those that first scans have, unless a fence cuts them', async () => {
    isChanged = true
    await store.command(`delete from first_scans where qr_code_id = 'qr_busy'`)
    const withFence = await figures({ fence: sequences })
    assert.deepEqual(
      busy(await figures()).map(({ uniqueScans }) => uniqueScans),
      [0, 0],
    )
    assert.ok(busy(withFence).every(({ uniqueScans }) => uniqueScans > 0))
  })

  test('first scans of a restored store are those of one whose retention has deleted scans', async () => {
    isChanged = true
    const { signal } = new AbortController()
    await deleteScansBefore(store, Date.UTC(2026, 1, 14), signal)
    await findFirstScans(store, signal)
    const before = { scans: await allScans(), firstScans: await firstScans(), figures: await figures() }
    await restore(await collect(copyScans(store, sequences)))
    assert.equal(await allScans(), before.scans)
    assert.equal(await firstScans(), before.firstScans)
    assert.deepEqual(await figures(), before.figures)
  })

  test('columns that a copy lacks get their defaults, those that are not known are refused', async () => {
    const some = 'organization_id, qr_code_id, time, writer, sequence, visitor, class, batch_id'
    const older = Buffer.concat(
      await store.bytes(`select ${some} from scans where short_code != '' format Native`),
    )
    const later = Buffer.concat(
      await store.bytes(`select ${some}, 'x' as colour, 'y' as campaign from scans limit 5 format Native`),
    )
    isChanged = true
    await empty()
    assert.equal(await insertCopiedScans(store, { native: older }), await countOf())
    assert.ok((await countOf()) > 0)
    assert.equal(await countOf(`short_code != '' or city != '' or latitude is not null`), 0)
    const count = await countOf()
    await assert.rejects(
      insertCopiedScans(store, { native: later }),
      (error) => error instanceof FatalError && /colour, campaign.*later release/.test(error.message),
    )
    assert.equal(await countOf(), count)
  })

  test('a piece that is cut off or is something else is refused, and nothing of it is inserted', async () => {
    const native = Buffer.concat(
      await store.bytes(
        `select * except (country_city, place, code_hash, device) from scans limit 20 format Native`,
      ),
    )
    isChanged = true
    await empty()
    for (let length = 1; length < native.length; length += 97)
      await assert.rejects(
        insertCopiedScans(store, { native: native.subarray(0, length) }),
        `${length} bytes`,
      )
    for (const value of ['[1]', 'toLowCardinality(toUInt8(1))', 'toInt128(1)']) {
      const strange = Buffer.concat(await store.bytes(`select ${value} as rule format Native`))
      await assert.rejects(insertCopiedScans(store, { native: strange }), /not known/)
    }
    await assert.rejects(insertCopiedScans(store, { native: Buffer.alloc(100, 255) }), /too long/)
    assert.equal(await insertCopiedScans(store, { native: Buffer.alloc(0) }), 0)
    assert.equal(await countOf(), 0)
  })

  test('an estimate is of the size of the copy, and nothing for an empty store', async () => {
    const pieces = await collect(copyScans(store, sequences))
    const bytes = pieces.reduce((sum, { native }) => sum + native.length, 0)
    const estimate = await estimateScans(store)
    assert.equal(estimate.rows, rows.length)
    assert.ok(estimate.bytes > bytes / 3 && estimate.bytes < bytes * 3, `${estimate.bytes} for ${bytes}`)
    assert.ok(estimate.storedBytes > 0 && estimate.storedBytes < estimate.bytes)
    isChanged = true
    await empty()
    assert.deepEqual(await estimateScans(store), { rows: 0, bytes: 0, storedBytes: 0 })
    assert.deepEqual(await collect(copyScans(store, sequences)), [])
    assert.deepEqual(await figures(), [])
    assert.deepEqual(await figures({ fence: sequences }), [])
  })
})

async function countOf(where = 'true'): Promise<number> {
  const [row] = await store.select<{ count: number }>(`select count() as count from scans where ${where}`)
  return row?.count ?? 0
}

function monthsOfPiece(native: Buffer): Set<number> {
  const months = new Set<number>()
  for (const { rows, columns } of readBlocks(native)) {
    const time = columns.find(({ name }) => name === 'time')
    assert.ok(time)
    const timeOf = integers64(native, { ...time, type: 'UInt64' })
    for (let row = 0; row < rows; row++) months.add(new Date(timeOf(row)).getUTCMonth())
  }
  return months
}

const busy = (all: readonly CodeFigures[]) => all.filter(({ qrCodeId }) => qrCodeId === 'qr_busy')

function daysOf(pieces: readonly CopiedScans[]) {
  const days = new CopiedDays()
  for (const { native } of pieces) days.add(native)
  return new Set(days.rows())
}

function referenceDays(rows: readonly ScanRow[], fence: Fence) {
  const days = Map.groupBy(
    rows.filter((row) => isIn(fence, row)),
    ({ writer, timeMs }) => `${writer} ${Math.floor(timeMs / 86_400_000)}`,
  )
  return [...days].map(([key, { length: hits }]) => {
    const [writer = '', day] = key.split(' ')
    return { writer, day: Number(day), hits }
  })
}

/**
 * Wraps a store so that scans arrive before four of its queries of scans, after the first `behind`
 * queries. By then, `Within.find` has already looked for writers beyond the fence.
 */
function goingOn(whole: ClickHouse, behind: number, comeIn: () => Promise<void>): ClickHouse {
  let queries = 0
  const first = async (sql: string): Promise<void> => {
    if (!/copyScans|figuresOfCodes/.test(sql)) return
    queries++
    if (queries > behind && queries <= behind + 4) await comeIn()
  }
  return {
    ...storeCalls(whole),
    select: async (sql, params, options) => {
      await first(sql)
      return whole.select(sql, params, options)
    },
    bytes: async (sql, params, options) => {
      await first(sql)
      return whole.bytes(sql, params, options)
    },
  }
}
