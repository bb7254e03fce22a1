import type { QrCodeDataByType, QrCodeType } from '@everscan/contract/code-types/code-types.ts'
import { wifiEncryption, type WifiData } from '@everscan/contract/code-types/wifi.ts'
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
  return payloads[type]?.(data)
}

const link = ({ url }: { url?: string }) => url

/** Absent: only a page can show the content. */
const payloads: { readonly [T in QrCodeType]?: (data: QrCodeDataByType[T]) => string | undefined } = {
  URL: link,
  VCARD: writeVcard,
  WIFI: writeWifi,
  PDF: link,
  EMAIL: mailtoHref,
  SMS: ({ phone, message }) => `SMSTO:${dialedNumber(phone)}${message ? `:${message}` : ''}`,
  PHONE: ({ phone }) => telHref(phone),
  TEXT: ({ text }) => text,
  MENU: link,
  VIDEO: link,
}

/**
 * Returns the Wi-Fi format that ZXing defined and phones read. The format also allows quotes around
 * a value that could be mistaken for hexadecimal bytes. We leave them out: phones don't read a
 * password of digits as bytes, and some read the quotes as part of it.
 */
function writeWifi(data: WifiData): string {
  const encryption = wifiEncryption(data)
  const password = encryption === 'nopass' ? undefined : data.password
  return (
    `WIFI:T:${encryption};S:${escapeWifi(data.ssid)};` +
    (password ? `P:${escapeWifi(password)};` : '') +
    (data.hidden ? 'H:true;;' : ';')
  )
}

const escapeWifi = (text: string) => text.replace(/[\\;,:"]/g, '\\$&')
