import { applyLook, hostsToLookAt } from '../catalogue/domains/domain-proofs.ts'
import type { LookAtDns } from '../dns-looks.ts'
import type { Chore } from './start-jobs.ts'

/** How often the proof of each domain is looked for. */
const lookEveryMs = 86_400_000
/** Hosts of one run. Several workers may look at the same, which changes nothing. */
const hostsAtOnce = 20

/** Looks for the proof of every domain once a day, of a new one within a minute. */
export function domainLooks(lookAtDns: LookAtDns): Chore {
  return {
    name: 'lookAtDomains',
    everyMs: 60_000,
    run: async (db, nowMs) => {
      for (const hostname of await hostsToLookAt(db, nowMs - lookEveryMs, hostsAtOnce))
        await applyLook(db, hostname, { look: await lookAtDns(hostname), nowMs })
    },
  }
}
