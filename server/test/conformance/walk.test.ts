import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { getPriority } from 'node:os'
import { after, before, describe, test } from 'node:test'
import { createClient, type Client, type QrCodeOf } from '@everscan/client/create-client.ts'
import { testPostgres } from '../../src/db/testing/databases.ts'
import { decodePicture } from '../support/decode-picture.ts'
import { startService, until, type Service } from '../support/service.ts'

const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1'
const pixel =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36'

/**
 * The first day of a user. The rules of conformance.test.ts run on both, so only the soak walks
 * twice.
 */
const walks = [
  { name: 'SQLite', env: async () => ({}) },
  { name: 'PostgreSQL', env: async () => ({ DATABASE_URL: await (await testPostgres()).createDatabase() }) },
]

for (const { name, env } of process.env['SOAK'] === '1' ? walks : walks.slice(0, 1))
  describe(`the walk on ${name}`, () => {
    let service: Service
    let client: Client
    let orgId: string
    let code: QrCodeOf<'URL'>

    before(async () => {
      service = await startService({
        ...(await env()),
        TRUST_PROXY: '127.0.0.1',
        PUBLIC_URL: 'https://qr.example',
      })
      client = createClient({ baseUrl: service.baseUrl, apiKey: service.apiKey })
    })
    after(() => service.remove())

    /** Like a phone that the host of the short URL has forwarded to this service. */
    const scan = (headers: Record<string, string> = {}): Promise<Response> =>
      fetch(`${service.baseUrl}/${code.shortCode}`, {
        redirect: 'manual',
        headers: { 'user-agent': iphone, 'x-forwarded-for': '81.169.181.179', ...headers },
      })

    test('the first start prints the dashboard, the account and a curl command, but no key that the operator set', async () => {
      const [organization] = await client.organizations.listMine()
      assert.equal(organization?.role, 'ADMIN')
      orgId = organization?.id ?? ''
      const printed = service.output()
      assert.match(printed, /Dashboard +https:\/\/qr\.example\/app/)
      assert.match(printed, /Account +admin@localhost/)
      assert.match(printed, /API key +as you set it in BOOTSTRAP_API_KEY/)
      assert.ok(!printed.includes(service.apiKey))
      assert.ok(printed.includes(`curl -X POST https://qr.example/api/v1/organizations/${orgId}/qr-codes`))
    })

    test('processes other than the redirects run at lower priority, with every thread', () => {
      const ownPriority = getPriority()
      for (const [role, least] of Object.entries({ front: 0, api: 5, worker: 10, engine: 10 })) {
        const behind = service.pids(role).flatMap(priorities)
        // The engine gives one of its threads another priority.
        const others = behind.filter((priority) => priority !== Math.max(ownPriority, least))
        assert.ok(others.length <= (role === 'engine' ? 1 : 0), `${role}: ${behind.join(' ')}`)
      }
    })

    test('a URL code is created and read back', async () => {
      code = await client.qrCodes.create(orgId, {
        type: 'URL',
        name: 'Menu',
        data: { url: 'https://example.com/menu' },
      })
      assert.equal(code.totalScans, 0)
      assert.equal(code.shortUrl, `https://qr.example/${code.shortCode}`)
      assert.deepEqual(await client.qrCodes.read(orgId, code.id), code)
    })

    test('an independent decoder reads its picture', async () => {
      const { bytes, contentType } = await client.qrCodes.download(orgId, code.id)
      assert.equal(contentType, 'image/png')
      const texts = (await decodePicture(bytes)).map(({ text }) => text)
      assert.deepEqual(texts, [`HTTPS://QR.EXAMPLE/${code.shortCode}`])
      const svg = await client.qrCodes.download(orgId, code.id, { format: 'svg' })
      assert.match(svg.contentType, /^image\/svg\+xml/)
    })

    test('the short URL redirects a phone, and the scan appears in analytics', async () => {
      const answer = await scan()
      assert.equal(answer.status, 302)
      assert.equal(answer.headers.get('location'), 'https://example.com/menu')
      // The view of first scans commits a moment after the scans themselves.
      const counted = async (): Promise<boolean> => {
        const { totalScans, uniqueScans } = (await client.qrCodes.analytics(orgId, code.id)).summary
        return totalScans === 1 && uniqueScans === 1
      }
      // latency.test.ts measures the delay (2 s for 99 of 100): this is the first scan after a
      // start.
      await until('the scan is in analytics', counted)
      const { summary, geography, devices, timeline } = await client.qrCodes.analytics(orgId, code.id)
      assert.equal(summary.uniqueScans, 1)
      assert.equal(geography.countries[0]?.country, 'DE')
      assert.equal(geography.cities[0]?.country, 'DE')
      assert.notEqual(geography.cities[0]?.city, 'Unknown')
      assert.deepEqual(devices.types, [{ type: 'mobile', scans: 1, percentage: 100 }])
      assert.equal(devices.os[0]?.os, 'iOS')
      assert.match(devices.browsers[0]?.browser ?? '', /Safari/)
      assert.equal(timeline.length, 30)
      assert.equal(timeline.at(-1)?.scans, 1)
    })

    test('PUT changes the destination at once, and the picture stays the same', async () => {
      const first = await client.qrCodes.download(orgId, code.id)
      await client.qrCodes.update(orgId, code.id, { data: { url: 'https://example.com/evening' } })
      assert.equal(
        (await scan({ 'user-agent': pixel })).headers.get('location'),
        'https://example.com/evening',
      )
      const now = await client.qrCodes.download(orgId, code.id)
      assert.deepEqual(now.bytes, first.bytes)
    })

    test('a returning visitor is a scan but not a unique one; bots, previews and HEAD are no scans', async () => {
      await scan()
      await scan({ 'user-agent': 'Googlebot/2.1 (+http://www.google.com/bot.html)' })
      await scan({ 'sec-purpose': 'prefetch' })
      await scan({ 'sec-fetch-dest': 'image' })
      await fetch(`${service.baseUrl}/${code.shortCode}`, { method: 'HEAD', redirect: 'manual' })
      await until('all hits are counted', async () => {
        const { summary } = await client.qrCodes.analytics(orgId, code.id)
        return summary.totalScans + summary.botScans === 6 && summary.uniqueScans === 2
      })
      const { summary, timeline } = await client.qrCodes.analytics(orgId, code.id)
      assert.equal(summary.totalScans, 3)
      assert.equal(summary.uniqueScans, 2)
      assert.equal(summary.botScans, 3, 'a crawler, a prefetch and a picture in a page')
      assert.equal(
        timeline.reduce((sum, day) => sum + day.uniqueScans, 0),
        2,
      )
      await until('the record has the same count', async () => {
        const { totalScans, uniqueScans } = await client.qrCodes.read(orgId, code.id)
        return totalScans === 3 && uniqueScans === 2
      })
    })

    test('headers beside the user agent tell the app, and a tablet that asks for desktop pages', async () => {
      const made = await client.qrCodes.create(orgId, {
        name: 'Headers',
        type: 'URL',
        data: { url: 'https://example.com' },
      })
      const visit = (headers: Record<string, string>) =>
        fetch(`${service.baseUrl}/${made.shortCode}`, { redirect: 'manual', headers })
      const webView =
        'Mozilla/5.0 (Linux; Android 14; SM-A556B; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/131.0.0.0 Mobile Safari/537.36'
      const desktop =
        'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36'
      await visit({ 'user-agent': webView, 'x-requested-with': 'com.whatsapp' })
      await visit({
        'user-agent': desktop,
        'sec-ch-ua': '"Brave";v="131", "Chromium";v="131", "Not_A Brand";v="24"',
        'sec-ch-ua-mobile': '?0',
        'sec-ch-ua-platform': '"Android"',
      })
      await until('both are counted', async () => {
        const { summary } = await client.qrCodes.analytics(orgId, made.id)
        return summary.totalScans === 2
      })
      const { data } = await client.scans.list(orgId, made.id)
      assert.deepEqual(
        data.map(({ deviceType, os, browser }) => `${deviceType} ${os} ${browser}`).toSorted(),
        ['mobile Android WhatsApp', 'tablet Android Brave'],
      )
      await client.qrCodes.delete(orgId, made.id)
    })

    test('an archived code is 410 and can be reactivated, a deleted one is 410 permanently', async () => {
      await client.qrCodes.update(orgId, code.id, { status: 'ARCHIVED' })
      assert.equal((await scan()).status, 410)
      await client.qrCodes.update(orgId, code.id, { status: 'ACTIVE' })
      assert.equal((await scan()).status, 302)
      assert.deepEqual(await client.qrCodes.delete(orgId, code.id), { id: code.id, deleted: true })
      assert.equal((await scan()).status, 410)
      await assert.rejects(client.qrCodes.read(orgId, code.id), { status: 404 })
    })

    test('after a restart everything is unchanged, and neither disk nor log has an address', async () => {
      const other = await client.qrCodes.create(orgId, {
        type: 'URL',
        name: 'B',
        data: { url: 'https://example.com/b' },
      })
      await service.restart()
      assert.equal((await client.qrCodes.read(orgId, other.id)).name, 'B')
      assert.ok(!service.output().includes('81.169.181.179'))
      assert.doesNotMatch(service.output().split('Everscan is starting.').at(-1) ?? '', /API key/)
    })
  })

/** On Linux each thread has a priority, elsewhere each process. */
function priorities(pid: number): number[] {
  const tasks = `/proc/${pid}/task`
  const threads = existsSync(tasks) ? readdirSync(tasks).map(Number) : [pid]
  return threads.flatMap((thread) => {
    try {
      return getPriority(thread)
    } catch {
      // The thread has ended meanwhile.
      return []
    }
  })
}
