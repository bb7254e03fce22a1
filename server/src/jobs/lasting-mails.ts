/** A mail to several addresses, which one worker has until its lease ends. */
export type LastingMail = {
  /** The addresses that it has yet to reach; undefined: all. */
  left: readonly string[] | undefined
  /** Counts from 1. */
  attempts: number
  leasedUntilMs: number
}

type Means = {
  addressesOf: () => Promise<readonly string[]>
  /** Resolves to false if the mail server did not accept the mail. */
  send: (to: string) => Promise<boolean>
  /** Notes the addresses that are left, and when they are tried again; null: never. */
  record: (state: { left: readonly string[]; dueAtMs: number | null }) => Promise<void>
  nowMs: number
}

/** The first attempt and those after it: an hour of a mail server that is away is no lost mail. */
const attemptsMax = 6
const retryMs = 10 * 60_000
/** Mails to all administrators take less. */
export const mailLeaseMs = 5 * 60_000

/** Sends a mail to each address that is left. Returns how many were given up. */
export async function sendLastingMail(
  mail: LastingMail,
  { addressesOf, send, record, nowMs }: Means,
): Promise<number> {
  const waiting = [...(mail.left ?? (await addressesOf()))]
  const failed: string[] = []
  for (let to = waiting.shift(); to !== undefined; to = waiting.shift()) {
    if (!(await send(to))) failed.push(to)
    // Whoever has the mail gets it once, even if this worker dies now.
    await record({ left: [...failed, ...waiting], dueAtMs: mail.leasedUntilMs })
  }
  const isOver = failed.length === 0 || mail.attempts >= attemptsMax
  await record({ left: failed, dueAtMs: isOver ? null : nowMs + retryMs })
  return isOver ? failed.length : 0
}
