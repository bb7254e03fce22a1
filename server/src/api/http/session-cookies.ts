import type { IncomingHttpHeaders } from 'node:http'
import { sessionCookie } from '@everscan/contract/resources/sessions.ts'
import { readCookie, setCookie } from './cookies.ts'

/** The token in the session cookie of a request, or undefined without such a cookie. */
export function sessionTokenOf(headers: IncomingHttpHeaders, publicUrl: string): string | undefined {
  return readCookie(headers, sessionCookie, { publicUrl })
}

/** The `Set-Cookie` header that sets the session cookie. */
export function setSessionCookie(
  { token, lastsMs }: { token: string; lastsMs: number },
  publicUrl: string,
): string {
  return setCookie({ name: sessionCookie, value: token, lastsMs }, { publicUrl })
}

/** The `Set-Cookie` header that deletes the session cookie. */
export function endSessionCookie(publicUrl: string): string {
  return setSessionCookie({ token: '', lastsMs: 0 }, publicUrl)
}
