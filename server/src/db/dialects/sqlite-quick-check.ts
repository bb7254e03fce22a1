import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const checker = fileURLToPath(new URL('./sqlite-quick-check-main.ts', import.meta.url))

/**
 * Returns what SQLite finds damaged in a file; empty if nothing is. Runs in a child process,
 * because the check reads the whole file in one call that cannot be interrupted in this process.
 * Throws when the signal fires.
 */
export async function quickCheck(file: string, signal: AbortSignal): Promise<string[]> {
  const child = fork(checker, [file], { execArgv: [], signal, killSignal: 'SIGKILL' })
  const exited = once(child, 'exit')
  const [findings] = (await Promise.race([
    once(child, 'message'),
    exited.then(([code]) => {
      throw new Error(`the check of ${file} ended with ${code}`)
    }),
  ])) as [string[]]
  await exited
  if (findings[0] === 'ok') return []
  return findings.flatMap((text) => text.split('\n')).filter((line) => !line.startsWith('***'))
}
