import { catalogueChecks } from './catalogue-checks.ts'
import type { CheckGroup } from './check.ts'
import { copyChecks } from './copy-checks.ts'
import { dataDirChecks } from './data-dir-checks.ts'
import { figureChecks } from './figure-checks.ts'
import { identityChecks } from './identity-checks.ts'
import { journalChecks } from './journal-checks.ts'
import { machineChecks } from './machine-checks.ts'
import { networkChecks } from './network-checks.ts'
import { peopleChecks } from './people-checks.ts'
import { secretChecks } from './secret-checks.ts'
import { serviceChecks } from './service-checks.ts'
import { storeChecks } from './store-checks.ts'
import { workChecks } from './work-checks.ts'

/**
 * Every check of `./everscan doctor`, in the order of the report. The first group runs alone,
 * because it measures.
 */
export const checkGroups: readonly CheckGroup[] = [
  dataDirChecks,
  machineChecks,
  serviceChecks,
  secretChecks,
  identityChecks,
  catalogueChecks,
  storeChecks,
  figureChecks,
  journalChecks,
  networkChecks,
  peopleChecks,
  workChecks,
  copyChecks,
]
