import { hash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'

const style =
  ':root{color-scheme:light dark}body{font:1.0625rem/1.6 system-ui,sans-serif;max-width:36rem;margin:14vh auto 3rem;padding:0 1.25rem}' +
  'h1{font-size:1.5rem}code{font-size:.9375em}'

const page =
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
  `<meta name="robots" content="noindex"><title>Everscan</title><style>${style}</style></head><body><main>` +
  '<h1>Everscan is running</h1>' +
  '<p>The dashboard is not built. <code>npm run build</code> builds it, and <code>npm start</code> does so automatically. You can create and read codes through the REST API, with the API key that the first start printed.</p>' +
  '<p><a href="/api/v1/openapi.json">Description of the API (OpenAPI)</a></p>' +
  '</main></body></html>'

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
}

/**
 * Serves a page at `/app` if the dashboard was not built, so that the URL printed at the start is
 * not a dead end.
 */
export function addPlaceholderPage(app: FastifyInstance): void {
  app.get('/app', async (_request, reply) => reply.headers(headers).send(page))
}
