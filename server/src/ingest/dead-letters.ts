import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Poison } from './batches.ts'

/**
 * Where records that cannot be ingested are put aside, one JSON object a line, for a person to look at. They stay for as long as
 * nobody removes them, so they hold neither network nor user agent, with which addresses could be tried.
 */
export const deadLettersName = 'dead-letters.jsonl'

/**
 * Adds records to the dead letters of a journal root, durably. A crash may add one twice: `writer` and `sequence`
 * tell. Throws what the file system throws; then the checkpoint must not pass them.
 */
export async function addDeadLetters(
  journalRoot: string,
  writer: string,
  letters: readonly Poison[],
): Promise<void> {
  if (letters.length === 0) return
  const lines = letters.map(
    ({ sequence, scan: { network: _network, userAgent: _userAgent, ...scan }, problem }) =>
      `${JSON.stringify({ writer, sequence, problem, scan })}\n`,
  )
  const file = await open(join(journalRoot, deadLettersName), 'a', 0o600)
  try {
    await file.appendFile(lines.join(''))
    await file.datasync()
  } finally {
    await file.close()
  }
}
