import { createMailer } from '../api/http/mailer.ts'
import { readAdminAddresses } from '../catalogue/organizations/members.ts'
import type { Config } from '../settings.ts'
import type { TellFailing } from '../jobs/domain-looks.ts'
import type { Log } from '../log.ts'

/**
 * Creates a function that tells the ADMINs of an organization, at their confirmed addresses, that
 * the proof of a domain is missing. The log says which mails were refused.
 */
export function createDomainMails(
  { smtpUrl, mailFrom: from, publicUrl }: Pick<Config, 'mailFrom' | 'publicUrl'> & { smtpUrl: string },
  log: Log,
): TellFailing {
  const send = createMailer({ smtpUrl, from, log })
  return async (db, { organizationId, hostname }) => {
    const url = `${publicUrl}/app/${organizationId}/settings/domains`
    for (const to of await readAdminAddresses(db, organizationId))
      await send({ to, ...failingMail({ hostname, url }) })
  }
}

function failingMail({ hostname, url }: { hostname: string; url: string }): {
  subject: string
  text: string
} {
  const paragraphs = [
    `The proof of your domain ${hostname} has been missing for more than 7 days.`,
    'Printed codes go on working. But another organization of this installation can take the domain over, and new codes on it would then be theirs.',
    'Set the TXT record again that is shown here:',
    url,
  ]
  return { subject: `The proof of ${hostname} is missing`, text: `${paragraphs.join('\n\n')}\n` }
}
