import server from '../../package.json' with { type: 'json' }
import { refuseStrangers, refuseStrangeStore } from './identity.ts'
import { openStore } from './store.ts'
import type { Parts } from '../doctor/context.ts'

/** What commands need of the wiring to compare the parts of an installation. */
export const parts: Parts = { release: server.version, openStore, refuseStrangers, refuseStrangeStore }
