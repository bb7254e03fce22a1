// Whether scans of a domain arrive, as a whole service finds out by itself.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { createClient } from '@everscan/client/create-client.ts'
import { startDnsServer, type Zone } from '../../src/api/testing/dns-server.ts'
import { freePort, startService } from '../support/service.ts'

test('a check says whether scans of a domain arrive, before it is proved and afterwards', async (t) => {
  const hostname = 'go.example.com'
  const zone: Zone = { [hostname]: { A: ['127.0.0.1'] } }
  const dns = await startDnsServer(zone)
  t.after(() => dns.close())
  const port = await freePort()
  const settings = { PORT: String(port), HOST: '127.0.0.1', DNS_SERVERS: dns.address }
  const service = await startService({
    ...settings,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    WEBHOOK_ALLOW_PRIVATE: 'true',
  })
  t.after(() => service.remove())
  const { domains, organizations } = createClient(service)
  const orgId = (await organizations.listMine())[0]?.id ?? ''
  const { id, verification, dns: first } = await domains.create(orgId, { hostname })
  assert.equal(first.reachesUs, null, 'not looked yet')
  const pending = await domains.check(orgId, id)
  assert.deepEqual([pending.status, pending.dns.reachesUs], ['PENDING', true])
  zone[verification.name] = { TXT: [verification.value] }
  const proved = await domains.check(orgId, id)
  assert.deepEqual([proved.status, proved.dns.reachesUs, proved.dns.problem], ['ACTIVE', true, null])

  const other = createServer((_request, response) => void response.end('somebody else')).listen(
    port,
    '127.0.0.2',
  )
  await once(other, 'listening')
  t.after(() => other.close())
  zone[hostname] = { A: ['127.0.0.2'] }
  const elsewhere = await domains.check(orgId, id)
  assert.deepEqual([elsewhere.status, elsewhere.dns.reachesUs], ['ACTIVE', false])
  assert.match(elsewhere.dns.problem ?? '', /^Another server answers for go\.example\.com/)
  other.closeAllConnections()
  await new Promise((resolve) => other.close(resolve))
  const silent = await domains.check(orgId, id)
  assert.match(silent.dns.problem ?? '', /^Nothing answers at go\.example\.com/)

  const path = '/.well-known/everscan/'
  for (const token of ['short', 'x'.repeat(23), `${'x'.repeat(21)}.`])
    assert.equal((await fetch(`${service.baseUrl}${path}${token}`)).status, 404, token)
  const answer = await fetch(`${service.baseUrl}${path}${'x'.repeat(22)}`)
  assert.equal(answer.headers.get('cache-control'), 'no-store')
  // The token and the name that it was asked under, each signed.
  assert.match(await answer.text(), /^[\w-]{43} [\w-]{43}$/)
})
