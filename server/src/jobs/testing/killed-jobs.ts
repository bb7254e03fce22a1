import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom } from '@everscan/contract/testing/random.ts'
import type { Database } from '../../db/database.ts'
import { programArgs } from '../../db/testing/program-args.ts'

export type KilledJob = {
  killsMax: number
  processed: () => Promise<number>
  unfinished: () => Promise<boolean>
  /** More of the object that the program gets as JSON, beside `databaseUrl` and `dataDir`. */
  more?: object
}

/**
 * Kills workers until a job has ended; most of the kills must meet the worker at work. `program` is
 * the source of a worker that writes "up" when it runs.
 */
export async function killUntilEnded(
  { source }: Database,
  program: string,
  { killsMax, processed, unfinished, more }: KilledJob,
): Promise<void> {
  const random = seededRandom()
  const where =
    source.dialect === 'sqlite'
      ? { dataDir: dirname(source.file) }
      : { dataDir: join('/', 'nonexistent'), databaseUrl: source.url }
  let killedMidway = 0
  for (let kill = 0; await unfinished(); kill++) {
    const before = await processed()
    const words = [...programArgs(program), JSON.stringify({ ...where, ...more })]
    const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(child.stdout, 'data')
    if (kill < killsMax) {
      // Waits until the worker has begun, so that the kill meets it at work.
      while ((await processed()) === before && (await unfinished())) await sleep(2)
      await sleep(random() * 30)
    } else while (await unfinished()) await sleep(20)
    if (await unfinished()) killedMidway++
    child.kill('SIGKILL')
    await once(child, 'close')
  }
  assert.ok(killedMidway >= killsMax / 2, `only ${killedMidway} kills met it at work`)
}
