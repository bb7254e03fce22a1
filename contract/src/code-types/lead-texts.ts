import { fieldsOf, listOf, textOf, type Fields } from '../schema/fields.ts'
import type { QrCodeType } from './code-types.ts'

/** Characters of a text that say what it is. */
const textCharsMax = 100

type LeadTexts = (data: Fields) => readonly string[]

const valuesOf =
  (...names: readonly string[]): LeadTexts =>
  (data) =>
    names.map((name) => textOf(data, name))

const leadTextsByType: Readonly<Record<QrCodeType, LeadTexts>> = {
  URL: valuesOf('url'),
  PDF: valuesOf('url'),
  VIDEO: valuesOf('url'),
  MENU: valuesOf('url', 'title'),
  APP: valuesOf('fallbackUrl', 'iosUrl', 'androidUrl'),
  VCARD: (data) => [
    `${textOf(data, 'firstName')} ${textOf(data, 'lastName')}`.trim(),
    ...valuesOf('company', 'email', 'phone', 'website')(data),
  ],
  WIFI: valuesOf('ssid'),
  EMAIL: valuesOf('email'),
  SMS: valuesOf('phone'),
  PHONE: valuesOf('phone'),
  TEXT: (data) => [Array.from(textOf(data, 'text')).slice(0, textCharsMax).join('')],
  SOCIAL: (data) => [textOf(data, 'title'), ...listOf(data, 'links').map((link) => textOf(link, 'url'))],
}

/**
 * Returns where a code leads, the most telling text first: addresses, recipients, the names of a
 * network, a contact or a page, the beginning of a text. Lists show the first one, and searches
 * find all of them. A password or a message is never one of them.
 */
export function leadTexts(type: QrCodeType, data: Fields): string[] {
  return leadTextsByType[type](fieldsOf(data)).filter((text) => text.trim() !== '')
}
