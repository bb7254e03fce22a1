import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { ifNoneMatchHits } from '../../product/codes/etags.ts'

/**
 * Adds an entity tag to every complete response to a GET, and responds 304 if the client already
 * has it. A tag that the handler set stays; the others are weak, because the same response is sent
 * in several encodings.
 */
export function addConditionalAnswers(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    if ((request.method !== 'GET' && request.method !== 'HEAD') || reply.statusCode !== 200) return payload
    const etag = etagOfAnswer(reply, payload)
    if (etag === undefined) return payload
    // Clients may store the response, but must revalidate it before use.
    if (reply.getHeader('cache-control') === 'no-store')
      void reply.header('cache-control', 'private, no-cache')
    if (!ifNoneMatchHits(request.headers['if-none-match'], etag)) return payload
    // RFC 9110 section 15.4.5: without a body, and without the headers that describe one.
    void reply.code(304).removeHeader('content-type').removeHeader('content-length')
    // Fastify's own hook for HEAD does not accept null.
    return request.method === 'HEAD' ? undefined : null
  })
}

function etagOfAnswer(reply: FastifyReply, payload: unknown): string | undefined {
  const handlerTag = reply.getHeader('etag')
  if (typeof handlerTag === 'string') return handlerTag
  // The content of a stream is not known before it is sent.
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return undefined
  const etag = `W/"${hash('sha256', payload, 'base64url').slice(0, 27)}"`
  void reply.header('etag', etag)
  return etag
}
