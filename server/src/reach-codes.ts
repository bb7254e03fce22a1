import { createHmac, hkdfSync, randomBytes } from 'node:crypto'

/** Below this path every front answers, on every host, whether a request has arrived here. */
export const reachPath = '/.well-known/everscan/'

/** 16 bytes as base64url. */
const tokenForm = /^[\w-]{22}$/

/** Proves over which host name a request arrived at this installation. */
export type ReachCodes = {
  createToken: () => string
  /**
   * Returns the answer to a token: that the request arrived, and under which host name if it is
   * known.
   */
  answerOf: (token: string, hostname: string | undefined) => string
  /** Whether an answer shows that the request arrived, and whether under this host name. */
  arrivalOf: (token: string, answer: string) => { isHere: boolean; isNamed: (hostname: string) => boolean }
}

/**
 * Creates the answers to tokens that are fetched over a domain. They need the visitor key, which
 * fronts have, and are signed with a key derived from it for this purpose alone (HKDF, RFC 5869).
 */
export function createReachCodes(visitorKey: string): ReachCodes {
  const key = Buffer.from(hkdfSync('sha256', visitorKey, '', 'everscan reach', 32))
  const codeOf = (token: string, hostname: string) =>
    createHmac('sha256', key).update(`${token} ${hostname}`).digest('base64url')
  return {
    createToken: () => randomBytes(16).toString('base64url'),
    // The first code says that the request arrived at all, under whatever name.
    answerOf: (token, hostname) =>
      hostname === undefined ? codeOf(token, '') : `${codeOf(token, '')} ${codeOf(token, hostname)}`,
    arrivalOf: (token, answer) => {
      const found = answer.split(' ')
      return {
        isHere: found[0] === codeOf(token, ''),
        isNamed: (hostname) => found[1] === codeOf(token, hostname),
      }
    },
  }
}

/** Returns the token in the path of a request, or undefined for every other path. */
export function reachTokenOf(url: string): string | undefined {
  if (!url.startsWith(reachPath)) return undefined
  const token = url.slice(reachPath.length)
  return tokenForm.test(token) ? token : undefined
}
