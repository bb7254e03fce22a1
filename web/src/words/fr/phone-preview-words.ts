import type { phonePreviewWords as English } from '../phone-preview-words.ts'

/** French. */
export const phonePreviewWords: typeof English = {
  title: 'Ce que montre un téléphone',
  enlarge: 'Aperçu plus grand',
  largeTitle: 'La page telle que les visiteurs la voient',
  screen: 'Écran',
  screens: { phone: 'Téléphone', desktop: 'Ordinateur' },
  opens: 'Ouvre',
  noLink: 'Saisissez un lien pour voir où il mène.',
  open: (phones) => `${phones} : page ouverte`,
  instead: (phones, host) => `${phones} : ${host} s’ouvre à la place.`,
  phones: { ios: 'iPhone', android: 'Téléphones Android', other: 'Tous les autres appareils' },
  language: 'Langue du téléphone',
  scheme: 'Clair ou sombre',
  schemes: { light: 'Clair', dark: 'Sombre' },
  still: 'La page telle que les téléphones l’affichent. Les liens sont inactifs ici.',
}
