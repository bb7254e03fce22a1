import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { request as httpRequest, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import { pino } from 'pino'
import { languages } from '@everscan/pages/languages/languages.ts'
import { canonicalShortCode, partsOfCodeKey } from '@everscan/contract/resources/short-codes.ts'
import type { ScanTarget } from '../../db/scans/scan-lookup.ts'
import { openJournal, type Journal } from '../../journal/journal.ts'
import { scanHints } from '../../journal/raw-scan.ts'
import { journalStart, readFrames } from '../../journal/reader.ts'
import { createTrustedProxies } from '../client-address.ts'
import { Forward } from '../forward.ts'
import { createFront } from '../front.ts'
import { OpenConnections } from '../open-connections.ts'
import { RecentCache } from '../recent-cache.ts'
import { startResolver } from '../resolve.ts'
import { ScanTimes } from '../scan-times.ts'
import { someHosts } from '../testing/hosts.ts'
import { someGuards } from '../testing/guards.ts'
import type { CodePasswordTurns } from '../../turns/code-password-turns.ts'
import { noSources } from '../testing/sources.ts'
import { createVisitorHash } from '../../visitors/visitor-hash.ts'

const dir = mkdtempSync(join(tmpdir(), 'everscan-guarded-'))
const journalDir = join(dir, 'journal')
const past = '2020-01-01T00:00:00.000Z'
const future = '2099-01-01T00:00:00.000Z'
const url = 'https://example.com/destination'
const closed = { url: 'https://closed.example/' }
/** Checks of hashes that end in `slow` wait until the test lets them go on. */
const slowChecks: { password: string; goOn: () => void }[] = []
const counter = { taken: 0, limit: 3, away: false, lastWant: 0 }
let journal: Journal
let forward: Forward
let passwordTurns: CodePasswordTurns
let front: Server
let port: number

const codes: Record<string, Partial<ScanTarget>> = {
  S00N000: { access: { startsAt: future } },
  XVER000: { access: { endsAt: past, closed: { message: 'Thanks <b>all</b>' } } },
  XVERURL: { access: { endsAt: past, closed } },
  XPEN000: { access: { startsAt: past, endsAt: future } },
  PASS000: { passwordHash: ' pa+ß ' },
  PAGE000: { passwordHash: 'x', type: 'TEXT', data: { text: 'Room 12' } },
  CARD000: { passwordHash: 'x', type: 'VCARD', data: { firstName: 'Ada' } },
  RULED00: {
    passwordHash: 'x',
    passQuery: true,
    rules: [{ id: 'rul_1', name: 'a', enabled: true, data: { url: 'https://example.com/rule' } }],
  },
  TRIES00: { passwordHash: 'x' },
  MANYNET: { passwordHash: '4711' },
  CR0WD00: { organizationId: 'org_crowd', passwordHash: 'x slow' },
  CALM000: { organizationId: 'org_calm', passwordHash: 'y slow' },
  LIMIT00: { access: { scanLimit: 3 }, name: 'Only <three>', brand: { name: 'Acme' } },
  LIMITPW: { access: { scanLimit: 3 }, passwordHash: 'x' },
  FULLURL: { access: { scanLimit: 3, closed } },
  FULLVCF: { access: { scanLimit: 3 }, type: 'VCARD', data: { firstName: 'Ada' } },
  G0NE000: { status: 'DELETED' },
  ARCH1VE: { status: 'ARCHIVED', access: { startsAt: future }, passwordHash: 'x' },
  AWAY000: { access: { scanLimit: 3 } },
  AWAYCLX: { access: { scanLimit: 3, whenUnknown: 'closed' } },
  FREE000: {},
}
const byCanonical = new Map(Object.entries(codes).map(([code, target]) => [canonicalShortCode(code), target]))

before(async () => {
  journal = openJournal({ dir: journalDir, sync: 'interval', bytesMax: 1 << 30 })
  const resolver = startResolver({
    lookup: (codeKey) => {
      const { canonicalCode: code } = partsOfCodeKey(codeKey)
      const found = byCanonical.get(code)
      if (found === undefined) return undefined
      const base = { organizationId: 'org_1', qrCodeId: `qr_${code}`, codeKey, shortCode: code }
      const shown = { name: 'A', style: {}, brand: {} }
      return { ...base, ...shown, type: 'URL', data: { url }, status: 'ACTIVE', ...found }
    },
    changes: { poll: () => [], catchUp: async () => [] },
    log: pino({ level: 'silent' }),
  })
  forward = new Forward({ socketPaths: [], beforeChangeAnswer: async () => {} })
  const guards = someGuards({
    take: async (_key, want) => {
      if (counter.away) await wait(60_000, undefined, { ref: false })
      counter.lastWant = want
      const granted = Math.min(want, counter.limit - counter.taken)
      counter.taken += granted
      return { granted, resets: 0 }
    },
    isFull: async () => counter.taken >= counter.limit,
  })
  passwordTurns = guards.passwordTurns
  guards.gate.verify = async (password, hash) => {
    if (hash.endsWith(' slow'))
      await new Promise<void>((resolve) => slowChecks.push({ password, goOn: resolve }))
    return password === hash.replace(' slow', '')
  }
  const scan = {
    resolver,
    journal,
    visitorHash: createVisitorHash('s'.repeat(32)),
    trustedProxies: createTrustedProxies(['127.0.0.1']),
    times: new ScanTimes(),
    sources: noSources(),
    visits: new RecentCache<true>(1),
    siteHeaders: [],
    ...guards,
    hosts: someHosts([
      {
        hostname: 'go.example.org',
        notFoundUrl: 'https://unknown.example/',
        goneUrl: 'https://gone.example/',
      },
      { hostname: 'plain.example.org' },
    ]),
    publicHost: 'qr.example.com',
  }
  const connections = new OpenConnections({ connectionsMax: 100, trustedProxies: scan.trustedProxies })
  front = createFront({ scan, forward, ownPaths: {}, connections, log: pino({ level: 'silent' }) })
  front.listen(0, '127.0.0.1')
  await once(front, 'listening')
  port = (front.address() as AddressInfo).port
})

after(async () => {
  front.closeAllConnections()
  front.close()
  forward.close()
  await journal.close()
  rmSync(dir, { recursive: true })
})

type Got = { status: number; location: string | undefined; headers: IncomingMessage['headers']; text: string }
type Asking = { method?: string; headers?: Record<string, string>; body?: string }

async function ask(path: string, { method = 'GET', headers = {}, body }: Asking = {}): Promise<Got> {
  const sent = httpRequest({
    port,
    host: '127.0.0.1',
    path,
    method,
    headers: { 'user-agent': 'Phone', ...headers },
  })
  sent.end(body)
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  let text = ''
  for await (const chunk of answer) text += String(chunk)
  const { statusCode: status = 0, headers: got } = answer
  return { status, location: got.location, headers: got, text }
}

function post(path: string, password: string, headers: Record<string, string> = {}): Promise<Got> {
  const form = { 'content-type': 'application/x-www-form-urlencoded', ...headers }
  return ask(path, { method: 'POST', headers: form, body: new URLSearchParams({ password }).toString() })
}

/** Returns the hits of a code: `closed` for those that found it closed. */
async function hitsOf(code: string): Promise<string[]> {
  await wait(50)
  const hits: string[] = []
  for (const { scan } of (await readFrames(journalDir, journalStart)).frames)
    if (scan.shortCode === canonicalShortCode(code))
      hits.push((scan.hints & scanHints.closed) === 0 ? 'scan' : 'closed')
  return hits
}

test('SCHEDULED is 403 and ENDED 410, in every language, without a script, and no scan', async () => {
  const words = new Set<string>()
  for (const language of languages) {
    const { status, text, headers } = await ask('/S00N000', { headers: { 'accept-language': language } })
    assert.deepEqual(
      [status, headers['content-language'], headers['cache-control']],
      [403, language, 'private, no-store'],
    )
    assert.doesNotMatch(text, /<script|\/destination/)
    words.add(/<h1>(.*?)<\/h1>/.exec(text)?.[1] ?? '')
  }
  assert.equal(words.size, languages.length)
  const ended = await ask('/XVER000')
  assert.equal(ended.status, 410)
  assert.match(ended.text, /Thanks &#60;b&#62;all/)
  assert.deepEqual(await hitsOf('XVER000'), ['closed'])
})

test('a closed code leads to its address; open codes are as before', async () => {
  assert.deepEqual([(await ask('/XVERURL')).status, (await ask('/XVERURL')).location], [302, closed.url])
  assert.deepEqual(await hitsOf('XVERURL'), ['closed', 'closed'])
  for (const method of ['GET', 'HEAD']) assert.deepEqual((await ask('/XPEN000', { method })).location, url)
  assert.deepEqual(await hitsOf('XPEN000'), ['scan'])
})

test('a password: GET is a form, POST is 303 and the scan; a second within 10 s is no other', async () => {
  for (const method of ['GET', 'HEAD']) {
    const form = await ask('/PASS000', { method })
    assert.deepEqual(
      [form.status, form.location, form.headers['cache-control']],
      [200, undefined, 'private, no-store'],
    )
    assert.doesNotMatch(form.text, /<script|\/destination/)
  }
  for (const wrong of ['pa+ß', '', ' PA+ß ']) assert.equal((await post('/PASS000', wrong)).status, 403)
  assert.deepEqual(await hitsOf('PASS000'), ['closed'])
  for (let i = 0; i < 2; i++) {
    const right = await post('/PASS000', ' pa+ß ')
    assert.deepEqual([right.status, right.location], [303, url])
  }
  assert.deepEqual(await hitsOf('PASS000'), ['closed', 'scan'])
  await post('/PASS000', ' pa+ß ', { 'x-forwarded-for': '203.0.113.9' })
  assert.deepEqual(await hitsOf('PASS000'), ['closed', 'scan', 'scan'])
})

test('a password before a page, a contact, and rules', async () => {
  const page = await post('/PAGE000', 'x')
  assert.equal(page.status, 200)
  assert.match(page.text, /Room 12/)
  assert.doesNotMatch((await ask('/CARD000.vcf')).text, /Ada/)
  assert.match((await post('/CARD000.vcf', 'x')).text, /FN:Ada/)
  assert.deepEqual((await hitsOf('CARD000')).length, 0)
  const ruled = await post('/RULED00?a=1', 'x')
  assert.deepEqual([ruled.status, ruled.location], [303, 'https://example.com/rule?a=1'])
})

test('413 over 1 KB, 403 for other types, 405 for POST without a password, 429 after 10 wrong ones', async () => {
  const large = await post('/TRIES00', 'y'.repeat(2_000))
  assert.equal(large.status, 413)
  const json = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"password":"x"}' }
  assert.equal((await ask('/TRIES00', json)).status, 403)
  for (const path of ['/FREE000', '/S00N000', '/XPEN000']) assert.equal((await post(path, 'x')).status, 405)
  const from = { 'x-forwarded-for': '203.0.113.7' }
  const answers = await Promise.all(Array.from({ length: 14 }, () => post('/TRIES00', 'no', from)))
  const statuses = answers.map(({ status }) => status)
  assert.deepEqual(
    [statuses.filter((one) => one === 403).length, statuses.filter((one) => one === 429).length],
    [10, 4],
  )
  const right = await post('/TRIES00', 'x', from)
  assert.equal(right.status, 429)
  assert.ok(Number(right.headers['retry-after']) > 500)
  assert.equal((await post('/TRIES00', 'x', { 'x-forwarded-for': '203.0.113.8' })).status, 429)
  assert.equal((await post('/TRIES00', 'x', { 'x-forwarded-for': '203.0.114.8' })).status, 303)
})

test('429 for a PIN tried from a new /64 for every ten tries, and from a new /48 for every one', async () => {
  const statuses: Record<number, number> = {}
  const guess = async (at: number, from: string) => {
    const { status, headers, text } = await post('/MANYNET', String(at), {
      'x-forwarded-for': from,
      'accept-language': 'de',
    })
    statuses[status] = (statuses[status] ?? 0) + 1
    if (status === 429) {
      assert.ok(Number(headers['retry-after']) > 0)
      assert.equal(headers['content-language'], 'de')
      assert.match(text, /<form method="post"/)
    }
  }
  for (let at = 0; at < 420; at++) await guess(at, `2001:db8:1:${Math.floor(at / 10).toString(16)}::1`)
  assert.deepEqual(statuses, { 403: 10, 429: 410 })
  const networks = [...Array(90).keys()].map((at) => `2001:db8:${(at + 2).toString(16)}::1`)
  await Promise.all(networks.map((from, at) => guess(at, from)))
  assert.equal(statuses[403], 50 + 12)
  // A visitor elsewhere who knows it waits for a moment, and no longer after that.
  const fromMs = performance.now()
  const right = await post('/MANYNET', '4711', { 'x-forwarded-for': '203.0.113.77' })
  assert.equal(right.status, 303)
  assert.ok(performance.now() - fromMs > 1_500, 'it waited')
  for (let again = 0; again < 5; again++) {
    const againMs = performance.now()
    assert.equal((await post('/MANYNET', '4711', { 'x-forwarded-for': '203.0.113.78' })).status, 303)
    assert.ok(performance.now() - againMs < 1_000, 'it did not wait')
  }
})

const from = (at: number) => ({ 'x-forwarded-for': `198.51.${at}.1` })

test('forty right passwords at once on one code leave others their turn, and cost one check', async () => {
  const crowd = Array.from({ length: 40 }, (_, at) => post('/CR0WD00', 'x', from(at)))
  // The crowd is in the queue before it.
  while (passwordTurns.turns.stats().waiting < 36) await nextTurn()
  const calm = post('/CALM000', 'y', from(99))
  while (passwordTurns.turns.stats().waiting < 37) await nextTurn()
  const checked: string[] = []
  while (checked.length < 8 && !checked.includes('y')) {
    const check = slowChecks.shift()
    check?.goOn()
    if (check === undefined) await nextTurn()
    else checked.push(check.password)
  }
  assert.ok(checked.includes('y'), 'it waits behind the crowd')
  assert.equal((await calm).status, 303)
  assert.deepEqual(
    (await Promise.all(crowd)).map(({ status }) => status),
    Array.from({ length: 40 }, () => 303),
  )
  assert.ok(slowChecks.length === 0, 'a right answer is remembered')
  assert.equal((await post('/CR0WD00', 'x', from(3))).status, 303)
  assert.equal((await post('/CR0WD00', 'no', from(3))).status, 403)
})

test('a limit: people take it, programs and HEAD get a title and take none; then 410', async () => {
  counter.taken = 0
  for (const asking of [{ headers: { 'user-agent': 'Googlebot' } }, { method: 'HEAD' }]) {
    const { status, location, text } = await ask('/LIMIT00', asking)
    assert.deepEqual([status, location], [200, undefined])
    assert.doesNotMatch(text, /\/destination/)
    if (!('method' in asking)) {
      assert.match(text, /<meta property="og:title" content="Only &#60;three&#62;"/)
      assert.match(text, /<meta property="og:site_name" content="Acme"/)
    }
  }
  assert.equal(counter.taken, 0)
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask('/LIMIT00')))
  const statuses = answers.map(({ status }) => status)
  assert.deepEqual(
    [statuses.filter((one) => one === 302).length, statuses.filter((one) => one === 410).length],
    [3, 17],
  )
  const hits = await hitsOf('LIMIT00')
  assert.deepEqual(
    [hits.filter((one) => one === 'scan').length, hits.filter((one) => one === 'closed').length],
    [4, 17],
    'with the hit of the program',
  )
  counter.taken = 2
  assert.equal((await ask('/LIMITPW')).status, 200)
  assert.equal((await post('/LIMITPW', 'no')).status, 403)
  assert.equal(counter.taken, 2)
  assert.equal((await post('/LIMITPW', 'x')).status, 303)
  assert.equal((await post('/LIMITPW', 'x')).status, 410)
  assert.equal((await ask('/LIMITPW')).status, 410)
})

test('the contact of a code that has none is unknown and takes no answer; then 410', async () => {
  counter.taken = 0
  for (const asking of [{}, { method: 'HEAD' }, { headers: { 'user-agent': 'Googlebot' } }])
    for (let again = 0; again < 4; again++) {
      const { status, location } = await ask('/LIMIT00.vcf', asking)
      assert.deepEqual([status, location], [404, undefined])
    }
  assert.equal(counter.taken, 0)
  assert.equal((await ask('/LIMIT00')).status, 302)
  counter.taken = counter.limit
  assert.equal((await ask('/LIMIT00.vcf')).status, 410)
})

test('the contact of a code with a limit: a title for programs is a hit, the file and a closed one are none', async () => {
  counter.taken = 0
  for (const asking of [{ method: 'HEAD' }, { headers: { 'user-agent': 'Googlebot' } }]) {
    const title = await ask('/FULLVCF.vcf', asking)
    assert.deepEqual([title.status, title.headers['content-type']], [200, 'text/html; charset=utf-8'])
  }
  assert.deepEqual([counter.taken, await hitsOf('FULLVCF')], [0, ['scan']])
  assert.match((await ask('/FULLVCF.vcf')).text, /FN:Ada/)
  counter.taken = counter.limit
  const other = { headers: { 'x-forwarded-for': '203.0.113.40' } }
  while ((await ask('/FULLVCF', other)).status !== 410);
  const hits = await hitsOf('FULLVCF')
  assert.equal((await ask('/FULLVCF.vcf', other)).status, 410)
  assert.deepEqual(await hitsOf('FULLVCF'), hits)
})

test('HEAD has the head of GET wherever no answer of a limit is given, and is no hit', async () => {
  counter.taken = counter.limit
  const hosts = ['qr.example.com', 'go.example.org', 'plain.example.org']
  const paths = Object.keys(codes).flatMap((code) => [`/${code}`, `/${code}.vcf`])
  for (const agent of ['Phone', 'Googlebot'])
    for (const host of hosts)
      for (const path of [...paths, '/NEVER00', '/NEVER00.vcf']) {
        const headers = { host, 'user-agent': agent }
        const heads = journal.stats().appended
        const head = await ask(path, { method: 'HEAD', headers })
        assert.equal(journal.stats().appended, heads, path)
        const got = await ask(path, { headers })
        const title = `${agent} ${host} ${path}`
        assert.equal(head.text, '', title)
        assert.deepEqual(
          [head.status, { ...head.headers, date: '' }],
          [got.status, { ...got.headers, date: '' }],
          title,
        )
      }
  assert.equal(counter.taken, counter.limit)
  const isFull = await ask('/LIMIT00', { method: 'HEAD' })
  assert.deepEqual([isFull.status, isFull.location], [410, undefined])
  const unused = await ask('/FULLURL', { method: 'HEAD' })
  assert.deepEqual([unused.status, unused.location], [302, closed.url])
})

test('while the catalogue is away, whenUnknown decides within 250 ms, and other codes do not wait', async () => {
  counter.away = true
  const fromMs = performance.now()
  const [away, closedAnswer] = await Promise.all([ask('/AWAY000'), ask('/AWAYCLX')])
  const tookMs = performance.now() - fromMs
  assert.deepEqual([away.status, closedAnswer.status], [302, 410])
  assert.ok(tookMs >= 240 && tookMs < 1_000, `${tookMs} ms`)
  assert.equal((await ask('/FREE000')).status, 302)
})
