import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { ifNoneMatchHits } from './etags.ts'

/**
 * Gives every whole answer to a GET an entity tag, and answers 304 when the client has it already. A tag that the handler has
 * set stays; others are weak, as the same answer goes out in several encodings.
 */
export function addConditionalAnswers(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    if ((request.method !== 'GET' && request.method !== 'HEAD') || reply.statusCode !== 200) return payload
    const etag = etagOfAnswer(reply, payload)
    if (etag === undefined) return payload
    // May be kept, but not used without asking.
    if (reply.getHeader('cache-control') === 'no-store')
      void reply.header('cache-control', 'private, no-cache')
    if (!ifNoneMatchHits(request.headers['if-none-match'], etag)) return payload
    // RFC 9110 section 15.4.5: without a body, and without the headers that describe one.
    void reply.code(304).removeHeader('content-type').removeHeader('content-length')
    // Fastify's own hook for HEAD knows no null.
    return request.method === 'HEAD' ? undefined : null
  })
}

function etagOfAnswer(reply: FastifyReply, payload: unknown): string | undefined {
  const own = reply.getHeader('etag')
  if (typeof own === 'string') return own
  // Streams are made while they are sent.
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return undefined
  const etag = `W/"${hash('sha256', payload, 'base64url').slice(0, 27)}"`
  void reply.header('etag', etag)
  return etag
}
