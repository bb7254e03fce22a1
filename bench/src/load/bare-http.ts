// The baseline of the redirect bench: the best that Node's own HTTP server does with a constant
// 302.
import { createServer } from 'node:http'
import { keepTick } from '@everscan/server/scan/internals/kept-tick.ts'

// Else chance decides whether it is a slow one: see docs/adr/0029.
keepTick()
const server = createServer({ keepAliveTimeout: 65_000, noDelay: true }, (_request, response) => {
  response.writeHead(302, {
    Location: 'https://example.com/menu',
    'Cache-Control': 'private, no-store',
    'Content-Length': '0',
  })
  response.end()
})
server.listen(Number(process.argv[2] ?? 0), '127.0.0.1', () => {
  process.send?.((server.address() as { port: number }).port)
})
process.on('disconnect', () => process.exit(0))
