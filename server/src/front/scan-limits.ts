import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../settings/settings.ts'
import type { Database } from '../db/database.ts'
import { openDatabase } from '../db/open-database.ts'
import type { Log } from '../log.ts'
import { judgePart, type Part } from '../problems/parts.ts'
import { type LimitCounters, ScanLimits } from '../scan/access/scan-limits.ts'
import { limitCountersOf, type LimitCall } from './limit-counters.ts'
import type { LimitThreadData } from './scan-limit-thread-main.ts'
import { Threads } from './threads.ts'

const closeMsMax = 1_000
/** Leases are short statements, and at most two are under way for long. */
const connectionsMax = 2

/** Opens the leases of a front. */
export function openScanLimits(
  config: Pick<Config, 'databaseUrl' | 'dataDir' | 'logLevel'>,
  log: Log,
): { scanLimits: ScanLimits; close: () => Promise<void> } {
  // Commits of SQLite wait for the disk, so they would hold up redirects on the event loop.
  const opened = config.databaseUrl === undefined ? openThread(config, log) : openHere(config, log)
  const scanLimits = new ScanLimits(opened.counters, log)
  return {
    scanLimits,
    close: async () => {
      const closing = scanLimits.close().then(opened.close)
      // A catalogue that does not answer must not hold up the end: it then keeps a few answers.
      await Promise.race([closing, sleep(closeMsMax, undefined, { ref: false })])
    },
  }
}

type OpenedCounters = { counters: LimitCounters; close: () => Promise<void> }

function openHere(
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  log: Log,
): OpenedCounters {
  let opened: Promise<Database> | undefined
  const open = (): Promise<Database> => {
    opened ??= openDatabase({ databaseUrl, dataDir, role: 'writer', connectionsMax, log }).catch(
      (error: unknown) => {
        opened = undefined
        throw error
      },
    )
    return opened
  }
  return { counters: limitCountersOf(open), close: async () => (await opened)?.close() }
}

/** Until the thread runs, which takes longer than a scan may wait, limits are counted here. */
function openThread(config: Pick<Config, 'databaseUrl' | 'dataDir' | 'logLevel'>, log: Log): OpenedCounters {
  const { dataDir, logLevel } = config
  const here = openHere(config, log)
  const thread = new Threads({
    module: new URL('./scan-limit-thread-main.ts', import.meta.url),
    work: 'counts limits',
    threadsMax: 1,
    workerData: { dataDir, logLevel } satisfies LimitThreadData,
    endsIdle: false,
  })
  const ask = (call: LimitCall): Promise<unknown> => thread.ask(call)
  let running: Promise<void> | undefined
  let isRunning = false
  const start = async (): Promise<void> => {
    try {
      await ask({ name: 'isFull', parameters: [{ organizationId: '', qrCodeId: '' }] })
      isRunning = true
    } catch (error) {
      log.warn({ err: error }, 'the thread that counts limits did not start')
      running = undefined
    }
  }
  const counter = <Name extends keyof LimitCounters>(name: Name): LimitCounters[Name] => {
    const call = async (...parameters: never[]): Promise<unknown> => {
      if (isRunning) return ask({ name, parameters })
      running ??= start()
      return (here.counters[name] as (...of: never[]) => Promise<unknown>)(...parameters)
    }
    return call as LimitCounters[Name]
  }
  return {
    counters: {
      take: counter('take'),
      isFull: counter('isFull'),
      giveBack: counter('giveBack'),
      addOwed: counter('addOwed'),
    },
    close: async () => {
      await Promise.all([thread.close(), here.close()])
    },
  }
}

/** Only answers without the count are worth a part. */
export function limitParts(scanLimits: ScanLimits): Part[] {
  const { isUnknown, open, closed } = scanLimits.stats()
  return isUnknown ? [judgePart('scanLimits', { isUnknown, open, closed })] : []
}
