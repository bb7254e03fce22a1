import type { englishTerms } from './english-terms.ts'

/** French. */
export const frenchTerms: typeof englishTerms = {
  types: {
    URL: 'Lien',
    VCARD: 'Contact',
    WIFI: 'Wi-Fi',
    EMAIL: 'E-mail',
    SMS: 'Message',
    PHONE: 'Téléphone',
    TEXT: 'Texte',
    PDF: 'PDF',
    VIDEO: 'Vidéo',
    MENU: 'Menu',
    APP: 'Application',
    SOCIAL: 'Réseaux sociaux',
  },
  dimensions: {
    code: 'Code',
    country: 'Pays',
    region: 'Région',
    city: 'Ville',
    deviceType: 'Appareil',
    os: 'Système d’exploitation',
    browser: 'Navigateur',
    referrer: 'Provenance',
    language: 'Langue',
    rule: 'Règle',
    arm: 'Variante',
  },
  lists: {
    country: 'Pays',
    region: 'Régions',
    city: 'Villes',
    deviceType: 'Appareils',
    os: 'Systèmes d’exploitation',
    browser: 'Navigateurs',
    referrer: 'Provenances',
    language: 'Langues',
  },
}
