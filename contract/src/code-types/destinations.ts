import { problem } from '../problems/local-problem.ts'
import type { Problem } from '../problems/problem.ts'
import { limits } from '../schema/limits.ts'

// Control characters, white space, and characters that change the reading direction (a way to
// disguise a host).
const forbiddenCharacters =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0020\u007f-\u00a0\u1680\u2000-\u200b\u200e\u200f\u2028-\u202f\u205f-\u2064\u2066-\u2069\u3000\ufeff]/u

/**
 * Returns the reason why a URL may not be a destination, or undefined if it may. Accepts only
 * absolute http and https URLs of at most 2,048 characters. Every reader must see the same host: no
 * user name or password, no backslash, and no spaces or control characters, which browsers drop or
 * change (WHATWG URL, "basic URL parser"). The server also refuses its own host.
 *
 * @example destinationProblem('javascript:alert(1)')?.problem // 'notHttp'
 */
export function destinationProblem(url: string): Problem | undefined {
  if (url === '') return problem('empty')
  if (url.length > limits.urlCharsMax) return problem('tooLong', { max: limits.urlCharsMax, got: url.length })
  if (forbiddenCharacters.test(url)) return problem('urlWithSpaces')
  if (url.includes('\\')) return problem('urlWithBackslash')
  const head = /^https?:\/\/([^/?#]*)/i.exec(url)
  if (!head) return problem('notHttp')
  const authority = head[1] ?? ''
  if (authority === '') return problem('urlWithoutHost')
  if (authority.includes('@')) return problem('urlWithCredentials')
  if (!URL.canParse(url)) return problem('notUrl')
  const address = numericHost(authority, new URL(url).hostname)
  if (address !== undefined) return problem('urlWithNumber', { address })
  if (new URL(url).href.length > limits.urlEncodedCharsMax)
    return problem('urlTooLongEncoded', { max: limits.urlEncodedCharsMax })
  return undefined
}

/**
 * Returns the address that browsers read from a host whose last label is a number, unless it is
 * written as that address: 4100 is 0.0.16.4, and 010.0.0.1 is 8.0.0.1 (WHATWG URL, "IPv4 parser").
 */
function numericHost(authority: string, read: string): string | undefined {
  if (!/^\d+\.\d+\.\d+\.\d+$/.test(read)) return undefined
  return authority.replace(/:\d*$/, '').replace(/\.$/, '') === read ? undefined : read
}

/**
 * Returns a destination for a `Location` header: ASCII only (host in punycode, the rest
 * percent-encoded). Takes URLs that `destinationProblem` accepts, and throws `TypeError` for
 * anything that is not a URL.
 */
export function destinationHref(url: string): string {
  return new URL(url).href
}

/**
 * Returns an address that a phone may be sent to, in ASCII as headers require. Undefined unless it
 * is http or https.
 */
export function webAddress(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  const { protocol, href } = new URL(url)
  return protocol === 'http:' || protocol === 'https:' ? href : undefined
}
