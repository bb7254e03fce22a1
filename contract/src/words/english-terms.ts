import type { QrCodeType } from '../code-types/code-types.ts'

/** Names of types of codes and of filters, in the dashboard and in mails. */
export const englishTerms = {
  types: {
    URL: 'Link',
    VCARD: 'Contact',
    WIFI: 'Wi-Fi',
    EMAIL: 'E-mail',
    SMS: 'Message',
    PHONE: 'Phone',
    TEXT: 'Text',
    PDF: 'PDF',
    VIDEO: 'Video',
    MENU: 'Menu',
    APP: 'App',
    SOCIAL: 'Social',
  } satisfies Readonly<Record<QrCodeType, string>>,
  filters: {
    country: 'Country',
    region: 'Region',
    city: 'City',
    deviceType: 'Device',
    os: 'Operating system',
    browser: 'Browser',
    referrer: 'Referrer',
    rule: 'Rule',
    arm: 'Variant',
  },
}
