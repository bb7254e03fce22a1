import { limits } from '../schema/limits.ts'

/**
 * Why the mail of a view did not reach every address, as `lastError` of the view says it. The
 * dashboard has words for each.
 */
export const mailProblems = {
  refused: (addresses: readonly string[]) =>
    `The mail server did not take the mail for ${addresses.join(', ')}.`,
  unread: 'The figures could not be read.',
  noCode: 'Nothing was sent: the code of this view was deleted.',
  dayLimit: (unsent: number, addresses: number) =>
    `${unsent} of ${addresses} addresses got no mail: the organization has sent ${limits.viewMailsPerDay} mails of views today, its maximum.`,
  stopped: 'Nothing was sent: the operator of this installation has stopped the mails of your organization.',
  account: 'The rest waits for the next day: who set the mail up has reached the maximum of mails a day.',
  installation: 'The rest waits for the next day: this installation has reached its maximum of mails a day.',
} as const

/** Follows such a problem: whether the mail is tried again. */
export const mailAttempts = {
  last: (attempts: number) => `It was tried ${attempts} times.`,
  again: 'It is tried again.',
} as const
