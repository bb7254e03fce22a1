import everscan from '../../package.json' with { type: 'json' }
import { refuseForeignParts, refuseForeignStore } from '../product/installation/identity.ts'
import { openClickHouseStore } from '../product/installation/open-store.ts'
import type { Parts } from './context.ts'

/** The functions that commands need to compare the parts of an installation. */
export const parts: Parts = {
  release: everscan.version,
  openStore: (config) => openClickHouseStore(config).server,
  refuseForeignParts,
  refuseForeignStore,
}
