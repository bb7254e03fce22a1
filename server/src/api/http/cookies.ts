import type { IncomingHttpHeaders } from 'node:http'
import { parseCookie, stringifySetCookie } from 'cookie'

/**
 * Over https, neither another host nor an attacker on plain http can set a cookie with this prefix
 * (RFC 6265bis section 4.1.3.2).
 */
const hostPrefix = '__Host-'

/** The value of a cookie of a request, or undefined without such a cookie. */
export function readCookie(
  headers: IncomingHttpHeaders,
  name: string,
  publicUrl: string,
): string | undefined {
  return headers.cookie === undefined ? undefined : parseCookie(headers.cookie)[fullName(name, publicUrl)]
}

/** The `Set-Cookie` header of a cookie that no page can read. */
export function setCookie(
  { name, value, lastsMs }: { name: string; value: string; lastsMs: number },
  publicUrl: string,
): string {
  return stringifySetCookie({
    name: fullName(name, publicUrl),
    value,
    httpOnly: true,
    sameSite: 'lax',
    path: '/',
    secure: isSecure(publicUrl),
    maxAge: Math.floor(lastsMs / 1000),
  })
}

function fullName(name: string, publicUrl: string): string {
  return isSecure(publicUrl) ? hostPrefix + name : name
}

function isSecure(publicUrl: string): boolean {
  return publicUrl.startsWith('https:')
}
