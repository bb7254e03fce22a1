import type { ScanTarget } from '../db/scan-lookup.ts'
import { prepareIds } from '../journal/raw-scan.ts'
import { createPage, goneCodePage, unknownCodePage, type PageContent } from './pages.ts'

/** What a scan of a code gets, prepared once and kept in memory. */
export type ScanAnswer = Reply & {
  /** Set when the hit is recorded: whose it is, also as the journal takes it. */
  recorded?: { qrCodeId: string; ids: Uint8Array }
  /** For codes that answer by device. */
  byUserAgent?: (userAgent: string) => Reply
}

type Reply = { status: number; headers: string[]; body?: Buffer }
type Fields = Record<string, unknown>

/** The answer to a scan; `undefined` is a code that was never assigned. Source: decisions, "What a scan gets". */
export function prepareAnswer(target: ScanTarget | undefined): ScanAnswer {
  if (target === undefined) return unknownCodePage
  if (target.status !== 'ACTIVE') return goneCodePage
  const data = (target.data ?? {}) as Fields
  const { organizationId, qrCodeId } = target
  const recorded = { qrCodeId, ids: prepareIds(organizationId, qrCodeId) }
  if (target.type === 'APP')
    return {
      ...appReply(target, data, ''),
      recorded,
      byUserAgent: (userAgent) => appReply(target, data, userAgent),
    }
  const url = textOf(data['url'])
  const redirected = ['URL', 'PDF', 'VIDEO'].includes(target.type) || (target.type === 'MENU' && url !== '')
  return { ...(redirected ? redirectReply(target, url) : createPage(landingContent(target, data))), recorded }
}

function redirectReply(target: ScanTarget, url: string): Reply {
  const location = safeLocation(url)
  // Only data that was written past the interface can be unsafe; a page is better than an open redirect.
  if (location === undefined) return createPage({ status: 200, title: target.name })
  return {
    status: 302,
    headers: ['Location', location, 'Cache-Control', 'private, no-store', 'Content-Length', '0'],
  }
}

/** ASCII only, as a header must be; http and https only. */
function safeLocation(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  const { protocol, href } = new URL(url)
  return protocol === 'http:' || protocol === 'https:' ? href : undefined
}

function appReply(target: ScanTarget, data: Fields, userAgent: string): Reply {
  const ios = textOf(data['iosUrl'])
  const android = textOf(data['androidUrl'])
  const fallback = textOf(data['fallbackUrl'])
  const byDevice = /iPhone|iPad|iPod/.test(userAgent) ? ios : /Android/.test(userAgent) ? android : ''
  const url = byDevice || fallback
  if (url !== '') return redirectReply(target, url)
  const stores = [
    ['App Store', ios],
    ['Google Play', android],
  ] as const
  return createPage({ status: 200, title: target.name, links: stores.filter(([, href]) => href !== '') })
}

function landingContent({ type, name }: ScanTarget, data: Fields): PageContent {
  const text = (key: string): string => textOf(data[key])
  const content = { status: 200, title: name }
  switch (type) {
    case 'EMAIL':
      return { ...content, fields: fieldsOf(data), links: [[`Write to ${text('email')}`, mailtoHref(data)]] }
    case 'SMS':
      return { ...content, fields: fieldsOf(data), links: [[`Message ${text('phone')}`, smsHref(data)]] }
    case 'PHONE':
      return {
        ...content,
        links: [[`Call ${text('phone')}`, `tel:${encodeURIComponent(text('phone')).replaceAll('%2B', '+')}`]],
      }
    case 'SOCIAL':
      return { ...content, title: text('title') || name, links: socialLinks(data) }
    default:
      return { ...content, title: text('title') || name, fields: fieldsOf(data) }
  }
}

function mailtoHref(data: Fields): string {
  const query = ['subject', 'body'].flatMap((key) => {
    const value = textOf(data[key])
    return value === '' ? [] : [`${key}=${encodeURIComponent(value)}`]
  })
  return `mailto:${encodeURIComponent(textOf(data['email'])).replaceAll('%40', '@')}${query.length === 0 ? '' : `?${query.join('&')}`}`
}

function smsHref(data: Fields): string {
  const message = textOf(data['message'])
  const number = encodeURIComponent(textOf(data['phone'])).replaceAll('%2B', '+')
  // RFC 5724 has "?body=", which both systems read today.
  return `sms:${number}${message === '' ? '' : `?body=${encodeURIComponent(message)}`}`
}

function socialLinks(data: Fields): (readonly [string, string])[] {
  const links = Array.isArray(data['links']) ? (data['links'] as Fields[]) : []
  return links.map(
    (link) => [textOf(link['label']) || textOf(link['platform']), textOf(link['url'])] as const,
  )
}

/** Names and values of a record in reading order, records within it flattened ("address city"). */
function fieldsOf(data: Fields, prefix = ''): (readonly [string, string])[] {
  return Object.entries(data).flatMap(([key, value]) => {
    const name = prefix === '' ? key : `${prefix} ${key}`
    if (Array.isArray(value))
      return value.flatMap((entry) => (isFields(entry) ? fieldsOf(entry) : [[name, textOf(entry)] as const]))
    if (isFields(value)) return fieldsOf(value, key)
    const text = typeof value === 'boolean' ? (value ? 'yes' : 'no') : textOf(value)
    return text === '' ? [] : [[name, text] as const]
  })
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}
