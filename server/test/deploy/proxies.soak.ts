import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { createClient, type Client, type QrCodeOf } from '@everscan/client/create-client.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { clientAddress, connectH2, type H2Client } from '../support/h2-client.ts'
import { proxyNames, proxyVersion, siteName, startProxy, type Proxy } from '../support/proxies.ts'
import { startService, until, type Service } from '../support/service.ts'

// Requires Debian's packages of the four proxies. Without them this suite fails, because it would
// prove nothing. scripts/try-image.sh runs it against the image.

const password = 'a first password of proxies'
const given = {
  baseUrl: process.env['EVERSCAN_TRY_URL'],
  apiKey: process.env['EVERSCAN_TRY_API_KEY'] ?? '',
  password: process.env['EVERSCAN_TRY_PASSWORD'] ?? password,
}
/** An event must not wait for the next one, or for the heartbeat after 15 s. */
const eventMsMax = 3_000

let service: Service | undefined
let client: Client
let port: number
let key: { 'x-api-key': string }
let orgId: string
let code: QrCodeOf<'URL'>

before(async () => {
  if (given.baseUrl === undefined)
    service = await startService({
      PUBLIC_URL: `https://${siteName}`,
      TRUST_PROXY: '127.0.0.1',
      BOOTSTRAP_PASSWORD: password,
    })
  const { baseUrl, apiKey } = service ?? { baseUrl: given.baseUrl ?? '', apiKey: given.apiKey }
  client = createClient({ baseUrl, apiKey })
  port = Number(new URL(baseUrl).port)
  key = { 'x-api-key': apiKey }
  orgId = (await client.organizations.listMine())[0]?.id ?? ''
  code = await client.qrCodes.create(orgId, {
    type: 'URL',
    name: 'Behind a proxy',
    data: { url: 'https://example.com/menu' },
  })
})
after(() => service?.remove())

for (const name of proxyNames)
  describe(`${name} with TLS in front of the service`, () => {
    let proxy: Proxy
    let browser: H2Client
    before(async (t) => {
      proxy = await startProxy(name, [port])
      browser = await connectH2(proxy)
      // HAProxy and Caddy check the service before they pass anything on.
      await until('the proxy passes on requests', async () => (await browser.send('/healthz')).status === 200)
      if ('diagnostic' in t) t.diagnostic(`${name} ${proxyVersion(name)}`)
    })
    after(async () => {
      browser?.close()
      await proxy?.stop()
    })

    test('http leads to https', async () => {
      const asked = request({
        port: proxy.httpPort,
        host: '127.0.0.1',
        path: `/${code.shortCode}?a=b`,
        headers: { host: siteName },
      })
      asked.end()
      const [answer] = (await once(asked, 'response')) as [
        { statusCode: number; headers: { location: string } },
      ]
      const target = new URL(answer.headers.location)
      assert.ok([301, 308].includes(answer.statusCode), `${answer.statusCode}`)
      assert.deepEqual(
        [target.protocol, target.hostname, target.pathname, target.search],
        ['https:', siteName, `/${code.shortCode}`, '?a=b'],
      )
    })

    test('a scan is redirected, and the header for https stands there once', async () => {
      const { status, headers } = await browser.send(`/${code.shortCode}`)
      assert.equal(status, 302)
      assert.equal(headers['location'], 'https://example.com/menu')
      assert.equal(headers['strict-transport-security'], 'max-age=31536000')
    })

    test('the client has its own address, whatever it claims', async () => {
      const path = `/api/v1/organizations/${orgId}/connection`
      for (const claimed of [{}, { 'x-forwarded-for': '203.0.113.9', forwarded: 'for=203.0.113.9' }]) {
        const { status, body } = await browser.send(path, { headers: { ...key, ...claimed } })
        assert.equal(status, 200)
        const { address, proxies } = JSON.parse(body)
        assert.deepEqual([address, proxies], [clientAddress, ['127.0.0.1']])
      }
    })

    test('people sign in, read and change codes', async () => {
      const json = { 'content-type': 'application/json', origin: `https://${siteName}` }
      const signedIn = await browser.send('/api/v1/auth/sign-in', {
        method: 'POST',
        headers: json,
        body: JSON.stringify({ email: 'admin@localhost', password: given.password }),
      })
      assert.equal(signedIn.status, 200, signedIn.body)
      const cookie = (signedIn.headers['set-cookie'] ?? '')
        .split(',')
        .map((one) => one.split(';')[0])
        .join('; ')
      assert.match(cookie, /^__Host-/)
      const path = `/api/v1/organizations/${orgId}/qr-codes/${code.id}`
      const changed = await browser.send(path, {
        method: 'PUT',
        headers: { ...json, cookie },
        body: JSON.stringify({ name: `Behind ${name}` }),
      })
      assert.equal(changed.status, 200, changed.body)
      const read = await browser.send(path, { headers: { cookie } })
      assert.equal(JSON.parse(read.body).name, `Behind ${name}`)
      const dashboard = await browser.send('/app')
      assert.match(dashboard.headers['content-type'] ?? '', /^text\/html/)
    })

    test('an event arrives at once', async (t) => {
      const stream = await browser.listen(`/api/v1/organizations/${orgId}/events`, key)
      t.after(() => stream.close())
      const title = `Event through ${name}`
      await client.qrCodes.update(orgId, code.id, { name: title })
      const tookMs = await until('the event', () => stream.text().includes(title), eventMsMax)
      t.diagnostic(`after ${Math.round(tookMs)} ms`)
    })

    test('a file of the maximum size is accepted, and the service refuses a larger one', async () => {
      const accepted = await upload(browser, csvOf(limits.importBytesMax))
      assert.equal(accepted.status, 202, accepted.body)
      const refused = await upload(browser, csvOf(limits.importBytesMax + 1))
      assert.equal(refused.status, 413)
      assert.match(refused.headers['content-type'] ?? '', /json/)
    })

    test('metrics and parts stay closed', async () => {
      // 401 if the service has a token.
      assert.ok([401, 403].includes((await browser.send('/metrics')).status))
      assert.deepEqual(Object.keys(JSON.parse((await browser.send('/readyz')).body)), ['status'])
    })
  })

function upload(
  browser: H2Client,
  file: string,
): Promise<{ status: number; headers: Record<string, string>; body: string }> {
  const boundary = 'everscan-test'
  const part = (head: string, body: string): string =>
    `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${body}\r\n`
  const body = [
    part('name="type"', 'URL'),
    part('name="dryRun"', 'true'),
    part('name="file"; filename="codes.csv"\r\nContent-Type: text/csv', file),
    `--${boundary}--\r\n`,
  ].join('')
  return browser.send(`/api/v1/organizations/${orgId}/qr-codes/bulk-import`, {
    method: 'POST',
    headers: { ...key, 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: Buffer.from(body),
  })
}

/** A CSV file of exactly so many bytes. */
function csvOf(bytes: number): string {
  const head = 'name,url\n'
  const row = `Code,https://example.com/${'a'.repeat(1_900)}\n`
  const rows = head + row.repeat(Math.floor((bytes - head.length) / row.length) - 1)
  const last = 'Code,https://example.com/'
  return `${rows}${last}${'a'.repeat(bytes - rows.length - last.length - 1)}\n`
}
