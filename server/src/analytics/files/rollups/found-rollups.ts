import { dirname } from 'node:path'
import type { Rollup } from '../figures/listed-scans.ts'
import { filesIn } from '../file-bytes.ts'
import { pathList } from '../parquet/file-sql.ts'
import type { ScanEngine } from '../parquet/scan-engine.ts'
import { namedRollup } from './rollup-names.ts'
import { rolledScansMin } from './rollup-sql.ts'

/** A file of scans that may have a rollup beside it. */
export type RolledFile = { id: string; path: string; rows: number }

/** The rollups that readers use: those that were found, each verified once. */
export class FoundRollups {
  readonly #engine: ScanEngine
  readonly #scansMin: number
  /** By the ids of files of scans. */
  readonly #found = new Map<string, Rollup>()

  constructor(engine: ScanEngine, scansMin: number = rolledScansMin) {
    this.#engine = engine
    this.#scansMin = scansMin
  }

  /** Whether one of these files may have got a rollup that was not found yet. */
  isMissing(files: readonly RolledFile[]): boolean {
    return files.some((file) => this.#lacks(file))
  }

  /** Returns the rollups of files by their ids, and forgets all others. Looks for missing ones. */
  async of(files: readonly RolledFile[]): Promise<ReadonlyMap<string, Rollup>> {
    const ids = new Set(files.map(({ id }) => id))
    for (const id of this.#found.keys()) if (!ids.has(id)) this.#found.delete(id)
    // Answers are the same without.
    await this.#look(files.filter((file) => this.#lacks(file))).catch(() => {})
    return this.#found
  }

  /** Forgets all: somebody may have removed or damaged one. */
  forget(): void {
    this.#found.clear()
  }

  #lacks({ id, rows }: RolledFile): boolean {
    return rows >= this.#scansMin && !this.#found.has(id)
  }

  async #look(files: readonly RolledFile[]): Promise<void> {
    const ids = new Set(files.map(({ id }) => id))
    for (const folder of new Set(files.map(({ path }) => dirname(path))))
      for (const found of await filesIn(folder)) {
        const rollup = namedRollup(found)
        if (rollup === undefined || !ids.has(rollup.segmentId) || !(await rollup.isGood())) continue
        const { path, segmentId } = rollup
        this.#found.set(segmentId, { path, owners: await this.#ownersOf(path) })
      }
  }

  async #ownersOf(path: string): Promise<string[]> {
    const { recent } = this.#engine
    const rows = await recent.inTurn(() =>
      recent.rows(`select distinct organization_id from read_parquet(${pathList([path])})`),
    )
    return rows.map(([owner]) => String(owner))
  }
}
