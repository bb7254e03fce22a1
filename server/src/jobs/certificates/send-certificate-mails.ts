import {
  claimCertificateMail,
  endCertificateMail,
  renewCertificateMail,
  type CertificateMail,
} from '../../catalogue/domains/certificate-mails.ts'
import type { Database } from '../../db/database.ts'
import type { Log } from '../../log.ts'
import { sendLastingMails, type LastingMails } from '../lasting-mails.ts'
import type { Chore } from '../start-jobs.ts'

/** Mails the owners of domains about their certificates. */
export type CertificateMailer = {
  /** Returns the addresses that are told of a domain of an organization. */
  addressesOf: (db: Database, organizationId: string) => Promise<readonly string[]>
  /** Resolves to false if the mail server did not accept the mail. */
  send: (db: Database, to: string, warning: CertificateMail['warning']) => Promise<boolean>
}

/** Sends the mails of warnings about certificates. Any number of workers may do so. */
export function sendCertificateMails(mailer: CertificateMailer, log: Log): Chore {
  return {
    name: 'sendCertificateMails',
    everyMs: 10_000,
    run: async (db, nowMs) => {
      const mails: LastingMails<CertificateMail> = {
        claim: async (terms) => claimCertificateMail(db, terms),
        addressesOf: async ({ warning }) => mailer.addressesOf(db, warning.domain.organizationId),
        send: async (to, { warning }) => mailer.send(db, to, warning),
        renew: async (mail, state) => renewCertificateMail(db, mail, state),
        end: async (mail, state) => endCertificateMail(db, mail, state),
        onGivenUp: ({ hostname }, addresses) =>
          log.error({ hostname, mails: addresses }, 'mails about a certificate were given up'),
      }
      await sendLastingMails(mails, nowMs)
    },
  }
}
