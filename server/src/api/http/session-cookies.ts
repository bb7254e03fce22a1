import type { IncomingHttpHeaders } from 'node:http'
import { sessionCookie } from '@everscan/contract/resources/sessions.ts'
import { parseCookie, stringifySetCookie } from 'cookie'

/**
 * Over https, neither another host nor an attacker on plain http can set a cookie with this prefix
 * (RFC 6265bis section 4.1.3.2).
 */
const hostPrefix = '__Host-'

/** The token in the session cookie of a request, or undefined without such a cookie. */
export function sessionTokenOf(headers: IncomingHttpHeaders, publicUrl: string): string | undefined {
  return headers.cookie === undefined ? undefined : parseCookie(headers.cookie)[cookieName(publicUrl)]
}

/** The header that sets the session cookie. */
export function sessionCookieHeaders(
  { token, lastsMs }: { token: string; lastsMs: number },
  publicUrl: string,
): Record<string, string> {
  return {
    'set-cookie': stringifySetCookie({
      name: cookieName(publicUrl),
      value: token,
      httpOnly: true,
      sameSite: 'lax',
      path: '/',
      secure: isSecure(publicUrl),
      maxAge: Math.floor(lastsMs / 1000),
    }),
  }
}

/** The header that deletes the session cookie. */
export function endedCookieHeaders(publicUrl: string): Record<string, string> {
  return sessionCookieHeaders({ token: '', lastsMs: 0 }, publicUrl)
}

function cookieName(publicUrl: string): string {
  return isSecure(publicUrl) ? hostPrefix + sessionCookie : sessionCookie
}

function isSecure(publicUrl: string): boolean {
  return publicUrl.startsWith('https:')
}
