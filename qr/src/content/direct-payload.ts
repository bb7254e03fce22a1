import {
  type QrCodeDataByType,
  type QrCodeType,
  wifiEncryption,
} from '@everscan/contract/code-types/qr-code-data.ts'
import { dialedNumber, mailtoHref, telHref } from './hrefs.ts'
import { writeVcard } from './vcards.ts'

/**
 * Returns the text of a picture that holds the content itself instead of a short URL. Such a
 * picture works without a network and without us, but cannot be changed or counted. Returns
 * `undefined` for the types that only a page can show: APP, SOCIAL and a MENU without an address.
 *
 * @example
 * directPayload('WIFI', { ssid: 'Guests', password: 'a;b' }) // 'WIFI:T:WPA;S:Guests;P:a\\;b;;'
 * directPayload('PHONE', { phone: '+49 30 123456' }) // 'tel:+4930123456'
 */
export function directPayload<T extends QrCodeType>(type: T, data: QrCodeDataByType[T]): string | undefined {
  return payloads[type](data)
}

const payloads: { readonly [T in QrCodeType]: (data: QrCodeDataByType[T]) => string | undefined } = {
  URL: ({ url }) => url,
  PDF: ({ url }) => url,
  VIDEO: ({ url }) => url,
  MENU: ({ url }) => url,
  TEXT: ({ text }) => text,
  PHONE: ({ phone }) => telHref(phone),
  SMS: ({ phone, message }) => `SMSTO:${dialedNumber(phone)}${message ? `:${message}` : ''}`,
  EMAIL: mailtoHref,
  WIFI: writeWifi,
  VCARD: writeVcard,
  APP: () => undefined,
  SOCIAL: () => undefined,
}

/**
 * Returns the Wi-Fi format that ZXing defined and phones read. The format also allows quotes around
 * a value that could be mistaken for hexadecimal bytes. We leave them out: phones don't read a
 * password of digits as bytes, and some read the quotes as part of it.
 */
function writeWifi(data: QrCodeDataByType['WIFI']): string {
  const encryption = wifiEncryption(data)
  const password = encryption === 'nopass' ? undefined : data.password
  return (
    `WIFI:T:${encryption};S:${escapeWifi(data.ssid)};` +
    (password ? `P:${escapeWifi(password)};` : '') +
    (data.hidden ? 'H:true;;' : ';')
  )
}

const escapeWifi = (text: string) => text.replace(/[\\;,:"]/g, '\\$&')
