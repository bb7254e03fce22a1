import { join } from 'node:path'
import { runEngine as startEngine } from '../analytics/engine/engine.ts'
import type { Config } from '../settings/settings.ts'
import type { Log } from '../log.ts'
import { joinMain } from '../processes/child.ts'
import { createMetrics } from '../processes/metrics.ts'
import { socketPath } from '../processes/listening.ts'

/** Runs `engine`: the embedded scan store, on a socket. */
export async function runEngine(config: Config, index: number, log: Log): Promise<void> {
  const path = socketPath(config.dataDir, 'engine')
  const metrics = createMetrics(`engine-${index}`)
  const engine = await startEngine({ dir: join(config.dataDir, 'scans'), socketPath: path, log })
  const child = joinMain('engine', log, {
    report: async () => ({ parts: [], metrics: await metrics.collect() }),
    stop: () => engine.close(),
  })
  child.ready()
}
