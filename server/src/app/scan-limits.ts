import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../settings.ts'
import type { Database } from '../db/database.ts'
import { openDatabase } from '../db/open-database.ts'
import { addOwedAnswers, isLimitReached, returnLease, takeLease } from '../db/scans/scan-limits.ts'
import type { Log } from '../log.ts'
import type { Part } from '../processes/messages.ts'
import { ScanLimits } from '../scan/access/scan-limits.ts'

const closeMsMax = 1_000

/**
 * Opens the leases of a front. They need a connection that writes, which is opened when the first
 * code with a limit is scanned.
 */
export function openScanLimits(
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  log: Log,
): { scanLimits: ScanLimits; close: () => Promise<void> } {
  let opened: Promise<Database> | undefined
  const open = (): Promise<Database> => {
    opened ??= openDatabase({ databaseUrl, dataDir, role: 'writer', log }).catch((error: unknown) => {
      opened = undefined
      throw error
    })
    return opened
  }
  const scanLimits = new ScanLimits(
    {
      take: async (key, want) => takeLease(await open(), key, { want, nowMs: Date.now() }),
      isFull: async (key) => isLimitReached(await open(), key),
      giveBack: async (key, rest) => returnLease(await open(), key, rest),
      addOwed: async (key, answers) => addOwedAnswers(await open(), key, { answers, nowMs: Date.now() }),
    },
    log,
  )
  return {
    scanLimits,
    close: async () => {
      const closing = scanLimits.close().then(async () => (await opened)?.close())
      // A catalogue that does not answer must not hold up the end: it then keeps a few answers.
      await Promise.race([closing, sleep(closeMsMax, undefined, { ref: false })])
    },
  }
}

/** Only answers without the count are worth a part. */
export function limitParts(scanLimits: ScanLimits): Part[] {
  const { isUnknown, open, closed } = scanLimits.stats()
  if (!isUnknown) return []
  const detail = `the catalogue could not count: ${open} answers were given and ${closed} refused without it`
  return [{ name: 'scanLimits', ok: false, detail }]
}
