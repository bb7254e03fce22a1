import type { EmailData, SmsData } from '@everscan/contract/code-types/qr-code-data.ts'

/** `tel:` (RFC 3966): opens the dialler with a number as people write it. */
export function telHref(phone: string): string {
  return `tel:${encodeNumber(phone)}`
}

/** `mailto:` (RFC 6068): everything that isn't unreserved is percent-encoded, line breaks are CR LF. */
export function mailtoHref({ email, subject, body }: EmailData): string {
  const at = email.lastIndexOf('@')
  const fields = [
    ...(subject ? [`subject=${encodeText(subject)}`] : []),
    ...(body ? [`body=${encodeText(body.replace(/\r\n|\r|\n/g, '\r\n'))}`] : []),
  ]
  const address =
    at < 0 ? encodeText(email) : `${encodeText(email.slice(0, at))}@${encodeText(email.slice(at + 1))}`
  return `mailto:${address}${fields.length === 0 ? '' : `?${fields.join('&')}`}`
}

/**
 * `sms:` with a text. RFC 5724 puts the text after `?body=`, which Android reads; iOS reads `&body=` and, with a question mark, at
 * times only the number.
 */
export function smsHref({ phone, message }: SmsData, system: 'ios' | 'other'): string {
  const body = message ? `${system === 'ios' ? '&' : '?'}body=${encodeText(message)}` : ''
  return `sms:${encodeNumber(phone)}${body}`
}

/** What is dialed of a number as people write it: spaces, points, slashes and brackets are for the eye (RFC 3966, 5.1.1). */
export function dialedNumber(phone: string): string {
  return phone.replace(/[ ()./-]/g, '')
}

/** What would end the number in a link, `#` of a service code above all, is percent-encoded. */
function encodeNumber(phone: string): string {
  return encodeText(dialedNumber(phone)).replace(/%2B|%2C|%3B/g, decodeURIComponent)
}

/** Half a surrogate pair, which JSON can hold and UTF-8 cannot, becomes U+FFFD in place of an exception. */
function encodeText(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}
