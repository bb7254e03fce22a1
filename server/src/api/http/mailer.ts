import { setTimeout as sleep } from 'node:timers/promises'
import { createTransport } from 'nodemailer'
import { errorCode } from '../../db/errors.ts'
import type { Log } from '../../log.ts'

export type Mail = { to: string; subject: string; text: string }

/** Sends mails. False: it did not go out, or nobody knows within `sendMsMax`; the log says why. */
export type Mailer = (mail: Mail) => Promise<boolean>

export type MailerOptions = { smtpUrl: string; from: string; log: Log; sendMsMax?: number }

/** More at the same time would only wait for the mail server. */
const atOnceMax = 20

/** A mail server by its address, `smtp://user:password@host:587`. Each mail has a connection of its own. */
export function createMailer({ smtpUrl, from, log, sendMsMax = 10_000 }: MailerOptions): Mailer {
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: sendMsMax,
    greetingTimeout: sendMsMax,
    socketTimeout: sendMsMax,
    dnsTimeout: sendMsMax,
    // Nothing of a mail is ever a file or an address to be fetched.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  let running = 0
  return async ({ to, subject, text }) => {
    if (running >= atOnceMax) return false
    running++
    // As an object: a comma in an address must not make two of it.
    const sent = transport.sendMail({ from, to: { name: '', address: to }, subject, text }).then(
      ({ accepted }) => accepted.length > 0,
      (error: unknown) => {
        // The mail server's own words may have the address.
        log.warn({ code: errorCode(error) }, 'a mail could not be sent')
        return false
      },
    )
    void sent.finally(() => running--)
    return Promise.race([sent, sleep(sendMsMax, false, { ref: false })])
  }
}
