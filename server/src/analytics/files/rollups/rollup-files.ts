import { rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { checksumOf, filesIn, unfinishedEnding } from '../file-bytes.ts'
import type { FileWrites } from '../parquet/file-writes.ts'
import { namedRollup, rollupPath } from './rollup-names.ts'
import { rolledScansMin, writeRollupSql } from './rollup-sql.ts'

/**
 * Files beside those of scans, with their counts, as the worker writes and removes them. They are
 * derived: without one, or with a damaged one, answers take longer and are the same.
 */
export class RollupFiles {
  readonly #engine: Pick<FileWrites, 'rows'>
  readonly #scansMin: number
  /** The paths of rollups, by the ids of the files that they count. */
  readonly #paths = new Map<string, string>()
  /** Files that could not be counted, as in too little memory: others are, until the next look. */
  readonly #failed = new Set<string>()
  /** One call is over before the next begins: a look would else not see what is being written. */
  #turn: Promise<unknown> = Promise.resolve()

  constructor(engine: Pick<FileWrites, 'rows'>, scansMin: number = rolledScansMin) {
    this.#engine = engine
    this.#scansMin = scansMin
  }

  /** Takes over what a folder has. Removes what is damaged, of another version, or of no file. */
  takeOver(folder: string, isFile: (id: string) => boolean): Promise<void> {
    return this.#inTurn(() => this.#takeOver(folder, isFile))
  }

  async #takeOver(folder: string, isFile: (id: string) => boolean): Promise<void> {
    const before = new Map(this.#paths)
    this.#paths.clear()
    this.#failed.clear()
    for (const file of await filesIn(folder)) {
      const rollup = namedRollup(file)
      if (rollup === undefined) continue
      const { segmentId, path } = rollup
      const isKept = isFile(segmentId) && !this.#paths.has(segmentId)
      if (isKept && (before.get(segmentId) === path || (await rollup.isGood())))
        this.#paths.set(segmentId, path)
      else await rm(path)
    }
  }

  /** Whether nothing is to do for a file: it has a rollup, or too few scans, or it failed. */
  isDone({ id, rows }: { id: string; rows: number }): boolean {
    return rows < this.#scansMin || this.#paths.has(id) || this.#failed.has(id)
  }

  /** Counts the scans of a file. */
  write(id: string, path: string): Promise<void> {
    return this.#inTurn(() => this.#write(id, path))
  }

  async #write(id: string, path: string): Promise<void> {
    const unfinished = path + unfinishedEnding
    this.#failed.add(id)
    try {
      await this.#engine.rows(writeRollupSql(path, unfinished, this.#scansMin))
      const { checksum } = await checksumOf(unfinished)
      const finished = rollupPath(dirname(path), id, checksum)
      await rename(unfinished, finished)
      this.#paths.set(id, finished)
      this.#failed.delete(id)
    } finally {
      await rm(unfinished, { force: true })
    }
  }

  /** Removes the rollup of a file, if it has one. */
  remove(id: string): Promise<void> {
    return this.#inTurn(async () => {
      const path = this.#paths.get(id)
      if (path !== undefined) await rm(path, { force: true })
      this.#paths.delete(id)
    })
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#turn.then(work)
    this.#turn = done.catch(() => {})
    return done
  }
}
