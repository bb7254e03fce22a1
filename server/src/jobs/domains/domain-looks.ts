import { applyLook, hostsToLookAt } from '../../catalogue/domains/domain-proofs.ts'
import type { Database } from '../../db/database.ts'
import type { LookAtDns } from '../../dns-looks.ts'
import type { Chore } from '../start-jobs.ts'

/** How often the proof of each domain is looked for. */
const lookEveryMs = 86_400_000
/** Hosts of one run. Several workers may look at the same, which changes nothing. */
const hostsAtOnce = 20

/** A domain that became FAILING. */
export type FailingDomain = { organizationId: string; hostname: string }

/** Tells of a domain without proof. */
export type TellFailing = (db: Database, domain: FailingDomain) => Promise<void>

/**
 * Looks for the proof of every domain once a day, of a new one within a minute. `tell` is called
 * once for each domain that becomes FAILING, after that is stored.
 */
export function domainLooks(lookAtDns: LookAtDns, tell: TellFailing = async () => undefined): Chore {
  return {
    name: 'lookAtDomains',
    takesTurns: true,
    everyMs: 60_000,
    run: async (db, nowMs) => {
      for (const hostname of await hostsToLookAt(db, nowMs - lookEveryMs, hostsAtOnce)) {
        const changed = await applyLook(db, hostname, { look: await lookAtDns(hostname), nowMs })
        for (const { organizationId, status } of changed)
          if (status === 'FAILING') await tell(db, { organizationId, hostname })
      }
    },
  }
}
