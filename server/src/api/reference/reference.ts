import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { overviewAddress, searchAddress, type Reference } from './load-reference.ts'

const cacheControl = 'public, no-cache'
const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': cacheControl,
  // All files come from this server, and none is inline.
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
}

const assets: Readonly<Record<string, string>> = {
  'reference.css': 'text/css; charset=utf-8',
  'reference.js': 'text/javascript; charset=utf-8',
}

/**
 * Serves the reference of the API at `/docs`, rendered from the OpenAPI document of this release at
 * the first request and then kept (record 84).
 */
export function addReference(app: FastifyInstance): void {
  let loading: Promise<Reference> | undefined
  const reference = async (): Promise<Reference> => {
    // The renderer and the document are loaded only by a process that serves them.
    loading ??= Promise.all([import('./load-reference.ts'), import('../openapi/openapi.ts')]).then(
      ([{ loadReference }, { openApiDocument }]) => loadReference(openApiDocument()),
    )
    try {
      return await loading
    } catch (error) {
      loading = undefined
      throw error
    }
  }
  const sendPage = async (reply: FastifyReply, address: string): Promise<FastifyReply> => {
    const page = (await reference()).documents.get(address)
    if (page === undefined) {
      reply.callNotFound()
      return reply
    }
    return reply.headers(pageHeaders).send(page)
  }

  app.get(overviewAddress, async (_request, reply) => sendPage(reply, overviewAddress))
  app.get(`${overviewAddress}/`, async (_request, reply) => reply.redirect(overviewAddress, 301))
  app.get<{ Params: { page: string } }>('/docs/api/:page', async ({ params }, reply) =>
    sendPage(reply, `/docs/api/${params.page}`),
  )
  app.get(searchAddress, async (_request, reply) => {
    const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': cacheControl }
    return reply.headers(headers).send((await reference()).searchIndex)
  })
  for (const [name, type] of Object.entries(assets))
    app.get(`/docs/api/${name}`, async (_request, reply) =>
      reply
        .headers({ 'content-type': type, 'cache-control': cacheControl })
        .send(await readFile(join(import.meta.dirname, 'assets', name))),
    )
}
