import type { ChildProcess } from 'node:child_process'
import type { Problem } from '@everscan/contract/problems/problem.ts'
import type { Log } from '../log.ts'
import type { ToMain } from './messages.ts'
import { Watchdog } from './watchdog.ts'

/**
 * Kills the preparation after 5 min without progress; the service then ends, and logs why. Calls
 * `onUpgrade` with how far the upgrade of an existing catalogue is. Returns a function that says
 * whether it killed it.
 */
export function watchPreparation(
  preparation: ChildProcess,
  log: Log,
  onUpgrade: (told: Problem) => void,
): () => boolean {
  let isStalled = false
  const watchdog = new Watchdog({
    onSilent: (process, reason, silentMs) => {
      log.error(
        { process, reason, silentMs: Math.round(silentMs) },
        'the preparation of the catalogue stalled, ending it',
      )
      isStalled = true
      preparation.kill('SIGKILL')
    },
  })
  watchdog.began('prepare')
  watchdog.start()
  preparation.on('message', (message: ToMain) => {
    if (message.type !== 'progress') return
    watchdog.heard('prepare', 'progress')
    if (message.upgrade !== undefined) onUpgrade(message.upgrade)
  })
  preparation.once('exit', () => watchdog.stop())
  return () => isStalled
}
