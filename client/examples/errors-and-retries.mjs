// Creates a code that must exist exactly once, changes it only if nobody else did, and shows how
// failures look.
import {
  ConflictError,
  createClient,
  etagOf,
  EverscanError,
  PreconditionFailedError,
  RateLimitedError,
  ValidationError,
} from '@everscan/client'

const everscan = createClient({
  baseUrl: process.env.EVERSCAN_URL ?? '',
  apiKey: process.env.EVERSCAN_API_KEY ?? '',
  timeoutMs: 10_000, // of each attempt
  retries: 4, // waits for Retry-After, else 250 ms, doubled each time
})
const [{ id: orgId }] = await everscan.organizations.listMine()

// With a key of your own, such as the number of an order, every repeat gets the same code.
const body = { type: 'URL', name: 'Order 2026-0017', data: { url: 'https://example.com/orders/17' } }
const options = { idempotencyKey: 'order-2026-0017' }
const code = await everscan.qrCodes.create(orgId, body, options)
const again = await everscan.qrCodes.create(orgId, body, options)
console.log(code.id === again.id ? 'created once' : 'created twice')

const read = await everscan.qrCodes.read(orgId, code.id)
await everscan.qrCodes.update(orgId, code.id, { name: 'Changed by another' })
for (const attempt of [
  () => everscan.qrCodes.update(orgId, code.id, { name: 'Mine' }, { ifMatch: etagOf(read) }),
  () => everscan.qrCodes.create(orgId, { ...body, name: '' }),
  () => everscan.qrCodes.create(orgId, { ...body, shortCode: code.shortCode }),
]) {
  try {
    await attempt()
  } catch (error) {
    console.log(reaction(error))
  }
}

function reaction(error) {
  if (error instanceof PreconditionFailedError) return 'someone was faster: read again'
  if (error instanceof ValidationError) return `invalid: ${error.details.map(({ path }) => path).join(', ')}`
  if (error instanceof ConflictError) return 'taken: choose another short code'
  if (error instanceof RateLimitedError) return `too many calls: wait ${error.retryAfterMs} ms`
  if (error instanceof EverscanError) return `${error.code}, request ${error.requestId}: ${error.message}`
  throw error
}
