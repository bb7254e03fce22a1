import type { PayloadKind } from '@everscan/contract/code-types/code-type.ts'
import {
  codeType,
  type codeTypes,
  type QrCodeDataByType,
  type QrCodeType,
} from '@everscan/contract/code-types/code-types.ts'
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
  const { payload } = codeType(type)
  if (payload === undefined) return undefined
  // The content of a type is that of its kind of payload: `payloads` does not compile otherwise.
  const write: (data: never) => string | undefined = payloads[payload]
  return write(data as never)
}

/** The types whose payload is of a kind. */
type TypeOf<Kind extends PayloadKind> = {
  [T in QrCodeType]: (typeof codeTypes)[T] extends { payload: Kind } ? T : never
}[QrCodeType]

const payloads: { readonly [K in PayloadKind]: (data: QrCodeDataByType[TypeOf<K>]) => string | undefined } = {
  link: ({ url }) => url,
  text: ({ text }) => text,
  call: ({ phone }) => telHref(phone),
  message: ({ phone, message }) => `SMSTO:${dialedNumber(phone)}${message ? `:${message}` : ''}`,
  mail: mailtoHref,
  network: writeWifi,
  contact: writeVcard,
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
