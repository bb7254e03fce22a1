import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { addPlaceholderPage } from './placeholder-page.ts'

/** The files that `npm run build` builds from the workspace `web`. */
const builtFiles = join(import.meta.dirname, '..', '..', '..', '..', 'web', 'dist')

const iconPx = 48

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

/**
 * Everything except styles must come from our own files. The libraries of the dashboard set some
 * styles inline.
 */
const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-cache',
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; '),
  // The camera finds codes by their picture. Nothing else of the device is used.
  'permissions-policy': 'camera=(self), microphone=(), geolocation=(), display-capture=()',
}

/** Pages for people without an account, who follow a link with a secret. */
const sharedAddresses = ['/app/share/*', '/app/leave-mail']
/** No cache, search engine or other site learns of the link. */
const sharedHeaders = {
  ...pageHeaders,
  'cache-control': 'private, no-store',
  'x-robots-tag': 'noindex',
  'referrer-policy': 'no-referrer',
}

/**
 * Serves the dashboard at `/app`: one page for every address below it, and its files, whose names
 * change with their content. If the dashboard was not built, serves a page that says so.
 */
export function addDashboard(app: FastifyInstance, { files = builtFiles }: { files?: string } = {}): void {
  if (!existsSync(join(files, 'index.html'))) return addPlaceholderPage(app)
  const page = once(async () => readFile(join(files, 'index.html')))
  const assets = filesIn(files, { under: 'assets', cacheControl: 'public, max-age=31536000, immutable' })
  const found = new Map([...assets, ...filesIn(files, { under: '.', cacheControl: 'public, max-age=3600' })])
  app.get('/app', async (_request, reply) => reply.headers(pageHeaders).send(await page()))
  app.get<{ Params: { '*': string } }>('/app/*', async ({ params }, reply) => {
    const file = found.get(params['*'])
    return file === undefined
      ? reply.headers(pageHeaders).send(await page())
      : reply.headers(file.headers).send(await file.bytes())
  })
  const icon = once(async () => {
    // Not every browser draws the vector icon.
    const { default: sharp } = await import('sharp')
    return sharp(join(files, 'favicon.svg'), { density: 144 }).resize(iconPx).png().toBuffer()
  })
  app.get('/favicon.ico', async (_request, reply) =>
    reply
      .headers({ 'content-type': 'image/png', 'cache-control': 'public, max-age=86400' })
      .send(await icon()),
  )
  const shared = once(async () => readFile(join(files, 'share.html')))
  for (const address of sharedAddresses)
    app.get(address, async (_request, reply) => reply.headers(sharedHeaders).send(await shared()))
}

type File = { headers: Record<string, string>; bytes: () => Promise<Buffer> }

/**
 * Returns the files of a folder by their path below `/app`, as they are at the start: no part of a
 * request becomes a path.
 */
function filesIn(
  files: string,
  { under, cacheControl }: { under: string; cacheControl: string },
): Map<string, File> {
  const found = new Map<string, File>()
  for (const name of readdirSync(join(files, under))) {
    const type = types[extname(name)]
    if (type === undefined) continue
    const bytes = once(async () => readFile(join(files, under, name)))
    found.set(join(under, name), {
      headers: { 'content-type': type, 'cache-control': cacheControl },
      bytes,
    })
  }
  return found
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}
