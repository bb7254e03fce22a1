/**
 * Every pattern that a schema uses, with what to say when a text does not match. JSON Schema gives an error nothing but the
 * pattern, so `problems.ts` finds the sentence by it.
 */
const table = {
  /** One line with something to see on it: names, labels, tags. NUL would also be refused by PostgreSQL. */
  line: ['^(?=[^\\u0000]*\\S)[^\\u0000-\\u001f\\u007f]*$', 'must not be empty or contain control characters'],
  /** One line, which may be empty. */
  optionalLine: ['^[^\\u0000-\\u001f\\u007f]*$', 'must be one line without control characters'],
  /** Several lines: tab and line breaks are the only control characters. */
  text: ['^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f]*$', 'must not contain control characters'],
  /** Any id that a client may send. An id of the wrong form is simply unknown, so almost everything passes. */
  id: ['^[^\\u0000-\\u001f\\u007f]+$', 'must be an id'],
  hexColor: ['^#[0-9A-Fa-f]{6}$', 'must be a hex color of the form "#RRGGBB"'],
  date: [
    '^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}(:\\d{2}([.,]\\d{1,9})?)?(Z|[+-]\\d{2}:?\\d{2})?)?$',
    'must be an ISO 8601 date or date and time, like "2026-03-01" or "2026-03-01T09:30:00Z"',
  ],
  timezone: ['^[A-Za-z][A-Za-z0-9_+/-]*$', 'must be an IANA time zone, like "Europe/Berlin"'],
  country: ['^[A-Z]{2}$', 'must be an ISO 3166-1 country code in upper case, like "DE" ("XX" for unknown)'],
  currency: ['^[A-Z]{3}$', 'must be an ISO 4217 currency code in upper case, like "EUR"'],
  email: ['^[^\\s@\\u0000-\\u001f\\u007f]+@[^\\s@\\u0000-\\u001f\\u007f]+$', 'must be an e-mail address'],
  phone: [
    '^(?=.*[0-9])[+*#(0-9][0-9 ()+./*#,;-]*$',
    'must be a phone number: digits, spaces and + - ( ) . / * # only, like "+49 30 123456"',
  ],
  shortCode: ['^[A-Za-z0-9-]{4,32}$', 'must be 4 to 32 letters, digits or "-"'],
  metadataKey: ['^[^\\u0000-\\u001f\\u007f]{1,50}$', 'must be 1 to 50 characters'],
  logo: [
    '^data:image/(png|jpeg|webp|svg\\+xml);base64,[A-Za-z0-9+/]+={0,2}$',
    'must be a data URI of a PNG, JPEG, WebP or SVG picture in base64',
  ],
  ids: ['^[^\\u0000-\\u001f\\u007f]+$', 'must be ids separated by commas'],
} as const satisfies Record<string, readonly [pattern: string, message: string]>

type Name = keyof typeof table

/** The patterns by name, as JSON Schema wants them. They mean the same with and without the `u` flag. */
export const patterns = Object.fromEntries(
  Object.entries(table).map(([name, [pattern]]) => [name, pattern]),
) as Readonly<Record<Name, string>>

/** What to say when a text does not match a pattern, by the pattern itself. */
export const patternMessages: ReadonlyMap<string, string> = new Map(Object.values(table))
