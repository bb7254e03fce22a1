import type { englishTerms } from './english-terms.ts'

/** German. */
export const germanTerms: typeof englishTerms = {
  types: {
    URL: 'Link',
    VCARD: 'Kontakt',
    WIFI: 'WLAN',
    EMAIL: 'E-Mail',
    SMS: 'Nachricht',
    PHONE: 'Telefon',
    TEXT: 'Text',
    PDF: 'PDF',
    VIDEO: 'Video',
    MENU: 'Speisekarte',
    APP: 'App',
    SOCIAL: 'Soziale Netze',
  },
  dimensions: {
    code: 'Code',
    country: 'Land',
    region: 'Region',
    city: 'Stadt',
    deviceType: 'Gerät',
    os: 'Betriebssystem',
    browser: 'Browser',
    referrer: 'Verweisende Seite',
    language: 'Sprache',
    rule: 'Regel',
    arm: 'Variante',
  },
  lists: {
    country: 'Länder',
    region: 'Regionen',
    city: 'Städte',
    deviceType: 'Geräte',
    os: 'Betriebssysteme',
    browser: 'Browser',
    referrer: 'Verweisende Seiten',
    language: 'Sprachen',
  },
}
