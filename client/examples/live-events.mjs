// Prints scans as they happen, until Ctrl+C.
import { createClient } from '@everscan/client'

const everscan = createClient({
  baseUrl: process.env.EVERSCAN_URL ?? '',
  apiKey: process.env.EVERSCAN_API_KEY ?? '',
})
const [{ id: orgId }] = await everscan.organizations.listMine()

const ending = new AbortController()
process.once('SIGINT', () => ending.abort())

try {
  const events = everscan.events.stream(
    orgId,
    { event: ['qr.scanned'] },
    { signal: ending.signal, onConnection: (state) => console.log(`connection: ${state}`) },
  )
  for await (const { createdAt, data } of events) console.log(createdAt, data.country, data.deviceType)
} catch (error) {
  if (!ending.signal.aborted) throw error
}
