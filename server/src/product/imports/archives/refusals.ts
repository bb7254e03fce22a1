import { problem, type FieldProblem } from '@everscan/contract/problems/problem.ts'
import type { ArchiveLineLeftOut } from '@everscan/contract/archives/archive-imports.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { archiveLimit } from './archive-zip.ts'

type Refusal = Pick<ArchiveLineLeftOut, 'file' | 'line' | 'shortCode'> & { found: FieldProblem }

function lineOf({ found, ...place }: Refusal): ArchiveLineLeftOut {
  const { path, message, problem: name, values } = found
  return { ...place, reason: path === '' ? message : `${path}: ${message}`, path, problem: name, values }
}

/** The lines of an archive that cannot be taken. */
export class Refusals {
  readonly #leftOut: ArchiveLineLeftOut[] = []
  /** Hits of no code of the archive: the first one of each file, and how many there are. */
  readonly #strays = new Map<string, { line: number; count: number }>()

  /** Throws ApiError 400 if there are too many. */
  add(refusal: Refusal): void {
    if (this.#leftOut.length >= limits.archiveRefusalsMax) throw archiveLimit('archiveRefusalsMax')
    this.#leftOut.push(lineOf(refusal))
  }

  /** An archive of an earlier release has any number of hits of deleted codes. */
  addStray(file: string, line: number): void {
    const stray = this.#strays.get(file) ?? { line, count: 0 }
    stray.count++
    this.#strays.set(file, stray)
  }

  listed(): { leftOut: ArchiveLineLeftOut[]; leftOutCount: number } {
    const strays = [...this.#strays].map(([file, { line, count }]) => {
      const found = { path: 'qrCodeId', ...problem('hitsOfNoCode', { count }) }
      return lineOf({ file, line, shortCode: null, found })
    })
    const hits = [...this.#strays.values()].reduce((sum, { count }) => sum + count, 0)
    return {
      leftOut: [...this.#leftOut, ...strays].slice(0, limits.archiveRefusalsMax),
      leftOutCount: this.#leftOut.length + hits,
    }
  }
}
