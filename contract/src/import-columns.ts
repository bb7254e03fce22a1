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

/** Every column of an import file for a type, in the order of the template. Tags in a cell are separated by semicolons. */
export function importColumns(type: QrCodeType): readonly ImportColumn[] {
  return [
    required('name', 'Spring poster'),
    ...ownColumns[type],
    optional('folder', 'Spring campaign'),
    optional('tags', 'spring;print'),
  ]
}
