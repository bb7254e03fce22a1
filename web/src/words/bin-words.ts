// Words of deleting codes and of the bin.

import { limits } from '@everscan/contract/schema/limits.ts'
import { inLanguage } from './chosen-language.ts'

const them = (codes: number, one: string, many: string) => (codes === 1 ? one : many)

export const binWords = inLanguage('binWords', {
  title: 'Bin',
  text: `Deleted codes stay here for ${limits.binDays} days. Until you restore one, whoever scans it reads that it no longer works.`,
  back: 'Back to codes',
  search: 'Search the bin by name',
  empty: {
    title: 'The bin is empty',
    text: `Codes that you delete stay here for ${limits.binDays} days, so that you can take them back.`,
  },
  nothingFound: { title: 'No deleted codes found', text: 'No code in the bin has this name.' },
  count: (codes: number, written: string) => (codes === 1 ? '1 code' : `${written} codes`),
  deletedBy: (age: string, who: string) => `Deleted ${age} by ${who}`,
  daysLeft: (days: number) => (days <= 1 ? 'Less than a day left' : `${days} days left`),
  restore: 'Restore',
  restoreOne: (name: string) => `Restore ${name}`,
  restored: (codes: string, one: boolean) => `${codes} restored: ${one ? 'it works' : 'they work'} again`,
  purge: 'Delete for good',
  purgeOne: (name: string) => `Delete ${name} for good`,
  purgeTitle: (what: string) => `Delete ${what} for good?`,
  purgeText: (codes: number) =>
    `This cannot be undone. ${them(codes, 'Its prints never work again, and its short link is', 'Their prints never work again, and their short links are')} never used again.`,
  purged: (codes: string) => `${codes} deleted for good`,
})

export const deletionWords = inLanguage('deletionWords', {
  title: (what: string) => `Delete ${what}?`,
  quoted: (name: string) => `“${name}”`,
  scanned: (codes: number, scans: number, written: string) =>
    scans === 0
      ? `${them(codes, 'It was', 'They were')} not scanned in the last 30 days.`
      : `${them(codes, 'It was', 'They were')} scanned ${scans === 1 ? 'once' : `${written} times`} in the last 30 days.`,
  counting: 'Counting the scans of the last 30 days…',
  notCounted: 'The scans of the last 30 days could not be counted now.',
  effect: (codes: number) =>
    `Whoever scans ${them(codes, 'a print of it', 'their prints')} will read that ${them(codes, 'it no longer works', 'they no longer work')}. You can restore ${them(codes, 'it', 'them')} from the bin for ${limits.binDays} days. After that, ${them(codes, 'it is', 'they are')} gone for good.`,
  archiveHint: (codes: number) =>
    `To stop ${them(codes, 'it', 'them')} for a while, archive ${them(codes, 'it', 'them')}: ${them(codes, 'it stays', 'they stay')} in your list, and you can turn ${them(codes, 'it', 'them')} on again at any time.`,
  archive: 'Archive instead',
  delete: (codes: string) => `Delete ${codes}`,
  type: (written: string) => `Type ${written} to delete them`,
  deleted: (codes: string) => `${codes} moved to the bin`,
})
