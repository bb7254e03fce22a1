import everscan from '../../package.json' with { type: 'json' }
import {
  refuseForeignFiles,
  refuseForeignParts,
  refuseForeignStore,
} from '../product/installation/identity.ts'
import { engineClient } from '../analytics/files/socket/engine-client.ts'
import { withScanStore } from '../copies/with-scan-store.ts'
import { engineSocket } from '../processes/listening.ts'
import { openClickHouseStore } from '../product/installation/open-store.ts'
import type { Config } from '../settings/settings.ts'
import type { OpenEngine, Parts } from './context.ts'

/** The functions that commands need to compare the parts of an installation. */
export const parts: Parts = {
  release: everscan.version,
  openStore: (url) => openClickHouseStore(url).server,
  refuseForeignParts,
  refuseForeignStore,
  refuseForeignFiles,
  openEngine,
}

/** Holds the engine until it is closed. */
function openEngine(config: Config): Promise<OpenEngine> {
  const closing = Promise.withResolvers<void>()
  const opened = Promise.withResolvers<OpenEngine>()
  const ended = withScanStore(config, async () => {
    const close = async (): Promise<void> => {
      closing.resolve()
      await ended
    }
    opened.resolve({ ...engineClient(engineSocket(config)), close })
    await closing.promise
  })
  ended.catch(opened.reject)
  return opened.promise
}
