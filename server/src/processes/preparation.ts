import type { ChildProcess } from 'node:child_process'
import type { Log } from '../log.ts'
import type { ToMain } from './messages.ts'
import { Watchdog } from './watchdog.ts'

/** Kills the preparation after 5 min without progress; the service then ends, and logs why. */
export function watchPreparation(preparation: ChildProcess, log: Log): void {
  const watchdog = new Watchdog({
    onSilent: (process, reason, silentMs) => {
      log.error(
        { process, reason, silentMs: Math.round(silentMs) },
        'the preparation of the catalogue stalled, ending it',
      )
      preparation.kill('SIGKILL')
    },
  })
  watchdog.began('prepare')
  watchdog.start()
  preparation.on('message', (message: ToMain) => {
    if (message.type === 'progress') watchdog.heard('prepare', 'progress')
  })
  preparation.once('exit', () => watchdog.stop())
}
