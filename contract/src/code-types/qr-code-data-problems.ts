import { Errors } from 'typebox/value'
import { destinationProblem } from './destinations.ts'
import { joinPath, problemsOf, type Problem } from '../schema/problems.ts'
import { qrCodeDataSchemas, type QrCodeType } from './qr-code-data.ts'
import { isRecord } from '../schema/records.ts'

/**
 * Everything that is wrong with the content of a code of `type`; empty when it may be stored. Checks the schema, the rules
 * between fields, and every destination. The API, imports and the dashboard all ask here, so they say the same. `prefix` is
 * where the content stands in what was sent. The server's own host is checked by the server (see `destinationsOf`).
 *
 * @example qrCodeDataProblems('URL', { url: 'ftp://x' }, 'data')
 * // [{ path: 'data.url', message: 'must begin with http:// or https://' }]
 */
export function qrCodeDataProblems(type: QrCodeType, data: unknown, prefix = ''): Problem[] {
  const problems = problemsOf(Errors(qrCodeDataSchemas[type], data), data, prefix)
  if (problems.length > 0 || !isRecord(data)) return problems
  const destinations = destinationsOf(type, data, prefix).flatMap(({ path, url }) => {
    const message = destinationProblem(url)
    return message === undefined ? [] : [{ path, message }]
  })
  return [...(fieldRules[type]?.(data, prefix) ?? []), ...destinations]
}

type Fields = Readonly<Record<string, unknown>>

/** The rules between fields, which a schema can only say with unclear errors. */
const fieldRules: { readonly [T in QrCodeType]?: (data: Fields, prefix: string) => Problem[] } = {
  WIFI: ({ ssid }, prefix) => {
    const bytes = new TextEncoder().encode(String(ssid)).length
    if (bytes <= 32) return []
    return [{ path: joinPath(prefix, 'ssid'), message: `must have at most 32 bytes in UTF-8, got ${bytes}` }]
  },
  MENU: ({ url, title, sections }, prefix) => {
    const writtenOut = title !== undefined || sections !== undefined
    if (url !== undefined && writtenOut) {
      return [{ path: prefix, message: 'must have either "url" or "title" with "sections", not both' }]
    }
    if (url !== undefined) return []
    if (!writtenOut) return [{ path: prefix, message: 'must have "url", or "title" with "sections"' }]
    if (title === undefined)
      return [{ path: joinPath(prefix, 'title'), message: 'is required with "sections"' }]
    if (sections === undefined) {
      return [{ path: joinPath(prefix, 'sections'), message: 'is required with "title"' }]
    }
    return []
  },
  APP: ({ iosUrl, androidUrl, fallbackUrl }, prefix) => {
    if (iosUrl !== undefined || androidUrl !== undefined || fallbackUrl !== undefined) return []
    return [{ path: prefix, message: 'must have one at least of "iosUrl", "androidUrl" and "fallbackUrl"' }]
  },
}

/** The fields of each type that are sent to a phone as addresses. */
const urlFields: { readonly [T in QrCodeType]?: readonly string[] } = {
  URL: ['url'],
  VCARD: ['website'],
  PDF: ['url'],
  MENU: ['url'],
  APP: ['iosUrl', 'androidUrl', 'fallbackUrl'],
  VIDEO: ['url'],
}

/** Every address in the content of a code, with its path; what is no text is left out. */
export function destinationsOf(type: QrCodeType, data: Fields, prefix = ''): { path: string; url: string }[] {
  const single = (urlFields[type] ?? []).map((name) => ({ path: joinPath(prefix, name), url: data[name] }))
  const links: unknown[] = type === 'SOCIAL' && Array.isArray(data['links']) ? data['links'] : []
  const linksPath = joinPath(prefix, 'links')
  const many = links.map((link, index) => ({
    path: joinPath(joinPath(linksPath, index), 'url'),
    url: isRecord(link) ? link['url'] : undefined,
  }))
  return [...single, ...many].filter(
    (found): found is { path: string; url: string } => typeof found.url === 'string',
  )
}
