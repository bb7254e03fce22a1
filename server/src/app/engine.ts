import { join } from 'node:path'
import { usedMsMax } from '../analytics/remembered-ids.ts'
import type { Config } from '../settings/settings.ts'
import type { Log } from '../log.ts'
import type { EngineOptions } from './file-engine.ts'
import { joinMain } from '../processes/child.ts'
import { embeddedWord, sleepingWord } from '../processes/messages.ts'
import { createMetrics } from '../processes/metrics.ts'
import { engineSocket } from '../processes/listening.ts'

/** Lists that others keep in an engine are not used any more when it ends after this time. */
const idleMs = usedMsMax + 60_000

type Engine = { close: () => Promise<void> }
type StartEngine = (config: Config, path: string, options: EngineOptions) => Promise<Engine>

/**
 * Runs `engine`: the scan store of this machine, on a socket. With `embeddedWord`, that of earlier
 * releases, for the command that makes files of it.
 */
export async function runEngine(
  config: Config,
  index: number,
  log: Log,
  words: readonly string[],
): Promise<void> {
  const metrics = createMetrics(`engine-${index}`)
  const start = words.includes(embeddedWord) ? await embeddedEngine() : await fileEngine()
  const idle = { afterMs: idleMs, onEnded: () => child.sleep() }
  const engine = await start(config, engineSocket(config), {
    log,
    ...(words.includes(sleepingWord) && { idle }),
  })
  const child = joinMain('engine', log, {
    report: async () => ({ parts: [], metrics: await metrics.collect() }),
    stop: () => engine.close(),
  })
  child.ready()
}

async function embeddedEngine(): Promise<StartEngine> {
  const { runEngine: run } = await import('../analytics/engine/engine.ts')
  return ({ dataDir }, path, { log }) =>
    run({ dir: join(dataDir, 'scans'), socketPath: path, log, packagesIn: join(dataDir, 'chdb') })
}

async function fileEngine(): Promise<StartEngine> {
  const { runFileEngine } = await import('./file-engine.ts')
  return runFileEngine
}
