import { writePreparedHead } from '../internals/prepared-head.ts'
import type { Reply } from '../scan-answer.ts'
import type { ScanContext } from '../scan-context.ts'
import type { Visit } from '../visit.ts'

/** The status of prepared heads: only redirects have one. */
const redirected = 302

/** Sends a reply, and observes how long it took. */
export function send(
  { times, siteHeaders }: Pick<ScanContext, 'times' | 'siteHeaders'>,
  { response, fromMs }: Visit,
  reply: Reply,
): void {
  if ('head' in reply) {
    writePreparedHead(response, reply.head)
    response.end()
    times.observe(redirected, performance.now() - fromMs)
    return
  }
  times.observe(reply.status, performance.now() - fromMs)
  response.writeHead(reply.status, [...reply.headers, ...siteHeaders])
  // Node itself omits the body if the request was a HEAD.
  response.end(reply.body)
}
