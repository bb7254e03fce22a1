import { LeaseLost, type LeaseTerms } from '../db/lease.ts'

/** A mail to several addresses, which one worker has until its lease ends. */
export type LastingMail = {
  /** The addresses that it has yet to reach; undefined: all. */
  left: readonly string[] | undefined
  /** Counts from 1. */
  attempts: number
}

export type LastingMails<Mail extends LastingMail> = {
  /** Claims the mail that is due for longest, or returns undefined. */
  claim: (terms: LeaseTerms & { nowMs: number }) => Promise<Mail | undefined>
  addressesOf: (mail: Mail) => Promise<readonly string[]>
  /** Resolves to false if the mail server did not accept the mail. */
  send: (to: string, mail: Mail) => Promise<boolean>
  /** Notes the addresses that are left, and keeps the mail for longer. Throws `LeaseLost`. */
  renew: (mail: Mail, state: LeaseTerms & { left: readonly string[] }) => Promise<void>
  /** Ends a claim. `dueAtMs`: when the mail is tried again; null: never. Throws `LeaseLost`. */
  end: (mail: Mail, state: { dueAtMs: number | null }) => Promise<void>
  /** Told of a mail that did not reach this many addresses, and is tried no more. */
  onGivenUp: (mail: Mail, addresses: number) => void
}

/** The first attempt and those after it: an hour of a mail server that is away is no lost mail. */
const attemptsMax = 6
const retryMs = 10 * 60_000
/** A mail to one address takes less. */
const leaseMs = 5 * 60_000

/** Sends the mails that are due, one after the other. */
export async function sendLastingMails<Mail extends LastingMail>(
  mails: LastingMails<Mail>,
  nowMs: number,
): Promise<void> {
  const startedMs = performance.now()
  // Mails before it may have taken longer than a lease.
  const clock = () => Math.round(nowMs + performance.now() - startedMs)
  for (;;) {
    const mail = await mails.claim({ nowMs: clock(), leaseMs })
    if (mail === undefined) return
    try {
      await sendLastingMail(mails, mail, clock)
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error
    }
  }
}

/** Sends a mail to each address that is left. Throws `LeaseLost` once another worker has it. */
async function sendLastingMail<Mail extends LastingMail>(
  mails: LastingMails<Mail>,
  mail: Mail,
  clock: () => number,
): Promise<void> {
  const waiting = [...(mail.left ?? (await mails.addressesOf(mail)))]
  const failed: string[] = []
  for (let to = waiting.shift(); to !== undefined; to = waiting.shift()) {
    if (!(await mails.send(to, mail))) failed.push(to)
    // Whoever has the mail gets it once, even if this worker dies now.
    await mails.renew(mail, { left: [...failed, ...waiting], nowMs: clock(), leaseMs })
  }
  const isOver = failed.length === 0 || mail.attempts >= attemptsMax
  await mails.end(mail, { dueAtMs: isOver ? null : clock() + retryMs })
  if (isOver && failed.length > 0) mails.onGivenUp(mail, failed.length)
}
