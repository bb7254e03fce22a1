import { callProblems, givenUp } from '@everscan/contract/schema/call-problems.ts'
import { inLanguage } from './chosen-language.ts'

/** Problems of rows and mails that the service reports. In English, its own words are shown. */
export const reportWords = inLanguage('reportWords', {
  oneOf: (list: string) => `One of: ${list}.`,
  oneNeeded: (list: string) => `The row needs one of: ${list}.`,
  needed: (column: string) => `The row needs a value in: ${column}.`,
  oneLink: 'The row needs a link at least.',
  yesNo: 'Write true or false.',
  number: 'Write a number.',
  date: 'Write a date or a time, such as 2026-01-31 or 2026-01-31T09:30:00Z.',
  past: 'This must not be in the future.',
  early: 'This must not be before 1970.',
  pastTime: 'This must be after 1970 and not in the future.',
  taken: (code: string) => `“${code}” is taken. Choose another one.`,
  sameCode: (code: string, line: string) => `“${code}” is in line ${line}, too. Choose another one.`,
  reserved: 'The service uses this itself. Choose another one.',
  provedDomain: (host: string) => `This must be a proved domain of this organization, or “${host}”.`,
  cells: 'The row has more cells than the file has columns.',
  bytes: (bytes: string) => `${bytes} bytes at most.`,
  entries: (entries: string) => `${entries} entries at most.`,
  clicks: 'This is not a number of clicks.',
  leadsBack: 'This leads back to this service.',
  spaces: 'An address has no spaces. Write %20 instead.',
  credentials: 'An address must not have a user name or a password.',
  workbook: 'This cannot be read as a workbook. Save it again as xlsx, or as CSV.',
  columns: (columns: string) => `A file has ${columns} columns at most.`,
  mailRefused: (addresses: string) => `The mail server did not take the mail for ${addresses}.`,
  mailUnread: 'The figures could not be read.',
  mailOfNoCode: 'Nothing was sent: the code of this view was deleted.',
  mailLimit: (unsent: string, addresses: string, perDay: string) =>
    `Addresses without this mail: ${unsent} of ${addresses}. The organization has sent ${perDay} mails of views today, its maximum.`,
  mailStopped:
    'Nothing was sent: the operator of this installation has stopped the mails of your organization.',
  mailAccountWaits:
    'The rest waits for the next day: who set the mail up has reached the maximum of mails a day.',
  mailInstallationWaits:
    'The rest waits for the next day: this installation has reached its maximum of mails a day.',
  mailTried: (attempts: string) => `Attempts: ${attempts}.`,
  mailTriedAgain: 'It is tried again.',
})

/** Why a call to another host failed: of a webhook, or to a destination or short link of a move. */
export const callWords = inLanguage('callWords', {
  ...callProblems,
  inARow: givenUp.inARow,
  noAnswer: givenUp.noAnswer,
})
