import type { VcardData } from '@everscan/contract/code-types/vcard.ts'

/** The maximum octets of a line that RFC 2426 (2.6) recommends, without the line break. */
const lineOctetsMax = 75

/**
 * Returns a contact as vCard 3.0 (RFC 2426), the version that every phone reads. Lines end with CR
 * LF, fields are escaped, text is well-formed. Lines aren't folded, because folding would only make
 * a picture larger; use `foldLines` for a file.
 */
export function writeVcard(card: VcardData): string {
  const { firstName, lastName, address } = card
  const places = [address?.street, address?.city, address?.state, address?.zip, address?.country]
  const lines = [
    'BEGIN:VCARD',
    'VERSION:3.0',
    `N:${escapeText(lastName)};${escapeText(firstName)};;;`,
    `FN:${escapeText(`${firstName} ${lastName}`)}`,
    writeLine('ORG', card.company),
    writeLine('TITLE', card.title),
    writeLine('TEL', card.phone),
    writeLine('EMAIL', card.email),
    // A URI is not escaped and has no line breaks.
    card.website ? `URL:${withoutControls(card.website).replace(/\s/g, '')}` : '',
    places.some(Boolean) ? `ADR:;;${places.map((place) => escapeText(place ?? '')).join(';')}` : '',
    writeLine('NOTE', card.note),
    'END:VCARD',
  ]
  return lines.filter((line) => line !== '').join('\r\n') + '\r\n'
}

/**
 * Folds the lines of a vCard for a file. A line has at most 75 octets in UTF-8, and a continuation
 * line begins with a space. A fold never splits a character: some readers read a split character as
 * two broken ones.
 */
export function foldLines(vcard: string): string {
  return vcard.split('\r\n').map(foldLine).join('\r\n')
}

function foldLine(line: string): string {
  const parts: string[] = []
  let part = ''
  let octets = 0
  for (const character of line) {
    const size = octetsOf(character)
    if (octets + size > lineOctetsMax) {
      parts.push(part)
      part = ' '
      octets = 1
    }
    part += character
    octets += size
  }
  return [...parts, part].join('\r\n')
}

/** Returns the octets of one character in UTF-8. */
function octetsOf(character: string): number {
  const point = character.codePointAt(0) ?? 0
  return point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4
}

const writeLine = (name: string, text: string | undefined) => (text ? `${name}:${escapeText(text)}` : '')

const escapeText = (text: string) =>
  withoutControls(text)
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\r\n|\r|\n/g, '\\n')

/** Removes control characters except tab and line breaks. Half a surrogate pair becomes U+FFFD. */
const withoutControls = (text: string) =>
  // oxlint-disable-next-line no-control-regex
  text.toWellFormed().replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, '')
