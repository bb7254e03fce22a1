import { randomUUID } from 'node:crypto'
import { pathList, quoted } from '../files/parquet/file-sql.ts'
import type { FileWrites } from '../files/parquet/file-writes.ts'
import { canBeUnique } from '../files/parquet/mark-table.ts'
import { cityHash64 } from '../store/city-hash.ts'

/** A place has 48 bits of its time in milliseconds, then the number of its writer, then these. */
const sequenceBits = 54
const writerBits = 26
/** As many sequences have their marks in one row. */
const markBits = 12
/** With 64 MB, these take some ten seconds. The engine writes what does not fit to its folder. */
const scansAtOnce = 10_000_000
const writersAtOnce = 1_000

/**
 * The first scans of visitors among some files, as the scan store decides them: those of the least
 * place (`placeOfScan`). They are a table of the engine, with a bit for each scan.
 */
export class FirstMarks {
  readonly #engine: FileWrites
  // A process that was killed may have left tables in the engine.
  readonly #name = `first_${randomUUID().replaceAll('-', '')}`

  private constructor(engine: FileWrites) {
    this.#engine = engine
  }

  /** Finds them. `rows` is the number of all scans. Throws errors of the engine. */
  static async find(
    engine: FileWrites,
    { paths, rows, writers }: { paths: readonly string[]; rows: number; writers: readonly string[] },
  ): Promise<FirstMarks> {
    const marks = new FirstMarks(engine)
    try {
      await marks.#createWriters(writers)
      await engine.change(`create table ${marks.#name} (writer varchar, chunk ubigint, bits bit)`)
      const parts = Math.max(1, Math.ceil(rows / scansAtOnce))
      for (let part = 0; part < parts; part++)
        await engine.change(marks.#insertSql(paths, `hash(visitor) % ${parts} = ${part}`))
      await engine.change(
        `create or replace table ${marks.#name} as
         select writer, chunk, bit_or(bits) as bits from ${marks.#name} group by all`,
      )
      return marks
    } catch (error) {
      await marks.close()
      throw error
    }
  }

  /** Returns SQL for the scans of files that a condition holds for, marked. */
  marked(paths: readonly string[], where: string): string {
    const bit = `get_bit(bits, (sequence & ${2 ** markBits - 1})::integer) = 1`
    return `select scan.* replace (coalesce(${bit}, false) as is_unique)
      from read_parquet(${pathList(paths)}) as scan
      left join ${this.#name} as mark on mark.writer = scan.writer and chunk = sequence >> ${markBits}
      where ${where}`
  }

  async close(): Promise<void> {
    for (const name of [this.#name, this.#writers]) await this.#engine.change(`drop table if exists ${name}`)
  }

  get #writers(): string {
    return `${this.#name}_writers`
  }

  /** Numbers the writers in the order of the scan store. */
  async #createWriters(writers: readonly string[]): Promise<void> {
    const ordered = writers
      .map((writer) => ({ writer, hash: cityHash64(writer) }))
      .toSorted((one, other) => (one.hash < other.hash ? -1 : 1))
    await this.#engine.change(`create table ${this.#writers} (writer varchar, number uhugeint)`)
    for (let from = 0; from < ordered.length; from += writersAtOnce) {
      const rows = ordered
        .slice(from, from + writersAtOnce)
        .map(({ writer }, at) => `(${quoted(writer)}, ${from + at})`)
      await this.#engine.change(`insert into ${this.#writers} values ${rows.join(', ')}`)
    }
  }

  /** A hash of codes takes less memory than their names, and visitors are hashes anyway. */
  #insertSql(paths: readonly string[], where: string): string {
    const place = `(epoch_ms(time)::uhugeint << ${sequenceBits + writerBits})
      | (number << ${sequenceBits}) | sequence::uhugeint`
    const sequence = `place & ${2n ** BigInt(sequenceBits) - 1n}`
    return `
      insert into ${this.#name}
      with firsts as (
        select min(${place}) as place
        from read_parquet(${pathList(paths)})
        join ${this.#writers} using (writer)
        where ${canBeUnique} and ${where}
        group by hash(organization_id, qr_code_id), visitor),
      marks as (
        select (place >> ${sequenceBits}) & ${2 ** writerBits - 1} as number,
          ((${sequence}) >> ${markBits})::ubigint as chunk,
          bitstring_agg((place & ${2 ** markBits - 1})::integer, 0, ${2 ** markBits - 1}) as bits
        from firsts
        group by all)
      select writer, chunk, bits from marks join ${this.#writers} using (number)`
  }
}
