import { setTimeout as sleep } from 'node:timers/promises'
import { createTransport } from 'nodemailer'
import { errorCode } from '../../db/errors.ts'
import type { Log } from '../../log.ts'
import { ownTurns } from '../../turns/own-turns.ts'
import { NoTurn } from '../../turns/turns.ts'

export type Mail = {
  to: string
  subject: string
  text: string
  /** The same content for programs that show HTML. */
  html?: string
  /**
   * The URL of a page on which the owner of the address can stop such mails, and which mail
   * programs call by POST to do so at once (RFC 8058).
   */
  leaveUrl?: string
  /** The organization that sends it, for its turn; none for mails of accounts. */
  holder?: string
}

/**
 * Sends a mail. Returns false if it had no turn in time, or the mail server refused it or did not
 * confirm it within `sendMsMax`; the log states why.
 */
export type Mailer = (mail: Mail) => Promise<boolean>

export type MailerOptions = { smtpUrl: string; from: string; log: Log; sendMsMax?: number }

/**
 * Creates a mailer for a server URL, `smtp://user:password@host:587`. Each mail uses its own
 * connection. The connection must be encrypted (STARTTLS, or `smtps://`) unless the URL ends in
 * `?requireTLS=false` or the server is on this machine.
 */
export function createMailer({ smtpUrl, from, log, sendMsMax = 10_000 }: MailerOptions): Mailer {
  const transport = createTransport({
    url: smtpUrl,
    requireTLS: mustBeEncrypted(new URL(smtpUrl)),
    connectionTimeout: sendMsMax,
    greetingTimeout: sendMsMax,
    socketTimeout: sendMsMax,
    dnsTimeout: sendMsMax,
    // No part of a mail may become a file to read or a URL to fetch.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return async ({ to, subject, text, html, leaveUrl, holder = '' }) => {
    const endTurn = await ownTurns.mails.take([holder]).catch((error: unknown) => {
      if (!(error instanceof NoTurn)) throw error
      log.warn({ reason: error.reason, waiting: error.waiting }, 'a mail could not be sent: too many wait')
    })
    if (endTurn === undefined) return false
    // As an object: a comma in an address must not make two addresses of it.
    const mail = {
      from,
      to: { name: '', address: to },
      subject,
      text,
      ...(html !== undefined && { html }),
      ...(leaveUrl !== undefined && {
        list: { unsubscribe: leaveUrl },
        headers: { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
      }),
    }
    const sent = transport.sendMail(mail).then(
      ({ accepted }) => accepted.length > 0,
      (error: unknown) => {
        // The mail server's message may contain the address.
        const code = errorCode(error)
        const advice =
          code === 'ETLS'
            ? ': the mail server offers no encryption; use smtps://, or add ?requireTLS=false to SMTP_URL'
            : ''
        log.warn({ code }, `a mail could not be sent${advice}`)
        return false
      },
    )
    void sent.finally(endTurn)
    return Promise.race([sent, sleep(sendMsMax, false, { ref: false })])
  }
}

function mustBeEncrypted({ hostname, searchParams }: URL): boolean {
  const said = searchParams.get('requireTLS')
  return said === null ? !isLoopback(hostname) : said !== 'false'
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname)
}
