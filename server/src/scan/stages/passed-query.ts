import { limits } from '@everscan/contract/schema/limits.ts'
import { prepareHead, readHead } from '../internals/prepared-head.ts'
import type { Reply, ScanAnswer } from '../scan-answer.ts'

/** Returns an answer whose redirects have the query of the scan. */
export function passQuery(answer: ScanAnswer, query: string): ScanAnswer {
  const { reply } = answer
  if (typeof reply !== 'function') return { ...answer, reply: withQuery(reply, query) }
  return {
    ...answer,
    reply: (visitor) => {
      const made: Reply | Promise<Reply> = reply(visitor)
      return made instanceof Promise ? made : withQuery(made, query)
    },
  }
}

/**
 * Returns a redirect whose destination has the parameters of a query too, except those whose name
 * the destination has already. Pages, and a destination that would become too long, stay as they
 * are.
 */
function withQuery(reply: Reply, query: string): Reply {
  if (!('head' in reply)) return reply
  const { status, headers } = readHead(reply.head)
  const at = headers.indexOf('Location') + 1
  const destination = headers[at]
  const location = at === 0 || destination === undefined ? undefined : addQuery(destination, query)
  return location === undefined ? reply : { head: prepareHead(status, headers.with(at, location)) }
}

/** Undefined: the destination has no parameter of the query to take. */
function addQuery(destination: string, query: string): string | undefined {
  const url = new URL(destination)
  const own = new Set(url.searchParams.keys())
  const added = query.split('&').filter((pair) => {
    const [name] = new URLSearchParams(pair).keys()
    return name !== undefined && !own.has(name)
  })
  if (added.length === 0) return undefined
  // The text of both is kept as it is; URL encodes what a header must not contain.
  url.search = [...(url.search === '' ? [] : [url.search.slice(1)]), ...added].join('&')
  return url.href.length > limits.urlEncodedCharsMax ? undefined : url.href
}
