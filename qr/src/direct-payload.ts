import { type QrCodeDataByType, type QrCodeType, wifiEncryption } from '@everscan/contract/qr-code-data.ts'

/**
 * What a picture encodes when it holds the content itself instead of a short URL: it then works without a network
 * and without us, but cannot be changed or counted. `undefined` for the types that only a page can show: APP, SOCIAL
 * and a MENU that is written out.
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
  PHONE: ({ phone }) => `tel:${dialed(phone)}`,
  SMS: ({ phone, message }) => `SMSTO:${dialed(phone)}${message ? `:${message}` : ''}`,
  EMAIL: writeMailto,
  WIFI: writeWifi,
  VCARD: writeVcard,
  APP: () => undefined,
  SOCIAL: () => undefined,
}

/** What is dialed of a number as people write it: spaces, points, slashes and brackets are for the eye (RFC 3966, 5.1.1). */
function dialed(phone: string): string {
  return phone.replace(/[ ()./-]/g, '').replaceAll('#', '%23')
}

/** RFC 6068: everything that isn't unreserved is percent-encoded, line breaks as CR LF. */
function writeMailto({ email, subject, body }: QrCodeDataByType['EMAIL']): string {
  const at = email.lastIndexOf('@')
  const fields = [
    ...(subject ? [`subject=${encodeURIComponent(subject)}`] : []),
    ...(body ? [`body=${encodeURIComponent(body.replace(/\r\n|\r|\n/g, '\r\n'))}`] : []),
  ]
  const address = `${encodeURIComponent(email.slice(0, at))}@${encodeURIComponent(email.slice(at + 1))}`
  return `mailto:${address}${fields.length === 0 ? '' : `?${fields.join('&')}`}`
}

/**
 * The form that ZXing set and phones read. It also has quotes around what could be taken for hexadecimal bytes, which
 * are left out: phones don't take a password of digits for bytes, and some take the quotes for a part of it.
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

/** vCard 3.0 (RFC 2426): the version that every phone reads. Lines aren't folded: that would only make the code larger. */
function writeVcard(card: QrCodeDataByType['VCARD']): string {
  const { firstName, lastName, address } = card
  const places = [address?.street, address?.city, address?.state, address?.zip, address?.country]
  const lines = [
    'BEGIN:VCARD',
    'VERSION:3.0',
    `N:${escapeVcard(lastName)};${escapeVcard(firstName)};;;`,
    `FN:${escapeVcard(`${firstName} ${lastName}`)}`,
    writeLine('ORG', card.company),
    writeLine('TITLE', card.title),
    writeLine('TEL', card.phone),
    writeLine('EMAIL', card.email),
    // A URI, which is not escaped.
    card.website ? `URL:${card.website}` : '',
    places.some(Boolean) ? `ADR:;;${places.map((place) => escapeVcard(place ?? '')).join(';')}` : '',
    writeLine('NOTE', card.note),
    'END:VCARD',
  ]
  return lines.filter((line) => line !== '').join('\r\n') + '\r\n'
}

const writeLine = (name: string, text: string | undefined) => (text ? `${name}:${escapeVcard(text)}` : '')

const escapeVcard = (text: string) => text.replace(/[\\;,]/g, '\\$&').replace(/\r\n|\r|\n/g, '\\n')
