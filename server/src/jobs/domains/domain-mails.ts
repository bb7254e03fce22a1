import type { DashboardLanguage } from '@everscan/contract/schema/dashboard-languages.ts'
import { createMailer } from '../../product/mails/mailer.ts'
import { readLanguage } from '../../catalogue/accounts/languages.ts'
import { readAdminAddresses } from '../../catalogue/organizations/members.ts'
import type { Database } from '../../db/database.ts'
import type { Config } from '../../settings/settings.ts'
import type { CertificateMailer } from '../certificates/send-certificate-mails.ts'
import type { NoticeMailer } from './send-notice-mails.ts'
import type { TellFailing } from './domain-looks.ts'
import type { Log } from '../../log.ts'
import { mailFormats } from '../../product/mails/mail-formats.ts'
import { mailWords } from '../../product/mails/mail-words.ts'

export type DomainMails = {
  /** Tells that the proof of a domain is missing. */
  tellFailing: TellFailing
  /** Tells that the certificate of a domain ends and could not be renewed. */
  certificateMailer: CertificateMailer
  /** Tells former owners of a notice, or of its withdrawal. */
  noticeMailer: NoticeMailer
}

/**
 * Creates functions that tell the ADMINs of an organization, at their confirmed addresses and in
 * their languages, of a troubled domain. The log says which mails were refused.
 */
export function createDomainMails(
  { smtpUrl, mailFrom: from, publicUrl }: Pick<Config, 'mailFrom' | 'publicUrl'> & { smtpUrl: string },
  log: Log,
): DomainMails {
  const send = createMailer({ smtpUrl, from, log })
  const sendTo = async (db: Database, { to, organizationId }: Reader, write: Write) => {
    const language = (await readLanguage(db, { email: to })) ?? 'en'
    const { subject, paragraphs } = write(language)
    const url = `${publicUrl}/app/${organizationId}/settings/domains`
    return send({ to, holder: organizationId, subject, text: `${[...paragraphs, url].join('\n\n')}\n` })
  }
  return {
    tellFailing: async (db, { organizationId, hostname }) => {
      for (const to of await readAdminAddresses(db, organizationId))
        await sendTo(db, { to, organizationId }, (language) => proofMail(language, hostname))
    },
    certificateMailer: {
      addressesOf: readAdminAddresses,
      send: (db, to, { domain: { organizationId }, ...certificate }) =>
        sendTo(db, { to, organizationId }, (language) => certificateMail(language, certificate)),
    },
    noticeMailer: {
      addressesOf: readAdminAddresses,
      send: (db, to, { organizationId, ...notice }) =>
        sendTo(db, { to, organizationId }, (language) => noticeMail(language, notice)),
    },
  }
}

type Reader = { to: string; organizationId: string }
/** Writes a mail; the address of the page of domains follows its paragraphs. */
type Write = (language: DashboardLanguage) => { subject: string; paragraphs: readonly string[] }

function proofMail(language: DashboardLanguage, hostname: string): ReturnType<Write> {
  const { subject, missing, risk, act } = mailWords[language].proof
  return { subject: subject(hostname), paragraphs: [missing(hostname), risk, act] }
}

function certificateMail(
  language: DashboardLanguage,
  { hostname, expiresAtMs, problem }: { hostname: string; expiresAtMs: number; problem: string },
): ReturnType<Write> {
  const { subject, ends, next } = mailWords[language].certificate
  const day = mailFormats(language).day(expiresAtMs)
  return { subject: subject(hostname, day), paragraphs: [ends(hostname, day), problem, next] }
}

function noticeMail(
  language: DashboardLanguage,
  { hostname, endsAtMs }: { hostname: string; endsAtMs: number | null },
): ReturnType<Write> {
  const words = mailWords[language].notice
  if (endsAtMs === null) return { subject: words.offSubject(hostname), paragraphs: [words.off(hostname)] }
  const day = mailFormats(language).day(endsAtMs)
  const { subject, given, until, act } = words
  return { subject: subject(hostname, day), paragraphs: [given(hostname), until(day), act] }
}
