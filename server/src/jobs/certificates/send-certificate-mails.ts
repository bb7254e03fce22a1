import {
  claimCertificateMail,
  recordCertificateMail,
  type CertificateMail,
} from '../../catalogue/domains/certificate-mails.ts'
import type { Database } from '../../db/database.ts'
import type { Log } from '../../log.ts'
import type { Chore } from '../start-jobs.ts'

/** Mails the owners of domains about their certificates. */
export type CertificateMailer = {
  /** Returns the addresses that are told of a domain of an organization. */
  addressesOf: (db: Database, organizationId: string) => Promise<readonly string[]>
  /** Resolves to false if the mail server did not accept the mail. */
  send: (db: Database, to: string, warning: CertificateMail['warning']) => Promise<boolean>
}

/** The first attempt and those after it: an hour of a mail server that is away is no lost mail. */
const attemptsMax = 6
const retryMs = 10 * 60_000
/** Mails to all administrators take less. */
const leaseMs = 5 * 60_000

/** Sends the mails of warnings about certificates. Any number of workers may do so. */
export function sendCertificateMails(mailer: CertificateMailer, log: Log): Chore {
  return {
    name: 'sendCertificateMails',
    everyMs: 10_000,
    run: async (db, nowMs) => {
      for (;;) {
        const mail = await claimCertificateMail(db, { nowMs, leaseMs })
        if (mail === undefined) return
        await sendMail(db, mail, { mailer, log, nowMs })
      }
    },
  }
}

async function sendMail(
  db: Database,
  mail: CertificateMail,
  { mailer, log, nowMs }: { mailer: CertificateMailer; log: Log; nowMs: number },
): Promise<void> {
  const { warning, attempts } = mail
  const waiting = [...(mail.left ?? (await mailer.addressesOf(db, warning.domain.organizationId)))]
  const failed: string[] = []
  for (let to = waiting.shift(); to !== undefined; to = waiting.shift()) {
    if (!(await mailer.send(db, to, warning))) failed.push(to)
    // Whoever has the mail gets it once, even if this worker dies now.
    await recordCertificateMail(db, mail, { left: [...failed, ...waiting], dueAtMs: mail.leasedUntilMs })
  }
  const isOver = failed.length === 0 || attempts >= attemptsMax
  if (failed.length > 0 && isOver)
    log.error({ hostname: warning.hostname, mails: failed.length }, 'mails about a certificate were given up')
  await recordCertificateMail(db, mail, { left: failed, dueAtMs: isOver ? null : nowMs + retryMs })
}
