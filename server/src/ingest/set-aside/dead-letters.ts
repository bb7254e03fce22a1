import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Poison } from '../batches.ts'

/**
 * The file for records that cannot be ingested: one JSON object per line, for manual inspection. It
 * remains until an operator removes it, so it contains neither networks nor user agents, which
 * could help to guess addresses.
 */
export const deadLettersName = 'dead-letters.jsonl'

/**
 * Appends records to the dead letters of a journal root, durably. A crash may append a record
 * twice; `writer` and `sequence` identify it. Throws errors of the file system; the checkpoint must
 * then not pass these records.
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
