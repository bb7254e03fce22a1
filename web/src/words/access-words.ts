import type { QrCodeState } from '@everscan/contract/access/access.ts'
import { inLanguage } from './chosen-language.ts'
import { isOne } from './plurals.ts'

/** Words of the card "Access", and of states of codes. */
export const accessWords = inLanguage('accessWords', {
  title: 'Access',
  intro: 'When this code is open, for how many, and for whom. It applies at once, without a new picture.',
  states: {
    LIVE: 'Open',
    SCHEDULED: 'Not open yet',
    ENDED: 'Ended',
    FULL: 'Full',
    ARCHIVED: 'Archived',
  } satisfies Record<QrCodeState, string>,
  opens: 'Opens',
  ends: 'Ends',
  timesHint: (zone: string) => `Empty: no limit in time. Times are those of ${zone}.`,
  limit: 'Number of scans',
  limitHint: 'Empty: any number. Bots and previews do not count.',
  count: (count: string, limit: string) => `${count} of ${limit} so far`,
  reset: 'Count again from zero',
  resetTitle: 'Count again from zero?',
  resetText: (count: string) =>
    `The scans so far (${count}) no longer count for the limit. Figures in analytics stay.`,
  resetDone: 'The count begins at zero.',
  cancel: 'Cancel',
  whenUnknown: 'If the count is unavailable for a moment',
  unknownAnswers: { open: 'Stay open, and count afterwards', closed: 'Close' },
  password: 'Password',
  passwordHint: 'Visitors must enter it. It is shown nowhere again.',
  passwordShort: (days: string) =>
    `This one is short: a program that tries from many networks finds it in about ${days} ${isOne(days) ? 'day' : 'days'}. Eight letters and digits stand for many years.`,
  passwordSet: 'Visitors must enter a password.',
  passwordChange: 'Change password',
  passwordRemove: 'Remove password',
  passwordRemoved: 'The password is removed when you save.',
  passwordKeep: 'Keep password',
  newPassword: 'New password',
  closed: 'What visitors get while it is closed',
  closings: { page: 'A page that says why', message: 'A page with my message', url: 'Another address' },
  message: 'Message',
  url: 'Address',
  urlHint: 'For example https://example.com/soon',
  save: 'Save access',
  discard: 'Discard',
  saved: 'Access saved.',
  undone: 'The access is as it was before.',
  late: 'Somebody else changed this code. Its current access is shown; make your change again.',
})
