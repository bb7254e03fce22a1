import { join } from 'node:path'
import type { Config } from '../settings/settings.ts'
import type { Log } from '../log.ts'
import { joinMain } from '../processes/child.ts'
import { createMetrics } from '../processes/metrics.ts'
import { engineSocket } from '../processes/listening.ts'

type Engine = { close: () => Promise<void> }
type StartEngine = (config: Config, path: string, log: Log) => Promise<Engine>

/** Runs `engine`: the scan store of this machine, on a socket. */
export async function runEngine(config: Config, index: number, log: Log): Promise<void> {
  const metrics = createMetrics(`engine-${index}`)
  const start = config.scanStore === 'files' ? await fileEngine() : await embeddedEngine()
  const engine = await start(config, engineSocket(config), log)
  const child = joinMain('engine', log, {
    report: async () => ({ parts: [], metrics: await metrics.collect() }),
    stop: () => engine.close(),
  })
  child.ready()
}

async function embeddedEngine(): Promise<StartEngine> {
  const { runEngine: run } = await import('../analytics/engine/engine.ts')
  return ({ dataDir }, path, log) => run({ dir: join(dataDir, 'scans'), socketPath: path, log })
}

async function fileEngine(): Promise<StartEngine> {
  const { runFileEngine } = await import('./file-engine.ts')
  return runFileEngine
}
