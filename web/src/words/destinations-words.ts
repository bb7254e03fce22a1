import { inLanguage } from './chosen-language.ts'

/** Words of the destinations of a code, which few pages of analytics show. */
export const destinationsWords = inLanguage('destinationsWords', {
  rule: 'Rule',
  scans: 'Scans',
  unique: 'Unique',
  uniqueScans: 'Unique scans',
  share: 'Share',
  ownNote: 'The code’s own content',
  arm: (name: string) => `Variant ${name}`,
  removed: 'Removed',
  chance: {
    fits: (rule: string, weights: string) =>
      `${rule}: unique scans fit the weights (${weights}). Differences of this size are what chance does.`,
    differs: (rule: string, weights: string) =>
      `${rule}: unique scans do not fit the weights (${weights}). The difference is larger than chance alone explains.`,
  },
})
