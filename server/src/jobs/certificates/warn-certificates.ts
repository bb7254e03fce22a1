import {
  readFailingCertificates,
  takeCertificateWarnings,
} from '../../catalogue/domains/certificate-warnings.ts'
import type { Database } from '../../db/database.ts'
import type { Log } from '../../log.ts'
import type { Facts } from '../../problems/facts.ts'
import type { Chore } from '../start-jobs.ts'

type Options = {
  /** PUBLIC_URL's host name, if an authority can certify it. */
  publicHost: string | undefined
  log: Log
  /** Whether the installation sends mails: see `sendCertificateMails`. */
  isMailed: boolean
}

/** Warns of certificates that end and could not be renewed. */
export function warnOfCertificates({ publicHost, log, isMailed }: Options): Chore {
  return {
    name: 'warnOfCertificates',
    everyMs: 60_000,
    run: async (db, nowMs) => {
      for (const warning of await takeCertificateWarnings(db, { publicHost, nowMs, isMailed })) {
        const { hostname, expiresAtMs, problem } = warning
        const expires = new Date(expiresAtMs).toISOString()
        log.error({ hostname, expires, problem }, 'a certificate ends, and could not be renewed')
      }
    },
  }
}

/** Reads the state of certificates for `/readyz` and `/metrics`. */
export async function readCertificateState(
  db: Database,
  publicHost: string | undefined,
): Promise<Facts['certificates']> {
  return { failing: await readFailingCertificates(db, publicHost) }
}
