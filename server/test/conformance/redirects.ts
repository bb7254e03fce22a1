import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { before, describe, test } from 'node:test'
import type { CreateQrCodeOf, QrCodeType } from '@everscan/client/create-client.ts'
import { codeType, qrCodeTypes, type QrCodeData } from '@everscan/contract/code-types/code-types.ts'
import { destinationsOf } from '@everscan/contract/code-types/qr-code-data-problems.ts'
import { wordsOf } from '@everscan/pages/languages/languages.ts'
import { phones } from '../support/phones.ts'
import { until } from '../support/service.ts'
import { urlCode, type Answer, type Installation, type Tenant } from './installation.ts'

const [iphone, , , android] = phones
const desktop = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:133.0) Gecko/20100101 Firefox/133.0'

/** The response to a scan: section 1 of the specification, section 5 of the decisions. */
export function redirectRules(of: Installation): void {
  describe('the response to a scan', () => {
    let org: Tenant
    before(async () => {
      org = await of.organization()
    })
    const make = async <T extends QrCodeType>(type: T, data: CreateQrCodeOf<T>['data']) =>
      org.client.qrCodes.create(org.orgId, { type, name: `A ${type}`, data })
    const open = async <T extends QrCodeType>(
      type: T,
      data: CreateQrCodeOf<T>['data'],
      userAgent: string = iphone,
    ) => of.scan((await make(type, data)).shortCode, { 'user-agent': userAgent })

    for (const type of ['URL', 'PDF', 'VIDEO', 'MENU'] as const)
      test(`decisions 5: ${type}${type === 'MENU' ? ' with url' : ''}: 302 to the url, Cache-Control: no-store`, async () => {
        const url = `https://example.com/${type}?a=b&c=%20#d`
        assertRedirect(await open(type, { url }), url)
      })

    test('decisions 5: APP: 302 by device: iOS, Android, otherwise the fallback', async () => {
      const [iosUrl, androidUrl, fallbackUrl] = ['ios', 'android', 'else'].map(
        (word) => `https://example.com/${word}`,
      ) as [string, string, string]
      const { shortCode } = await make('APP', { iosUrl, androidUrl, fallbackUrl })
      assertRedirect(await of.scan(shortCode, { 'user-agent': iphone }), iosUrl)
      assertRedirect(await of.scan(shortCode, { 'user-agent': android }), androidUrl)
      assertRedirect(await of.scan(shortCode, { 'user-agent': desktop }), fallbackUrl)
      const onlyIos = await make('APP', { iosUrl, fallbackUrl })
      assertRedirect(await of.scan(onlyIos.shortCode, { 'user-agent': android }), fallbackUrl)
    })

    test('decisions 5: APP without a fallback: a page with both stores', async () => {
      const [iosUrl, androidUrl] = ['https://apps.example/ios', 'https://apps.example/android'] as const
      const { shortCode } = await make('APP', { iosUrl, androidUrl })
      const page = assertPage(await of.scan(shortCode, { 'user-agent': desktop }), 200)
      assert.ok(page.includes(`href="${iosUrl}"`) && page.includes(`href="${androidUrl}"`))
    })

    test('decisions 5: WIFI: a page that shows network and password', async () => {
      const page = assertPage(await open('WIFI', { ssid: 'Our <Guests>', password: 'pass&word' }), 200)
      assert.ok(page.includes('Our &#60;Guests&#62;') && page.includes('pass&#38;word'))
    })

    test('decisions 5: VCARD saves the contact (.vcf), which is deleted with the code', async () => {
      const { id, shortCode } = await make('VCARD', { firstName: 'Ada', lastName: 'Lovelace' })
      const page = assertPage(await of.scan(shortCode), 200)
      assert.equal(/href="\/([^"]+\.vcf)"/.exec(page)?.[1], `${shortCode}.vcf`)
      const file = await of.scan(`${shortCode}.vcf`)
      assert.match(file.headers.get('content-type') ?? '', /^text\/vcard/)
      assert.match(file.headers.get('content-disposition') ?? '', /^attachment; filename="Ada Lovelace\.vcf"/)
      assert.match(file.text, /\r\nFN:Ada Lovelace\r\n/)
      await org.client.qrCodes.update(org.orgId, id, { status: 'ARCHIVED' })
      assertPage(await of.scan(`${shortCode}.vcf`), 410)
    })

    test('once set, the public name and logo of the organization appear on pages from the next scan on', async () => {
      const { shortCode } = await make('TEXT', { text: 'Room 12' })
      assert.doesNotMatch(assertPage(await of.scan(shortCode), 200), /<header>/)
      const logo =
        'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
      await org.client.organizations.update(org.orgId, { publicName: 'Chez <Ada>', logo })
      await of.changeSeen()
      const page = assertPage(await of.scan(shortCode), 200)
      assert.match(
        page,
        /<header><img src="data:image\/webp;base64,[^"]+"[^>]*><bdi>Chez &#60;Ada&#62;<\/bdi><\/header>/,
      )
      await org.client.organizations.update(org.orgId, { publicName: null, logo: null })
      await of.changeSeen()
      assert.doesNotMatch(assertPage(await of.scan(shortCode), 200), /<header>/)
    })

    test('decisions 5: VCARD, TEXT, MENU with sections: a page with their content', async () => {
      const items = [{ name: 'Cacio e pepe', price: 12.5, currency: 'EUR' }]
      for (const [answer, words] of [
        [
          await open('VCARD', { firstName: 'Ada', lastName: 'Lovelace', phone: '+44 20' }),
          ['Ada', 'Lovelace', '+44 20'],
        ],
        [await open('TEXT', { text: 'Room 12' }), ['Room 12']],
        [
          await open('MENU', { title: 'Trattoria', sections: [{ name: 'Pasta', items }] }),
          ['Trattoria', 'Pasta', 'Cacio e pepe', '12.5', 'EUR'],
        ],
      ] as const) {
        const page = assertPage(answer, 200)
        for (const word of words) assert.ok(page.includes(word), word)
      }
    })

    test('decisions 5: EMAIL, SMS, PHONE, SOCIAL: a page that starts a mail, message or call, or links to profiles', async () => {
      for (const [answer, href] of [
        [
          await open('EMAIL', { email: 'ada@example.com', subject: 'A question' }),
          'mailto:ada@example.com?subject=A%20question',
        ],
        [await open('SMS', { phone: '+4930123456', message: 'Hi' }, android), 'sms:+4930123456?body=Hi'],
        [await open('SMS', { phone: '+4930123456', message: 'Hi' }, iphone), 'sms:+4930123456&#38;body=Hi'],
        [await open('PHONE', { phone: '+4930123456' }), 'tel:+4930123456'],
        [
          await open('SOCIAL', { links: [{ platform: 'x', url: 'https://x.com/example' }] }),
          'https://x.com/example',
        ],
      ] as const)
        assert.ok(assertPage(answer, 200).includes(`href="${href}"`), href)
    })

    test('decisions 5: every type redirects or shows a page of its own, on every system', async () => {
      for (const type of qrCodeTypes) {
        const { answers, schema } = codeType(type)
        const { examples = [] } = schema as { examples?: readonly QrCodeData[] }
        assert.ok(examples.length > 0, type)
        for (const data of examples) {
          const { shortCode } = await make(type, data)
          const addresses = destinationsOf(type, { ...data }).map(({ url }) => url)
          for (const userAgent of [iphone, android, desktop]) {
            const answer = await of.scan(shortCode, { 'user-agent': userAgent })
            const location = answer.headers.get('location')
            if (location === null) {
              assert.notEqual(answers, 'redirect', type)
              const page = assertPage(answer, 200)
              assert.ok(!page.includes(wordsOf('en').badLink.title), type)
              continue
            }
            assert.notEqual(answers, 'page', type)
            assert.ok(addresses.includes(location), `${type}: ${location}`)
            assertRedirect(answer, location)
          }
        }
      }
    })

    test('decisions 5: ARCHIVED: 410 page, until it is ACTIVE again', async () => {
      const { id, shortCode } = await make('URL', { url: 'https://example.com/' })
      await org.client.qrCodes.update(org.orgId, id, { status: 'ARCHIVED' })
      assertPage(await of.scan(shortCode), 410)
      await org.client.qrCodes.update(org.orgId, id, { status: 'ACTIVE' })
      assertRedirect(await of.scan(shortCode), 'https://example.com/')
    })

    test('decisions 5: deleted: 410 page', async () => {
      const { id, shortCode } = await make('WIFI', { ssid: 'Guests' })
      await org.client.qrCodes.delete(org.orgId, id)
      assertPage(await of.scan(shortCode), 410)
    })

    test('decisions 5: unknown: 404 page', async () => {
      for (const code of ['ZZZZZZZ', 'no-such-code', 'abcd']) assertPage(await of.scan(code), 404)
    })

    test('decisions 5: found as people type, copy and send it; the query stays', async () => {
      const { shortCode } = await make('URL', { url: 'https://example.com/typed' })
      const ends = ['.', ')', '"', '%20', '%E2%80%8B', '&fbclid=1', '//', '/?utm=1', '.,%20']
      for (const path of [
        ...ends.map((end) => `${shortCode}${end}`),
        shortCode.toLowerCase(),
        `%20${shortCode}`,
      ]) {
        const answer = await of.scan(path)
        assert.deepEqual(
          [answer.status, answer.headers.get('location')],
          [302, 'https://example.com/typed'],
          path,
        )
      }
    })

    test('decisions 2: whatever a person opens is a page in their language; programs get JSON', async () => {
      const german = { 'accept-language': 'de', accept: 'application/json' }
      for (const path of ['/abc', '/a/b', '/x.php', '/docs/nothing', '/%ZZ', '/ABCDEFG', '/ABCDEFG.vcf']) {
        const answer = await of.send('GET', path, { headers: german })
        assert.match(assertPage(answer, 404), /lang="de"/, path)
      }
      assert.match(assertPage(await of.send('GET', '/', { headers: german }), 200), /QR-Codes/)
      for (const path of ['/api/v1/nothing', '/.well-known/nothing', '/mcp/nothing'])
        assert.match(
          (await of.send('GET', path, { headers: { accept: 'text/html' } })).text,
          /"NOT_FOUND"/,
          path,
        )
      assert.match((await of.send('POST', '/abc', { body: {} })).text, /"NOT_FOUND"/)
    })

    test('browsers and crawlers get what they ask of every site', async () => {
      const robots = await of.send('GET', '/robots.txt')
      assert.deepEqual(
        [robots.status, robots.text],
        [200, 'User-agent: *\nDisallow: /api/\nDisallow: /app\n'],
      )
      const icon = await of.send('GET', '/favicon.ico')
      assert.deepEqual([icon.status, icon.headers.get('content-type')], [200, 'image/png'])
      assert.equal((await of.send('GET', '/.well-known/security.txt')).status, 404)
    })

    test('decisions 5: pages carry Open Graph tags', async () => {
      const { shortCode } = await make('TEXT', { text: 'Room 12' })
      const page = assertPage(await of.scan(shortCode), 200)
      const title = /<title>(.*?)<\/title>/.exec(page)?.[1]
      assert.ok(page.includes(`<meta property="og:title" content="${title}" />`), page.slice(0, 900))
    })

    test('decisions 5: HEAD gets the same head and is not a scan', async () => {
      const codes = [await make('URL', { url: 'https://example.com/' }), await make('TEXT', { text: 'A' })]
      for (const { shortCode } of codes) {
        const [head, get] = [await of.scan(shortCode, {}, 'HEAD'), await of.scan(shortCode)]
        assert.deepEqual([head.status, head.text], [get.status, ''])
        assert.deepEqual(headOf(head), headOf(get))
      }
      // The GET after each HEAD has arrived, so an earlier hit would have, too.
      for (const { id } of codes) {
        const { qrCodes } = org.client
        const counted = async () => (await qrCodes.analytics(org.orgId, id)).summary
        await until('the scan is counted', async () => (await counted()).totalScans > 0)
        const { totalScans, botScans } = await counted()
        assert.deepEqual([totalScans, botScans], [1, 0])
      }
    })

    test('decisions 5: other methods: 405', async () => {
      const { shortCode } = await make('URL', { url: 'https://example.com/' })
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        const answer = await of.scan(shortCode, {}, method)
        assert.equal(answer.status, 405, method)
        assert.equal(answer.headers.get('allow'), 'GET, HEAD')
      }
    })

    test('decisions 5: redirects need no key and no session; decisions 3: and have no rate limit', async () => {
      const { shortCode } = await org.client.qrCodes.create(org.orgId, urlCode('A'))
      for (const headers of [{}, { 'x-api-key': 'wrong' }, { cookie: 'a=b' }]) {
        const answer = await of.scan(shortCode, headers)
        assert.equal(answer.status, 302)
        const names = [...answer.headers.keys()]
        assert.deepEqual(
          names.filter((name) => /ratelimit|set-cookie|retry/.test(name)),
          [],
        )
      }
    })

    test('spec 1: the next scan gets a changed destination', async () => {
      const { id, shortCode } = await make('URL', { url: 'https://example.com/1' })
      for (let round = 1; round < 10; round++) {
        assertRedirect(await of.scan(shortCode), `https://example.com/${round}`)
        await org.client.qrCodes.update(org.orgId, id, { data: { url: `https://example.com/${round + 1}` } })
        await of.changeSeen()
      }
    })
  })
}

function assertRedirect(answer: Answer, url: string): void {
  assert.deepEqual([answer.status, answer.headers.get('location'), answer.text], [302, url, ''])
  const directives = answer.headers.get('cache-control')?.split(/, */) ?? []
  assert.ok(directives.includes('no-store'), directives.join())
}

function assertPage(answer: Answer, status: number): string {
  assert.equal(answer.status, status)
  assert.match(answer.headers.get('content-type') ?? '', /^text\/html/)
  assert.equal(answer.headers.get('location'), null)
  assert.ok(Buffer.byteLength(answer.text) < 20_000)
  assert.doesNotMatch(answer.text, /javascript:/i)
  // At most one script, whose hash is in the policy.
  const policy = answer.headers.get('content-security-policy') ?? ''
  assert.match(policy, /^default-src 'none'/)
  for (const [, script = ''] of answer.text.matchAll(/<script[^>]*>([^]*?)<\/script/gi))
    assert.ok(policy.includes(`script-src 'sha256-${createHash('sha256').update(script).digest('base64')}';`))
  return answer.text
}

/** The headers of a response, without those about the connection of the client. */
function headOf({ headers }: Answer): [string, string][] {
  return [...headers].filter(([name]) => !/^(date|connection|keep-alive)$/.test(name))
}
