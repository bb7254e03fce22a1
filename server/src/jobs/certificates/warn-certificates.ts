import {
  readFailingCertificates,
  takeCertificateWarnings,
  type FailingCertificate,
} from '../../catalogue/domains/certificate-warnings.ts'
import { countText, dayText } from '../../amounts.ts'
import type { Database } from '../../db/database.ts'
import type { Log } from '../../log.ts'
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

/** Certificates in use that could not be renewed, and a sentence about the first that ends. */
export type CertificateState = { failing: readonly FailingCertificate[]; detail: string | undefined }

/** Reads the state of certificates for `/readyz` and `/metrics`. */
export async function readCertificateState(
  db: Database,
  publicHost: string | undefined,
): Promise<CertificateState> {
  const failing = await readFailingCertificates(db, publicHost)
  const [first] = failing
  if (first === undefined) return { failing, detail: undefined }
  const { hostname, expiresAtMs, problem } = first
  const many = countText(failing.length, 'certificate')
  const detail = `${many} could not be renewed; that of ${hostname} ends ${dayText(expiresAtMs)}: ${problem}`
  return { failing, detail }
}
