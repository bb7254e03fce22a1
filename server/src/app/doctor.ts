import server from '../../package.json' with { type: 'json' }
import { refuseForeignParts, refuseForeignStore } from './identity.ts'
import { openStore } from './store.ts'
import type { Parts } from '../doctor/context.ts'

/** The functions that commands need to compare the parts of an installation. */
export const parts: Parts = { release: server.version, openStore, refuseForeignParts, refuseForeignStore }
