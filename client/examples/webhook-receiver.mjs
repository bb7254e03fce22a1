// Receives events at the address in PUBLIC_ADDRESS, on port PORT. It registers a webhook, verifies
// every call, and removes the webhook at the end (Ctrl+C).
import { createServer } from 'node:http'
import { createClient, verifyWebhook, WebhookVerificationError } from '@everscan/client'

const everscan = createClient({
  baseUrl: process.env.EVERSCAN_URL ?? '',
  apiKey: process.env.EVERSCAN_API_KEY ?? '', // with the role ADMIN
})
const [{ id: orgId }] = await everscan.organizations.listMine()
const port = Number(process.env.PORT ?? 8080)

let secret = ''
/** Deliveries are repeated until they succeed. A real receiver stores these ids for a few days. */
const seen = new Set()

const server = createServer((request, response) => {
  const pieces = []
  request.on('data', (piece) => pieces.push(piece))
  request.on('end', () => void receive(request.headers, Buffer.concat(pieces), response))
})

async function receive(headers, body, response) {
  try {
    // The raw body, before any parser.
    const event = await verifyWebhook(secret, headers, body)
    if (!seen.has(event.id)) console.log(event.event, event.data.name ?? event.data.id)
    seen.add(event.id)
    response.writeHead(204).end()
  } catch (error) {
    response.writeHead(error instanceof WebhookVerificationError ? 400 : 500).end()
  }
}
await new Promise((resolve) => server.listen(port, resolve))

const webhook = await everscan.webhooks.create(orgId, {
  url: process.env.PUBLIC_ADDRESS ?? `http://localhost:${port}`,
  events: ['qr.created', 'qr.updated', 'qr.deleted'],
})
secret = webhook.secret // shown only this once
console.log(`registered ${webhook.id}`)

process.once('SIGINT', () => void end())

async function end() {
  await everscan.webhooks.delete(orgId, webhook.id)
  console.log('removed')
  server.close()
  server.closeAllConnections()
}
