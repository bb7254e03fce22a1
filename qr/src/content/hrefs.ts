import type { EmailData } from '@everscan/contract/code-types/email.ts'
import type { SmsData } from '@everscan/contract/code-types/sms.ts'

/** Returns a `tel:` link (RFC 3966), which opens the dialer. The number may have separators. */
export function telHref(phone: string): string {
  return `tel:${encodeNumber(phone)}`
}

/** Returns a `mailto:` link (RFC 6068): reserved characters percent-encoded, line breaks CR LF. */
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
 * Returns an `sms:` link with a text. RFC 5724 puts the text after `?body=`, which Android reads.
 * iOS reads `&body=`; with a question mark it sometimes reads only the number.
 */
export function smsHref({ phone, message }: SmsData, system: 'ios' | 'other'): string {
  const body = message ? `${system === 'ios' ? '&' : '?'}body=${encodeText(message)}` : ''
  return `sms:${encodeNumber(phone)}${body}`
}

/**
 * Returns the characters of a formatted number that are dialed. Spaces, points, slashes and
 * brackets are visual separators (RFC 3966, 5.1.1).
 */
export function dialedNumber(phone: string): string {
  return phone.replace(/[ ()./-]/g, '')
}

/** Percent-encodes characters that would end the number in a link, like `#` in service codes. */
function encodeNumber(phone: string): string {
  return encodeText(dialedNumber(phone)).replace(/%2B|%2C|%3B/g, decodeURIComponent)
}

/** Replaces half a surrogate pair, valid in JSON but not in UTF-8, by U+FFFD. Never throws. */
function encodeText(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}
