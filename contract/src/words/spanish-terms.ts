import type { englishTerms } from './english-terms.ts'

/** Spanish. */
export const spanishTerms: typeof englishTerms = {
  types: {
    URL: 'Enlace',
    VCARD: 'Contacto',
    WIFI: 'Wi-Fi',
    EMAIL: 'Correo',
    SMS: 'Mensaje',
    PHONE: 'Teléfono',
    TEXT: 'Texto',
    PDF: 'PDF',
    VIDEO: 'Vídeo',
    MENU: 'Carta',
    APP: 'App',
    SOCIAL: 'Redes sociales',
  },
  dimensions: {
    code: 'Código',
    country: 'País',
    region: 'Región',
    city: 'Ciudad',
    deviceType: 'Dispositivo',
    os: 'Sistema operativo',
    browser: 'Navegador',
    referrer: 'Procedencia',
    language: 'Idioma',
    rule: 'Regla',
    arm: 'Variante',
  },
  lists: {
    country: 'Países',
    region: 'Regiones',
    city: 'Ciudades',
    deviceType: 'Dispositivos',
    os: 'Sistemas operativos',
    browser: 'Navegadores',
    referrer: 'Procedencias',
    language: 'Idiomas',
  },
}
