import { randomUUID } from 'node:crypto'
import { closedOwnerOf } from '../../store/closed-owner.ts'
import { nobody } from '../../store/first-scans.ts'
import type { ScanSegment } from '../manifest.ts'
import type { MarkMoves, MarkSearch } from '../mark-moves.ts'
import type { SegmentBlock } from '../segment-block.ts'
import type { MovedVisit } from '../visits/visit-index.ts'
import { pathList, quoted, scanTable } from './file-sql.ts'
import type { FileWrites } from './file-writes.ts'

export type MarkTableOptions = {
  engine: FileWrites
  /** Returns the path of a file of Parquet, or undefined for a record. */
  pathOf: (id: string) => string | undefined
  readRecord: (id: string) => Promise<SegmentBlock>
  /** As many visitors of codes are looked for at once, and the marks of 4 times as many counted. */
  visitorsAtOnce?: number
}

const visitor = 'organization_id, qr_code_id, visitor'
/** The scans that can be unique: see `BlockVisits`. */
export const canBeUnique = `class = 'human' and visitor != ${quoted(nobody)}::uuid
  and not ends_with(organization_id, ${quoted(closedOwnerOf(''))})`
/** As many rows are given to the index of first visits at once. */
const rowsAtOnce = 20_000
/** With 64 MB, the engine has memory for them. */
const visitorsAtOnceDefault = 250_000
const countedPerVisitor = 4
/** The number of a visitor of a code, which takes less memory than its name. */
const hashed = `hash(${visitor})`
const tableColumns = `organization_id varchar, qr_code_id varchar, visitor uuid, writer varchar,
  sequence ubigint, file varchar, is_unique boolean, was_unique boolean`

/**
 * The moves of marks as a table of the engine, which may write what does not fit into memory to its
 * folder. Other work of the engine goes on between its queries.
 */
export class MarkTable implements MarkMoves {
  // A worker that was killed may have left tables in the engine.
  readonly name = `marks_${randomUUID().replaceAll('-', '')}`
  readonly #options: MarkTableOptions
  #ids: ReadonlySet<string> = new Set()

  private constructor(options: MarkTableOptions) {
    this.#options = options
  }

  /** Finds the moves. Throws errors of the engine and of files that cannot be read. */
  static async find(
    options: MarkTableOptions,
    { segments, deletedBeforeMs }: MarkSearch,
  ): Promise<MarkTable> {
    const table = new MarkTable(options)
    try {
      await options.engine.change(`create table ${table.name} (${tableColumns})`)
      if (deletedBeforeMs === undefined) await table.#findWrong(segments)
      else await table.#findDeleted(segments, deletedBeforeMs)
      await table.#readIds()
      return table
    } catch (error) {
      await table.close()
      throw error
    }
  }

  get ids(): ReadonlySet<string> {
    return this.#ids
  }

  async addFrom(segments: readonly ScanSegment[]): Promise<void> {
    if (segments.length === 0) return
    const { engine } = this.#options
    const found = `${this.name}_found`
    const wanted = `select ${visitor} from ${this.name} where writer is null`
    try {
      await this.#withScans(segments, (scans) =>
        engine.change(`create or replace table ${found} as ${firstsOf(wanted, scans)}`),
      )
      await engine.change(`delete from ${this.name} where writer is null`)
      await this.#insert(`select * from ${found}`)
    } finally {
      await engine.change(`drop table if exists ${found}`)
    }
    await this.#readIds()
  }

  async *visits(): AsyncGenerator<MovedVisit[]> {
    const { rows: read } = this.#options.engine
    const [[last] = []] = await read(`select coalesce(max(rowid), -1) from ${this.name}`)
    for (let from = 0; from <= Number(last); from += rowsAtOnce) {
      const rows = await read(
        `select organization_id, qr_code_id, replace(visitor::varchar, '-', ''), writer, sequence
         from ${this.name}
         where is_unique and rowid >= ${from} and rowid < ${from + rowsAtOnce}`,
      )
      yield rows.map(([organizationId, qrCodeId, id, writer, sequence]) => {
        const of = {
          organizationId: String(organizationId),
          qrCodeId: String(qrCodeId),
          visitor: String(id),
        }
        return writer === null ? of : { ...of, writer: String(writer), sequence: BigInt(String(sequence)) }
      })
    }
  }

  async close(): Promise<void> {
    await this.#options.engine.change(`drop table if exists ${this.name}`)
  }

  /** Visitors whose unique scans are before a time get others, or have none any more. */
  async #findDeleted(segments: readonly ScanSegment[], beforeMs: number): Promise<void> {
    const { visitorsAtOnce = visitorsAtOnceDefault } = this.#options
    const time = `make_timestamp_ms(${beforeMs})`
    const old = segments.filter(({ fromMs }) => fromMs < beforeMs)
    await this.#withScans(segments, async (scans) => {
      for (const piece of piecesOf(rowsOf(old), visitorsAtOnce)) {
        const wanted = `select distinct ${visitor} from ${scans}
          where is_unique and time < ${time} and ${piece}`
        await this.#insert(firstsOf(wanted, `(select * from ${scans} where time >= ${time} and ${piece})`))
      }
    })
  }

  /** Visitors that have no unique scan get one, and those that have several keep one. */
  async #findWrong(segments: readonly ScanSegment[]): Promise<void> {
    const { engine, visitorsAtOnce = visitorsAtOnceDefault } = this.#options
    const wrong = `${this.name}_wrong`
    try {
      await engine.change(`create table ${wrong} (hashed ubigint)`)
      await this.#withScans(segments, async (scans) => {
        for (const piece of piecesOf(rowsOf(segments), countedPerVisitor * visitorsAtOnce))
          await engine.change(
            `insert into ${wrong} select ${hashed} from ${scans} where ${canBeUnique} and ${piece}
             group by all having count(*) filter (where is_unique) <> 1`,
          )
        // A visitor whose hash is that of another one is looked at, and stays as it is.
        const [[count] = []] = await engine.rows(`select count(*) from ${wrong}`)
        for (const piece of piecesOf(Number(count), visitorsAtOnce)) {
          const found = `select distinct ${visitor} from ${scans} where ${canBeUnique} and ${piece}
            and ${hashed} in (select hashed from ${wrong})`
          await this.#insert(firstsOf(found, `(select * from ${scans} where ${piece})`))
        }
        await this.#insert(
          `select ${visitor}, writer, sequence, file, false as is_unique, true as was_unique
           from ${scans}
           semi join ${this.name} using (${visitor})
           anti join ${this.name} using (${visitor}, writer, sequence)
           where is_unique`,
        )
      })
    } finally {
      await engine.change(`drop table if exists ${wrong}`)
    }
  }

  async #insert(rows: string): Promise<void> {
    await this.#options.engine.change(`insert into ${this.name} by name ${rows}`)
  }

  async #readIds(): Promise<void> {
    const { engine } = this.#options
    const rows = await engine.rows(
      `select distinct file from ${this.name} where writer is not null and is_unique <> was_unique`,
    )
    this.#ids = new Set(rows.map(([file]) => String(file)))
  }

  /** Calls `work` with SQL for the scans of files, in parentheses, each with the id of its file. */
  async #withScans(segments: readonly ScanSegment[], work: (scans: string) => Promise<void>): Promise<void> {
    const { engine, pathOf, readRecord } = this.#options
    const recorded = `${this.name}_records`
    const paths: string[] = []
    try {
      await engine.change(scanTable(recorded))
      for (const { id } of segments) {
        const path = pathOf(id)
        if (path !== undefined) paths.push(path)
        else await engine.insertBlock(await readRecord(id), { table: recorded, file: id })
      }
      await work(`(${[`select ${columns}, file from ${recorded}`, ...selectOf(paths)].join(' union all ')})`)
    } finally {
      await engine.change(`drop table if exists ${recorded}`)
    }
  }
}

const columns = `organization_id, qr_code_id, visitor, writer, sequence, time, class, is_unique`

function rowsOf(segments: readonly ScanSegment[]): number {
  return segments.reduce((sum, { rows }) => sum + rows, 0)
}

/** Returns conditions that part visitors, so that at most about `most` are looked for at once. */
function piecesOf(all: number, most: number): string[] {
  const count = Math.max(1, Math.ceil(all / most))
  return Array.from({ length: count }, (_, piece) => `${hashed} % ${count} = ${piece}`)
}

/** The name of a file begins with its id, which has no hyphen. */
function selectOf(paths: readonly string[]): string[] {
  if (paths.length === 0) return []
  return [
    `select ${columns}, split_part(parse_filename(path), '-', 1)
     from read_parquet(${pathList(paths)}, union_by_name = true, filename = 'path')`,
  ]
}

/**
 * Returns SQL for the first scan of each wanted visitor of a code among some scans, with nulls if
 * there is none. A scan that has the mark keeps it.
 */
function firstsOf(wanted: string, scans: string): string {
  return `
    with wanted as (${wanted}),
    of_writers as (
      select ${visitor}, writer,
        min({'is_new': not is_unique, 'sequence': sequence, 'time': time, 'file': file}) as first
      from ${scans}
      semi join wanted using (${visitor})
      where ${canBeUnique}
      group by all),
    firsts as (
      select ${visitor}, min({'is_new': first.is_new, 'time': first.time, 'writer': writer,
        'sequence': first.sequence, 'file': first.file}) as first
      from of_writers
      group by all)
    select ${visitor}, first.writer as writer, first.sequence as sequence, first.file as file,
      true as is_unique, not coalesce(first.is_new, true) as was_unique
    from wanted left join firsts using (${visitor})`
}
