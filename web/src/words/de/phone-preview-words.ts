import type { phonePreviewWords as English } from '../phone-preview-words.ts'

/** German. */
export const phonePreviewWords: typeof English = {
  title: 'Was ein Telefon zeigt',
  enlarge: 'Größere Vorschau',
  largeTitle: 'Die Seite, wie Besucher sie sehen',
  screen: 'Bildschirm',
  screens: { phone: 'Telefon', desktop: 'Computer' },
  opens: 'Öffnet',
  noLink: 'Geben Sie einen Link ein, um zu sehen, wohin er führt.',
  open: (phones) => `${phones} öffnen`,
  instead: (phones, host) => `${phones} öffnen stattdessen ${host}.`,
  phones: { ios: 'iPhones', android: 'Android-Telefone', other: 'Alle anderen Geräte' },
  language: 'Sprache des Telefons',
  scheme: 'Hell oder dunkel',
  schemes: { light: 'Hell', dark: 'Dunkel' },
  still: 'Die Seite, wie Telefone sie zeigen. Links sind hier abgeschaltet.',
}
