import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import swaggerUi from 'swagger-ui-dist/package.json' with { type: 'json' }
import { apiPrefix } from '../http/endpoint-routes.ts'

/** The renderer's files and our few lines, under an address that changes with the renderer, so that browsers may keep them. */
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
<main id="reference"><noscript>
The reference needs JavaScript; the same as data: <a href="${apiPrefix}/openapi.json">openapi.json</a>
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
  // A key and the session of the dashboard are not sent together.
  requestInterceptor: (request) =>
    request.headers['X-API-Key'] ? Object.assign(request, { credentials: 'omit' }) : request,
  // Would send the document to its maker's server.
  validatorUrl: null,
})
`

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'public, no-cache',
  // Everything from here, nothing inline; the reference can call the API of this very server.
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

/** The readable reference at `/docs`: Swagger UI, from the package, showing our own OpenAPI document. */
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
