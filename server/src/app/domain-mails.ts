import { createMailer } from '../api/http/mailer.ts'
import { readAdminAddresses } from '../catalogue/organizations/members.ts'
import { dayText } from '../amounts.ts'
import type { Config } from '../settings.ts'
import type { CertificateMailer } from '../jobs/certificates/send-certificate-mails.ts'
import type { TellFailing } from '../jobs/domain-looks.ts'
import type { Log } from '../log.ts'

export type DomainMails = {
  /** Tells that the proof of a domain is missing. */
  tellFailing: TellFailing
  /** Tells that the certificate of a domain ends and could not be renewed. */
  certificateMailer: CertificateMailer
}

/**
 * Creates functions that tell the ADMINs of an organization, at their confirmed addresses, of a
 * troubled domain. The log says which mails were refused.
 */
export function createDomainMails(
  { smtpUrl, mailFrom: from, publicUrl }: Pick<Config, 'mailFrom' | 'publicUrl'> & { smtpUrl: string },
  log: Log,
): DomainMails {
  const send = createMailer({ smtpUrl, from, log })
  const sendTo = (to: string, organizationId: string, { subject, paragraphs }: Mail) => {
    const url = `${publicUrl}/app/${organizationId}/settings/domains`
    return send({ to, subject, text: `${[...paragraphs, url].join('\n\n')}\n` })
  }
  return {
    tellFailing: async (db, { organizationId, hostname }) => {
      const mail = failingMail(hostname)
      for (const to of await readAdminAddresses(db, organizationId)) await sendTo(to, organizationId, mail)
    },
    certificateMailer: {
      addressesOf: readAdminAddresses,
      send: (to, { domain, ...certificate }) =>
        sendTo(to, domain.organizationId, certificateMail(certificate)),
    },
  }
}

/** A mail; the address of the page of domains follows its paragraphs. */
type Mail = { subject: string; paragraphs: readonly string[] }

function failingMail(hostname: string): Mail {
  return {
    subject: `The proof of ${hostname} is missing`,
    paragraphs: [
      `The proof of your domain ${hostname} has been missing for more than 7 days.`,
      'Printed codes go on working. But another organization of this installation can take the domain over, and new codes on it would then be theirs.',
      'Set the TXT record again that is shown here:',
    ],
  }
}

function certificateMail({
  hostname,
  expiresAtMs,
  problem,
}: {
  hostname: string
  expiresAtMs: number
  problem: string
}): Mail {
  return {
    subject: `The certificate of ${hostname} ends ${dayText(expiresAtMs)}`,
    paragraphs: [
      `The certificate for https of your domain ${hostname} ends ${dayText(expiresAtMs)} (UTC), and could not be renewed:`,
      problem,
      'It is tried again every day. After its end, browsers warn visitors who open your printed codes by https. What is set for the domain is shown here:',
    ],
  }
}
