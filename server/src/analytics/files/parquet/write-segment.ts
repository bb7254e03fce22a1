import { closeSync, fsyncSync, openSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { BOOLEAN, DuckDBDataChunk, ENUM, FLOAT, TIMESTAMP_MS, UBIGINT, UUID } from '@duckdb/node-api'
import duckdb from '@duckdb/node-bindings'
import { columnName, factsKey, otherColumns, quoted, rowsOfFiles } from './file-sql.ts'
import type { ScanWriter } from './scan-engine.ts'
import { texts, type NumberedTexts, type SegmentBlock } from '../segment-block.ts'

const vectorRows = 2048
const otherTypes = [TIMESTAMP_MS, UBIGINT, UUID, FLOAT, FLOAT, BOOLEAN]
const inOrder = 'organization_id, qr_code_id, time, writer, sequence'
/**
 * Texts of which a group of rows has few, as rows are sorted. For a type that lists its values the
 * engine writes all of them into each group, and the least and the greatest of all: a query would
 * then read every group for a code that one has.
 */
const ofFewRows = ['organizationId', 'qrCodeId', 'shortCode', 'domain', 'rule', 'arm'] as const
const asTexts = ofFewRows.map((name) => `${columnName(name)}::varchar as ${columnName(name)}`).join(', ')
/**
 * The rows of a group: what a query unpacks at least for the scans of a code. Smaller groups save
 * little of that, and a query looks at the metadata of each.
 */
export const rowsPerGroup = 30_720
/** The rows of a block in its table. */
export const rowsOfBlock = `select * replace (
      if(isnan(latitude), null, latitude) as latitude, if(isnan(longitude), null, longitude) as longitude)
    from block`

/** Writes a block as a file with `facts` in its metadata, durably. */
export async function writeBlock(
  writer: ScanWriter,
  block: SegmentBlock,
  { path, facts }: { path: string; facts: string },
): Promise<void> {
  await withBlock(writer, block, () => copyTo(writer, rowsOfBlock, { path, facts }))
}

/**
 * Makes a block a table of the engine, in order, for the time of some work. Texts go to the engine
 * as numbers of a type that lists them: it neither copies nor compares them, and writes their list
 * once. The caller does one thing at a time.
 */
export async function withBlock(
  writer: ScanWriter,
  block: SegmentBlock,
  work: () => Promise<void>,
): Promise<void> {
  const types = [...texts.map((name) => ENUM(listedIn(block.texts[name]))), ...otherTypes]
  const columns = [...texts, ...otherColumns].map(
    (name, at) => `${columnName(name)} ${types[at]?.toString()}`,
  )
  await writer.run(`create or replace temp table block (${columns.join(', ')})`)
  const appender = await writer.connection.createAppender('block')
  const chunk = DuckDBDataChunk.create(types, vectorRows)
  const order = block.order()
  for (let from = 0; from < block.rows; from += vectorRows) {
    const rows = order.subarray(from, Math.min(block.rows, from + vectorRows))
    if (from > 0) chunk.reset()
    chunk.rowCount = rows.length
    for (const [at, bytes] of vectorsOf(block, rows).entries()) {
      const vector = duckdb.data_chunk_get_vector(chunk.chunk, at)
      duckdb.copy_data_to_vector(vector, 0, bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength)
    }
    appender.appendDataChunk(chunk)
    // Clients take an engine for hanging that does not answer for seconds.
    await nextTurn()
  }
  appender.closeSync()
  await putBackZeros(writer, block)
  await work()
  await writer.run('drop table block')
}

/** Returns the values of a column; a type must list at least one. */
function listedIn({ values }: NumberedTexts): string[] {
  const listed = values.size === 0 ? [''] : [...values.keys()]
  const stand = standForZero(listed)
  return stand === undefined ? listed : listed.map((value) => value.replaceAll('\0', stand))
}

/**
 * Returns a text that no value contains, if one of them contains a zero byte: the engine takes
 * statements, and with them the values of a type, as texts that end there.
 */
function standForZero(values: readonly string[]): string | undefined {
  if (!values.some((value) => value.includes('\0'))) return undefined
  let stand = '\u0001'
  while (values.some((value) => value.includes(stand))) stand += '\u0002'
  return stand
}

async function putBackZeros(writer: ScanWriter, block: SegmentBlock): Promise<void> {
  for (const name of texts) {
    const stand = standForZero([...block.texts[name].values.keys()])
    if (stand === undefined) continue
    const column = columnName(name)
    await writer.run(
      `alter table block alter ${column} type varchar using replace(${column}::varchar, ${quoted(stand)}, chr(0))`,
    )
  }
}

/** Returns the bytes of the columns of some rows, as the engine has them in memory. */
function vectorsOf(block: SegmentBlock, rows: Uint32Array): ArrayBufferView[] {
  const visitors = Buffer.alloc(rows.length * 16)
  for (const [at, row] of rows.entries()) {
    // A UUID is a number of 128 bits whose highest bit is inverted.
    block.visitor.copy(visitors, at * 16, row * 16, row * 16 + 16)
    visitors.subarray(at * 16, at * 16 + 16).reverse()
    visitors[at * 16 + 15] = (visitors[at * 16 + 15] ?? 0) ^ 128
  }
  return [
    ...texts.map((name) => {
      const { values, numbers } = block.texts[name]
      if (values.size <= 256) return taken(new Uint8Array(rows.length), numbers, rows)
      return taken(new (values.size <= 65_536 ? Uint16Array : Uint32Array)(rows.length), numbers, rows)
    }),
    bigintsOf(block.timeMs, rows),
    taken(new BigUint64Array(rows.length), block.sequence, rows),
    visitors,
    taken(new Float32Array(rows.length), block.latitude, rows),
    taken(new Float32Array(rows.length), block.longitude, rows),
    taken(new Uint8Array(rows.length), block.isUnique, rows),
  ]
}

/** Fills a column with the values of some rows. Iterators of columns take longer (measured). */
function taken<Column extends NodeJS.TypedArray>(
  column: Column,
  values: NodeJS.TypedArray,
  rows: Uint32Array,
): Column {
  for (let at = 0; at < rows.length; at++) column[at] = values[rows[at] ?? 0] as never
  return column
}

/** Returns the whole numbers of some rows in 64 bits. */
function bigintsOf(values: Float64Array, rows: Uint32Array): Int32Array {
  const halves = new Int32Array(2 * rows.length)
  for (let at = 0; at < rows.length; at++) {
    const value = values[rows[at] ?? 0] ?? 0
    halves[2 * at] = value % 2 ** 32
    halves[2 * at + 1] = Math.floor(value / 2 ** 32)
  }
  return halves
}

/** Adds the rows of a block to a table, each with the id of its file, one call after the other. */
export async function insertBlock(
  writer: ScanWriter,
  block: SegmentBlock,
  { table, file }: { table: string; file: string },
): Promise<void> {
  await withBlock(writer, block, () =>
    writer.run(`insert into ${table} by name select *, ${quoted(file)} as file from (${rowsOfBlock})`),
  )
}

export type MergedRows = {
  /** The paths of files. */
  from: readonly string[]
  where: string
  /** SQL for the scans whose marks are other ones now. */
  marks?: string | undefined
}

/** Returns SQL for rows with the marks that some of them have now. */
function marked(rows: string, marks: string): string {
  return `(select * exclude (marked_by, marked_as, mark) replace (coalesce(mark, is_unique) as is_unique)
    from ${rows}
    left join (select writer as marked_by, sequence as marked_as, is_unique as mark from ${marks})
      on marked_by = writer and marked_as = sequence)`
}

/**
 * Writes the rows of files that a condition holds for into one file, sorted and durably. Texts are
 * sorted as numbers of types that list them, which takes a third of the time and of the memory.
 */
export async function writeMerged(
  writer: ScanWriter,
  { from, where, marks }: MergedRows,
  { path, facts }: { path: string; facts: string },
): Promise<void> {
  const all = rowsOfFiles(from)
  const columns = texts.map(columnName)
  for (const name of columns)
    await writer.run(
      `create or replace temp type list_${name} as enum (select distinct ${name} from ${all} order by 1)`,
    )
  const numbered = columns.map((name) => `${name}::list_${name} as ${name}`).join(', ')
  const scans = marks === undefined ? all : marked(all, marks)
  const rows = `select * replace (${numbered}) from ${scans} where ${where} order by ${inOrder}`
  await copyTo(writer, rows, { path, facts })
}

async function copyTo(
  writer: ScanWriter,
  rows: string,
  { path, facts }: { path: string; facts: string },
): Promise<void> {
  const metadata = `kv_metadata { ${factsKey}: ${quoted(facts)} }`
  await writer.run(
    `copy (select * replace (${asTexts}) from (${rows}))
     to ${quoted(path)} (format parquet, compression zstd, row_group_size ${rowsPerGroup}, ${metadata})`,
  )
  const file = openSync(path, 'r')
  fsyncSync(file)
  closeSync(file)
}
