import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { addressOf, firstFile } from './guide-pages.ts'
import type { Guide } from './load-guide.ts'

/** The documents of this release. Releases and images contain them. */
const ownDocs = join(import.meta.dirname, '..', '..', '..', '..', 'docs')

const cacheControl = 'public, no-cache'
const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': cacheControl,
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
  'style.css': 'text/css; charset=utf-8',
  'theme.js': 'text/javascript; charset=utf-8',
  'search.js': 'text/javascript; charset=utf-8',
}
const imageTypes: Readonly<Record<string, string>> = { '.svg': 'image/svg+xml', '.png': 'image/png' }

/**
 * Serves the guide at `/docs/guide`: the pages of `docs/guide` and the other documents for
 * operators, rendered at the first request and then kept (record 48).
 */
export function addGuide(app: FastifyInstance, { docs = ownDocs }: { docs?: string } = {}): void {
  const start = addressOf(firstFile.slug)
  let loading: Promise<Guide> | undefined
  const guide = async (): Promise<Guide> => {
    // The renderer is loaded only by a process that serves the guide.
    loading ??= import('./load-guide.ts').then(async ({ loadGuide }) => loadGuide(docs))
    try {
      return await loading
    } catch (error) {
      loading = undefined
      throw error
    }
  }
  const sendPage = async (reply: FastifyReply, slug: string): Promise<FastifyReply> => {
    const { documents, missing } = await guide()
    const page = documents.get(slug)
    return reply
      .code(page === undefined ? 404 : 200)
      .headers(pageHeaders)
      .send(page ?? missing)
  }

  app.get(start, async (_request, reply) => sendPage(reply, firstFile.slug))
  app.get(`${start}/`, async (_request, reply) => reply.redirect(start, 301))
  app.get<{ Params: { page: string } }>(`${start}/:page`, async ({ params }, reply) =>
    sendPage(reply, params.page === '' ? '?' : params.page),
  )
  app.get(`${start}/search.json`, async (_request, reply) => {
    const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': cacheControl }
    return reply.headers(headers).send((await guide()).searchIndex)
  })
  for (const [name, type] of Object.entries(assets))
    addFile(app, `${start}/${name}`, { path: join(import.meta.dirname, 'assets', name), type })
  for (const folder of [docs, join(docs, 'images')]) {
    for (const name of existsSync(folder) ? readdirSync(folder) : []) {
      const type = imageTypes[extname(name)]
      if (type !== undefined) addFile(app, `${start}/images/${name}`, { path: join(folder, name), type })
    }
  }
}

/** Only files that exist at the start have a route: no part of a request becomes a path. */
function addFile(
  app: FastifyInstance,
  address: string,
  { path, type }: { path: string; type: string },
): void {
  app.get(address, async (_request, reply) =>
    reply.headers({ 'content-type': type, 'cache-control': cacheControl }).send(await readFile(path)),
  )
}
