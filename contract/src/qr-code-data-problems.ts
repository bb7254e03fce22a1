import { Errors } from 'typebox/value'
import { destinationProblem } from './destinations.ts'
import { joinPath, problemsOf, type Problem } from './problems.ts'
import { qrCodeDataSchemas, type AppData, type MenuData, type QrCodeType } from './qr-code-data.ts'

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
  if (problems.length > 0) return problems
  return [
    ...(fieldRules[type]?.(data as Record<string, unknown>, prefix) ?? []),
    ...destinationsOf(type, data, prefix).flatMap(({ path, url }) => {
      const message = destinationProblem(url)
      return message === undefined ? [] : [{ path, message }]
    }),
  ]
}

/** The rules between fields that a schema can only say with unclear errors. */
const fieldRules: {
  readonly [T in QrCodeType]?: (data: Record<string, unknown>, prefix: string) => Problem[]
} = {
  MENU: (data, prefix) => {
    const { url, title, sections } = data as MenuData
    if (url !== undefined) {
      return title === undefined && sections === undefined
        ? []
        : [{ path: prefix, message: 'must have either "url" or "title" with "sections", not both' }]
    }
    if (title === undefined && sections === undefined) {
      return [{ path: prefix, message: 'must have "url", or "title" with "sections"' }]
    }
    if (title === undefined)
      return [{ path: joinPath(prefix, 'title'), message: 'is required with "sections"' }]
    if (sections === undefined)
      return [{ path: joinPath(prefix, 'sections'), message: 'is required with "title"' }]
    return []
  },
  APP: (data, prefix) => {
    const { iosUrl, androidUrl, fallbackUrl } = data as AppData
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

/** Every address in the content of a code, with its path. The content must fit its schema. */
export function destinationsOf(
  type: QrCodeType,
  data: unknown,
  prefix = '',
): { path: string; url: string }[] {
  const fields = data as Record<string, unknown>
  const single = (urlFields[type] ?? []).flatMap((name) => {
    const url = fields[name]
    return typeof url === 'string' ? [{ path: joinPath(prefix, name), url }] : []
  })
  const links = type === 'SOCIAL' ? (fields['links'] as { url: string }[]) : []
  const many = links.map(({ url }, index) => ({
    path: joinPath(joinPath(joinPath(prefix, 'links'), index), 'url'),
    url,
  }))
  return [...single, ...many]
}
