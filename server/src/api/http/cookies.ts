import type { IncomingHttpHeaders } from 'node:http'
import { parseCookie, stringifySetCookie } from 'cookie'

/**
 * Over https, neither another host nor an attacker on plain http can set a cookie with this prefix
 * (RFC 6265bis section 4.1.3.2).
 */
const hostPrefix = '__Host-'
/** The same against plain http, for a cookie of one path, which the other prefix does not allow. */
const securePrefix = '__Secure-'

/** The value of a cookie of a request, or undefined without such a cookie. */
export function readCookie(
  headers: IncomingHttpHeaders,
  name: string,
  { publicUrl, path }: CookieSite,
): string | undefined {
  return headers.cookie === undefined
    ? undefined
    : parseCookie(headers.cookie)[fullName(name, { publicUrl, path })]
}

/** Browsers send a cookie with a path only to it and to paths below it. */
export type CookieSite = { publicUrl: string; path?: string | undefined }

/** The `Set-Cookie` header of a cookie that no page can read. */
export function setCookie(
  { name, value, lastsMs }: { name: string; value: string; lastsMs: number },
  { publicUrl, path }: CookieSite,
): string {
  return stringifySetCookie({
    name: fullName(name, { publicUrl, path }),
    value,
    httpOnly: true,
    sameSite: 'lax',
    path: path ?? '/',
    secure: isSecure(publicUrl),
    maxAge: Math.floor(lastsMs / 1000),
  })
}

function fullName(name: string, { publicUrl, path }: CookieSite): string {
  if (!isSecure(publicUrl)) return name
  return (path === undefined ? hostPrefix : securePrefix) + name
}

function isSecure(publicUrl: string): boolean {
  return publicUrl.startsWith('https:')
}
