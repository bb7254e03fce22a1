import type { FieldProblem, Problem } from '@everscan/contract/problems/problem.ts'
// The process that reads one archive, for `readArchiveApart`.
import { getPriority, setPriority } from 'node:os'
import type { ArchiveImport } from '@everscan/contract/archives/archive-imports.ts'
import { openDatabase, type DatabaseOptions } from '../../../db/open-database.ts'
import { ApiError } from '../../../errors.ts'
import { createLog } from '../../../log.ts'
import { importArchive, type ArchiveRequest } from './start-archive-import.ts'

export type ReaderRequest = {
  /** The place of the catalogue. */
  place: Pick<DatabaseOptions, 'databaseUrl' | 'dataDir'>
  request: ArchiveRequest
}
export type ReaderAnswer =
  | { record: ArchiveImport }
  | {
      refusal: {
        status: number
        code: string
        told: Problem
        details: readonly FieldProblem[] | undefined
      }
    }
  | { failure: string }

/** How much later than its parent this process gets a processor: as late as the worker. */
const laterNice = 5
const nicest = 19
const connectionsMax = 2

setPriority(Math.min(nicest, getPriority() + laterNice))

process.once('message', (message: ReaderRequest) => {
  void answerOf(message).then((answer) => process.send?.(answer, () => process.disconnect()))
})
// Nobody waits for what it reads: its parent ended.
process.once('disconnect', () => process.exit())

async function answerOf({ place, request }: ReaderRequest): Promise<ReaderAnswer> {
  const log = createLog({ level: 'warn', role: 'archive reader' }, process.stderr)
  const db = await openDatabase({ ...place, role: 'writer', connectionsMax, log })
  try {
    return { record: await importArchive(db, request) }
  } catch (error) {
    if (!(error instanceof ApiError)) return { failure: String((error as Error).stack ?? error) }
    const { status, code, told, details } = error
    return { refusal: { status, code, told, details } }
  } finally {
    await db.close()
  }
}
