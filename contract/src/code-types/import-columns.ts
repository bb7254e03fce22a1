import type { QrCodeType } from './qr-code-data.ts'

/** A column of an import file, with what the template shows in it. */
export type ImportColumn = { name: string; required: boolean; example: string }

const required = (name: string, example: string): ImportColumn => ({ name, required: true, example })
const optional = (name: string, example: string): ImportColumn => ({ name, required: false, example })

/** The columns of each type's own; the source is section 4 of the decisions. */
const ownColumns: { readonly [T in QrCodeType]: readonly ImportColumn[] } = {
  URL: [required('url', 'https://example.com/spring')],
  VCARD: [
    required('firstName', 'Ada'),
    required('lastName', 'Lovelace'),
    optional('email', 'ada@example.com'),
    optional('phone', '+44 20 7946 0000'),
    optional('company', 'Analytical Engines Ltd'),
    optional('title', 'Mathematician'),
  ],
  WIFI: [
    required('ssid', 'Guests'),
    optional('password', 'welcome-2026'),
    optional('encryption', 'WPA'),
    optional('hidden', 'false'),
  ],
  PDF: [required('url', 'https://example.com/manual.pdf')],
  EMAIL: [
    required('email', 'hello@example.com'),
    optional('subject', 'A question'),
    optional('body', 'Good morning'),
  ],
  SMS: [required('phone', '+49 30 123456'), optional('message', 'Please call me back')],
  PHONE: [required('phone', '+49 30 123456')],
  TEXT: [required('text', 'The meeting is in room 12.')],
  MENU: [required('url', 'https://example.com/menu')],
  APP: [
    optional('iosUrl', 'https://apps.apple.com/app/id1'),
    optional('androidUrl', 'https://play.google.com/store/apps/details?id=com.example'),
    optional('fallbackUrl', 'https://example.com/app'),
  ],
  VIDEO: [required('url', 'https://example.com/film')],
  SOCIAL: [
    optional('title', 'Follow us'),
    optional('website', 'https://example.com'),
    optional('facebook', 'https://www.facebook.com/example'),
    optional('instagram', 'https://www.instagram.com/example'),
    optional('x', 'https://x.com/example'),
    optional('linkedin', 'https://www.linkedin.com/company/example'),
    optional('youtube', 'https://www.youtube.com/@example'),
    optional('tiktok', 'https://www.tiktok.com/@example'),
  ],
}

/** Columns that files of rejected rows have beside those of the import: they are passed over, so that such a file imports as it is. */
export const importErrorColumns = ['row', 'error'] as const

/** A column of a file: what it is, null when it is passed over, undefined when it is none of the type's or stands there twice. */
export type ImportFileColumn = { name: string; column: string | null | undefined; repeated: boolean }

/** What the columns of a file are, in any letter case, and which columns it should have and has not. */
export function readImportHeader(
  type: QrCodeType,
  header: readonly string[],
): { columns: ImportFileColumn[]; missing: string[] } {
  const known = importColumns(type)
  const byName = new Map<string, string | null>([
    ...known.map(({ name }) => [name.toLowerCase(), name] as const),
    ...importErrorColumns.map((name) => [name, null] as const),
  ])
  const seen = new Set<string>()
  const columns = header.map((written) => {
    const name = written.trim()
    const folded = name.toLowerCase()
    const repeated = byName.has(folded) && seen.has(folded)
    seen.add(folded)
    return { name, column: repeated ? undefined : byName.get(folded), repeated }
  })
  const missing = known.filter(
    ({ name, required: isRequired }) => isRequired && !seen.has(name.toLowerCase()),
  )
  return { columns, missing: missing.map(({ name }) => name) }
}

const delimiters = [',', ';', '\t'] as const

/** What separates the columns of a CSV text: a comma, a semicolon or a tab, whichever its first row has most of outside of quotes. */
export function importDelimiter(head: string): string {
  const [row = ''] = withoutQuoted(head)
    .trimStart()
    .split(/[\n\r]/, 1)
  const counts = delimiters.map((delimiter) => ({ delimiter, count: row.split(delimiter).length }))
  return counts.reduce((most, one) => (one.count > most.count ? one : most)).delimiter
}

/** A text with nothing left in its quotes. */
export function withoutQuoted(text: string): string {
  return text.replaceAll(/"[^"]*("|$)/g, '"')
}

/** Every column of an import file for a type, in the order of the template. Tags in a cell are separated by semicolons. */
export function importColumns(type: QrCodeType): readonly ImportColumn[] {
  return [
    required('name', 'Spring poster'),
    ...ownColumns[type],
    optional('folder', 'Spring campaign'),
    optional('tags', 'spring;print'),
  ]
}
