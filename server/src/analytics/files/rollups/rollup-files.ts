import { rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { checksumOf, unfinishedEnding, type FoundPath } from '../file-bytes.ts'
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

  constructor(engine: Pick<FileWrites, 'rows'>, scansMin: number = rolledScansMin) {
    this.#engine = engine
    this.#scansMin = scansMin
  }

  /** Takes over what a folder has. Removes what is damaged, of another version, or of no file. */
  async takeOver(found: readonly FoundPath[], segmentIds: ReadonlySet<string>): Promise<void> {
    const before = new Map(this.#paths)
    this.#paths.clear()
    this.#failed.clear()
    for (const file of found) {
      const rollup = namedRollup(file)
      if (rollup === undefined) continue
      const { segmentId, path } = rollup
      const isKept = segmentIds.has(segmentId) && !this.#paths.has(segmentId)
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
  async write(id: string, path: string): Promise<void> {
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
  async remove(id: string): Promise<void> {
    const path = this.#paths.get(id)
    if (path !== undefined) await rm(path, { force: true })
    this.#paths.delete(id)
  }
}
