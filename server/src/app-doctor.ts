import server from '../package.json' with { type: 'json' }
import { refuseStrangers, refuseStrangeStore } from './app-identity.ts'
import { openStore } from './app-store.ts'
import type { Parts } from './doctor/context.ts'

/** What commands need of the wiring to compare the parts of an installation. */
export const parts: Parts = { release: server.version, openStore, refuseStrangers, refuseStrangeStore }
