import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import swaggerUi from 'swagger-ui-dist/package.json' with { type: 'json' }
import { apiPrefix } from '../http/endpoint-routes.ts'

/**
 * The path of the renderer's files. It changes with the renderer's version, so that browsers may
 * cache them.
 */
const assetPath = `/docs/${swaggerUi.version}`

const files: Readonly<Record<string, string>> = {
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'swagger-ui.css': 'text/css; charset=utf-8',
  'favicon-32x32.png': 'image/png',
}

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Everscan API reference</title>
<link rel="icon" href="${assetPath}/favicon-32x32.png">
<link rel="stylesheet" href="${assetPath}/swagger-ui.css">
</head>
<body>
<nav class="swagger-ui"><div class="wrapper"><a class="link" href="/docs/guide">Guide: concepts, samples in five languages, webhooks</a></div></nav>
<main id="reference"><noscript>
The reference requires JavaScript. The same as JSON: <a href="${apiPrefix}/openapi.json">openapi.json</a>
</noscript></main>
<script src="${assetPath}/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`

const start = `SwaggerUIBundle({
  url: '${apiPrefix}/openapi.json',
  dom_id: '#reference',
  presets: [SwaggerUIBundle.presets.apis],
  deepLinking: true,
  filter: true,
  displayRequestDuration: true,
  defaultModelExpandDepth: 3,
  // Never send a key together with the session of the dashboard.
  requestInterceptor: (request) =>
    request.headers['X-API-Key'] ? Object.assign(request, { credentials: 'omit' }) : request,
  // By default Swagger UI sends the document to a server of its maker.
  validatorUrl: null,
})
`

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'public, no-cache',
  // All files come from this server, none is inline, and the reference can call the API of this
  // server.
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
}

/**
 * Serves the readable reference at `/docs`: Swagger UI, from its package, with our OpenAPI
 * document.
 */
export function addDocsPage(app: FastifyInstance): void {
  app.get('/docs', async (_request, reply) => reply.headers(pageHeaders).send(page))
  app.get('/docs/', async (_request, reply) => reply.redirect('/docs', 301))
  app.get('/docs/start.js', async (_request, reply) =>
    reply
      .headers({ 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'public, no-cache' })
      .send(start),
  )
  for (const [name, type] of Object.entries(files)) {
    let bytes: Promise<Buffer> | undefined
    app.get(`${assetPath}/${name}`, async (_request, reply) => {
      bytes ??= readFile(fileURLToPath(import.meta.resolve(`swagger-ui-dist/${name}`)))
      const headers = { 'content-type': type, 'cache-control': 'public, max-age=31536000, immutable' }
      return reply.headers(headers).send(await bytes)
    })
  }
}
