import { fork } from 'node:child_process'
import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ArchiveImport } from '@everscan/contract/archives/archive-imports.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { discardUnstartedImport } from '../../../catalogue/imports/archive-imports.ts'
import type { Database } from '../../../db/database.ts'
import { placeOf } from '../../../db/open-database.ts'
import { ApiError } from '../../../errors.ts'
import { ClientGone } from '../../../turns/client-gone.ts'
import type { ReaderAnswer, ReaderRequest } from './archive-reader.ts'
import { archiveLimit, type ArchiveLimit } from './archive-zip.ts'
import { ReaderTurns } from './reader-turns.ts'
import { newImportKey, readArchiveRecord, type ArchiveRequest } from './start-archive-import.ts'

const reader = fileURLToPath(new URL('./archive-reader.ts', import.meta.url))
const turns = new ReaderTurns()

/** Why a reader ended without an answer: a limit, or its client left. */
type Ended = { limit: ArchiveLimit } | 'gone'

/** `secondsMax` and `heapMegabytesMax`: for tests. */
type Waiting = {
  holder: string
  signal: AbortSignal
  secondsMax?: number
  heapMegabytesMax?: number
}

/**
 * Checks an archive and starts its import, as `importArchive` does, in a process with a heap and a
 * time of its own: a small file can be millions of lines, and no other request must wait for them.
 * Ends it when the signal is aborted, and throws ClientGone.
 */
export async function readArchiveApart(
  db: Database,
  request: Omit<ArchiveRequest, 'key'>,
  {
    holder,
    signal,
    secondsMax = limits.archiveSecondsMax,
    heapMegabytesMax = limits.archiveHeapMegabytesMax,
  }: Waiting,
): Promise<ArchiveImport> {
  const end = await turns.take(holder, signal)
  try {
    const key = newImportKey(request.target)
    const message = { place: placeOf(db), request: { ...request, key } }
    const answer = await askReader(message, { signal, secondsMax, heapMegabytesMax })
    if (answer !== 'gone' && 'record' in answer) return answer.record
    if (answer === 'gone' || 'limit' in answer) {
      await discardUnstartedImport(db, key)
      // It was accepted in its last moment.
      const record = await readArchiveRecord(db, key)
      if (record !== undefined) return record
    }
    throw errorOf(answer)
  } finally {
    end()
  }
}

function errorOf(answer: Exclude<ReaderAnswer, { record: unknown }> | Ended): Error {
  if (answer === 'gone') return new ClientGone('The client left before its archive was accepted.')
  if ('limit' in answer) return archiveLimit(answer.limit)
  if ('failure' in answer) return new Error(answer.failure)
  const { status, code, told, details } = answer.refusal
  return new ApiError(status, code, told, details === undefined ? {} : { details })
}

function askReader(
  message: ReaderRequest,
  { signal, secondsMax, heapMegabytesMax }: Required<Omit<Waiting, 'holder'>>,
): Promise<ReaderAnswer | Ended> {
  // Of the environment only the cache of compiled sources: a start takes half the time with it.
  const cache = getCompileCacheDir()
  const env = cache === undefined ? {} : { NODE_COMPILE_CACHE: dirname(cache) }
  const execArgv = [`--max-old-space-size=${heapMegabytesMax}`]
  const child = fork(reader, { env, execArgv, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  // Without an answer, it had no memory left.
  let ended: ReaderAnswer | Ended = { limit: 'archiveHeapMegabytesMax' }
  const kill = (why: Ended) => {
    ended = why
    child.kill('SIGKILL')
  }
  const gone = () => kill('gone')
  signal.addEventListener('abort', gone)
  const timeout = setTimeout(() => kill({ limit: 'archiveSecondsMax' }), secondsMax * 1_000)
  return new Promise((resolve, reject) => {
    child.once('message', (answer: ReaderAnswer) => (ended = answer))
    child.once('error', reject)
    // When it exits, nothing that it wrote is under way any more.
    child.once('exit', () => {
      clearTimeout(timeout)
      signal.removeEventListener('abort', gone)
      resolve(ended)
    })
    child.send(message, (error) => {
      if (error !== null) child.kill('SIGKILL')
    })
    if (signal.aborted) gone()
  })
}
