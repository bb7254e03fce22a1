import { hash } from 'node:crypto'
import type { Language } from '@everscan/pages/languages/languages.ts'
import { noticePage, type Notice } from '@everscan/pages/notice-pages.ts'
import { pageStyle } from '@everscan/pages/page-style.ts'
import type { Page } from '@everscan/pages/page.ts'
import type { ContactFile } from '@everscan/pages/vcard-page.ts'
import { contentDisposition } from './file-names.ts'

/**
 * A response in full: its status, its head as a flat list of names and values, and its body, ready
 * to be sent many times.
 */
export type SentPage = { status: number; headers: readonly string[]; body: Buffer }

/**
 * Asks browsers to send the form factor with the next requests to this host: it tells tablets from
 * phones. Redirects do not ask, and no answer waits for it (there is no `Critical-CH`).
 */
const askedHints = { 'Accept-CH': 'Sec-CH-UA-Form-Factors' } as const

/** Headers that prevent a response from being stored, listed or misread. */
const unseenHeaders = {
  'Cache-Control': 'private, no-store',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
} as const

const pageStyleHash = hashOf(pageStyle)

/**
 * Returns the bytes of a page, with a policy that allows only its own styles, script and picture.
 */
export function sentPage({
  status,
  language,
  text,
  styles,
  script,
  hasPicture,
  hasForm,
  headers,
}: Page): SentPage {
  const body = Buffer.from(text)
  // Every page has the common style sheet, which is hashed once.
  const styleHashes = styles.map((style) => (style === pageStyle ? pageStyleHash : hashOf(style)))
  const sources = [
    "default-src 'none'",
    `style-src ${styleHashes.join(' ')}`,
    ...(hasPicture ? ['img-src data:'] : []),
    ...(script === undefined ? [] : [`script-src ${hashOf(script)}`]),
    "base-uri 'none'",
    // Browsers also compare the redirect that answers a form.
    hasForm === true ? "form-action 'self' http: https:" : "form-action 'none'",
    "frame-ancestors 'none'",
  ]
  return {
    status,
    headers: Object.entries({
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Length': String(body.length),
      'Content-Language': language,
      ...askedHints,
      ...unseenHeaders,
      'Content-Security-Policy': sources.join('; '),
      ...headers,
    }).flat(),
    body,
  }
}

const notices = new Map<string, SentPage>()

/** Returns the bytes of a notice. Each notice is created once in each language. */
export function sentNotice(notice: Notice, language: Language): SentPage {
  const key = `${notice} ${language}`
  let page = notices.get(key)
  if (page === undefined) {
    page = sentPage(noticePage(notice, language))
    notices.set(key, page)
  }
  return page
}

/** Returns the bytes of a contact file, which a phone saves; the same for HEAD and GET. */
export function sentContactFile({ name, text }: ContactFile): SentPage {
  const body = Buffer.from(text)
  return {
    status: 200,
    headers: Object.entries({
      'Content-Type': 'text/vcard; charset=utf-8',
      'Content-Length': String(body.length),
      'Content-Disposition': contentDisposition('attachment', name, 'vcf'),
      ...unseenHeaders,
    }).flat(),
    body,
  }
}

function hashOf(text: string): string {
  return `'sha256-${hash('sha256', text, 'base64')}'`
}
