import {
  claimCertificateMail,
  recordCertificateMail,
  type CertificateMail,
} from '../../catalogue/domains/certificate-mails.ts'
import type { Database } from '../../db/database.ts'
import type { Log } from '../../log.ts'
import { mailLeaseMs, sendLastingMail } from '../lasting-mails.ts'
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
      for (;;) {
        const mail = await claimCertificateMail(db, { nowMs, leaseMs: mailLeaseMs })
        if (mail === undefined) return
        const { organizationId } = mail.warning.domain
        const givenUp = await sendLastingMail(mail, {
          addressesOf: async () => mailer.addressesOf(db, organizationId),
          send: async (to) => mailer.send(db, to, mail.warning),
          record: async (state) => recordCertificateMail(db, mail, state),
          nowMs,
        })
        const { hostname } = mail.warning
        if (givenUp > 0) log.error({ hostname, mails: givenUp }, 'mails about a certificate were given up')
      }
    },
  }
}
