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
  for (const address of ['/app', '/app/*'])
    app.get(address, async (_request, reply) => reply.headers(pageHeaders).send(await page()))
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
  addFiles(app, files, { under: 'assets', cacheControl: 'public, max-age=31536000, immutable' })
  addFiles(app, files, { under: '.', cacheControl: 'public, max-age=3600' })
}

/** Only files that exist at the start have a route: no part of a request becomes a path. */
function addFiles(
  app: FastifyInstance,
  files: string,
  { under, cacheControl }: { under: string; cacheControl: string },
): void {
  for (const name of readdirSync(join(files, under))) {
    const type = types[extname(name)]
    if (type === undefined) continue
    const bytes = once(async () => readFile(join(files, under, name)))
    app.get(join('/app', under, name), async (_request, reply) =>
      reply.headers({ 'content-type': type, 'cache-control': cacheControl }).send(await bytes()),
    )
  }
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}
