import type { QrCodeType } from '../code-types/code-types.ts'
import type { Dimension, ListedDimension } from '../dimensions/dimensions.ts'

/** Names of types of codes, of dimensions, and of their lists, in the dashboard and in mails. */
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
  dimensions: {
    code: 'Code',
    country: 'Country',
    region: 'Region',
    city: 'City',
    deviceType: 'Device',
    os: 'Operating system',
    browser: 'Browser',
    referrer: 'Referrer',
    language: 'Language',
    rule: 'Rule',
    arm: 'Variant',
  } satisfies Readonly<Record<Dimension, string>>,
  lists: {
    country: 'Countries',
    region: 'Regions',
    city: 'Cities',
    deviceType: 'Devices',
    os: 'Operating systems',
    browser: 'Browsers',
    referrer: 'Referrers',
    language: 'Languages',
  } satisfies Readonly<Record<ListedDimension, string>>,
}
