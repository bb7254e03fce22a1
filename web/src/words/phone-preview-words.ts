import { inLanguage } from './chosen-language.ts'

/** Words of the preview of phones in the editor. */
export const phonePreviewWords = inLanguage('phonePreviewWords', {
  title: 'What a phone shows',
  enlarge: 'Larger preview',
  largeTitle: 'The page as visitors see it',
  screen: 'Screen',
  screens: { phone: 'Phone', desktop: 'Computer' },
  opens: 'Opens',
  noLink: 'Enter a link to see where it leads.',
  open: (phones: string) => `${phones} open`,
  instead: (phones: string, host: string) => `${phones} open ${host} instead.`,
  phones: { ios: 'iPhones', android: 'Android phones', other: 'All other devices' },
  language: 'Language of the phone',
  scheme: 'Light or dark',
  schemes: { light: 'Light', dark: 'Dark' },
  still: 'The page as phones show it. Links are off here.',
})
