import { problem, type Problem } from '@everscan/contract/problems/problem.ts'
import {
  readMovedVisit,
  visitCells,
  visitColumns,
  visitColumnsProblem,
  type MovedVisit,
  type VisitCells,
} from '@everscan/contract/moves/moved-visits.ts'
import type { MoveVisitColumns, MoveVisitProblem } from '@everscan/contract/moves/moves.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import {
  firstVisitChunk,
  saveImportChunk,
  type VisitChunk,
} from '../../../catalogue/imports/import-chunks.ts'
import type { ImportKey } from '../../../catalogue/rows/import-row.ts'
import type { MoveVisits } from '../../../catalogue/rows/import-row.ts'
import type { Database } from '../../../db/database.ts'
import { readRetention } from '../../../db/scans/scan-counters.ts'
import { ApiError } from '../../../errors.ts'
import { decodeText } from '../../../files/decode-text.ts'
import { validationError } from '../../../request-errors.ts'
import { fileNameOf } from '../../../files/file-names.ts'
import { hashBytes, headerOf } from '../save-rows.ts'
import { readExport, type ExportFile, type ExportRow } from './read-export.ts'

/** Visits that become scans in one transaction, and the length of their texts. */
const visitsPerChunkMax = 10_000
const charsPerChunkMax = 2 * 1024 * 1024
/** Visits of all months that wait for their chunk. */
const visitsInMemoryMax = 50_000

export type SavedVisits = Required<MoveVisits> & { sha256: string }

/**
 * Saves the visits of a file as they arrive, those of each month apart, because the scan store
 * takes rows of one month at a time. Some thousand visits are in memory. Visits that cannot be
 * read, or that are older than scans are kept here, are counted and left out: their clicks stay
 * before.
 */
export async function saveVisits(
  db: Database,
  key: ImportKey,
  { name, bytes }: ExportFile,
  clock: () => number,
): Promise<SavedVisits> {
  const hashed = hashBytes(bytes)
  const keptFromMs = (await readRetention(db))?.beforeMs ?? 0
  const months = new Months(async (chunk, visits) =>
    saveImportChunk(db, { ...key, chunk, nowMs: clock() }, { visits } satisfies VisitChunk),
  )
  const problems: MoveVisitProblem[] = []
  let [total, skipped] = [0, 0]
  let places: VisitCells | undefined
  let columns: MoveVisitColumns | undefined
  for await (const { line, cells } of rowsOf(hashed.read)) {
    if (places === undefined) {
      places = placesIn(cells)
      columns = visitColumns(places, cells.map(columnName))
      continue
    }
    total++
    if (total > limits.moveVisitsMax)
      throw visitsError(problem('tooManyVisits', { max: limits.moveVisitsMax }))
    const visit = readMovedVisit(places, cells, clock())
    if (!('problem' in visit) && visit.timeMs >= keptFromMs) {
      await months.add(visit)
      continue
    }
    skipped++
    if ('problem' in visit && problems.length < limits.moveVisitProblemsMax) problems.push({ line, ...visit })
  }
  if (columns === undefined) throw visitsError(problem('fileEmpty'))
  if (total === 0) throw visitsError(problem('fileWithoutVisits'))
  await months.end()
  return { fileName: fileNameOf(name), columns, total, skipped, problems, sha256: hashed.sha256() }
}

/** The name of a column as it is stored. */
export function columnName(name: string): string {
  return Array.from(name.trim()).slice(0, limits.nameCharsMax).join('')
}

function placesIn(cells: readonly string[]): VisitCells {
  const places = visitCells(headerOf(cells))
  const found = visitColumnsProblem(places)
  if (found !== undefined)
    throw visitsError({
      ...found,
      message: `${found.message}; its columns: ${cells.join(', ').slice(0, 500)}`,
    })
  return places
}

/** Reads a file as that of the links, and names the field of visits in its errors. */
async function* rowsOf(bytes: AsyncIterable<Buffer>): AsyncGenerator<ExportRow, void, undefined> {
  try {
    yield* readExport(decodeText(bytes))
  } catch (error) {
    if (!(error instanceof ApiError) || error.details === undefined) throw error
    throw validationError(
      error.details.map((detail) => ({ ...detail, path: detail.path === 'file' ? 'visits' : detail.path })),
    )
  }
}

function visitsError(found: Problem): ApiError {
  return validationError([{ path: 'visits', ...found }])
}

type Month = { visits: MovedVisit[]; chars: number }

/** Collects visits by month (UTC), and saves those of a month when they are many. */
class Months {
  readonly #save: (chunk: number, visits: readonly MovedVisit[]) => Promise<void>
  readonly #months = new Map<string, Month>()
  #waiting = 0
  #chunk = firstVisitChunk

  constructor(save: (chunk: number, visits: readonly MovedVisit[]) => Promise<void>) {
    this.#save = save
  }

  async add(visit: MovedVisit): Promise<void> {
    const name = new Date(visit.timeMs).toISOString().slice(0, 7)
    const month = this.#months.get(name) ?? { visits: [], chars: 0 }
    this.#months.set(name, month)
    month.visits.push(visit)
    month.chars += visit.code.length + (visit.userAgent?.length ?? 0)
    this.#waiting++
    if (month.visits.length >= visitsPerChunkMax || month.chars >= charsPerChunkMax) await this.#flush(name)
    else if (this.#waiting >= visitsInMemoryMax) await this.#flush(this.#largest())
  }

  async end(): Promise<void> {
    for (const name of [...this.#months.keys()].toSorted()) await this.#flush(name)
  }

  async #flush(name: string): Promise<void> {
    const month = this.#months.get(name)
    if (month === undefined) return
    this.#months.delete(name)
    this.#waiting -= month.visits.length
    await this.#save(this.#chunk++, month.visits)
  }

  #largest(): string {
    const [first = ''] =
      [...this.#months].toSorted(([, a], [, b]) => b.visits.length - a.visits.length)[0] ?? []
    return first
  }
}
