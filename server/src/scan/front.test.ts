import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import {
  Agent,
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { pino } from 'pino'
import { Value } from 'typebox/value'
import { ErrorBody, errorCodes, statusPhrases } from '@everscan/contract/schema/errors.ts'
import type { ScanTarget } from '../db/scans/scan-lookup.ts'
import { openJournal, type Journal } from '../journal/journal.ts'
import { arrivalLimits } from './bodies/body-watch.ts'
import { createTrustedProxies } from './client-address.ts'
import { Forward } from './forward.ts'
import { codeOf } from './hosts/code-paths.ts'
import { createFront } from './front.ts'
import { OpenConnections } from './open-connections.ts'
import { RecentCache } from './recent-cache.ts'
import { startResolver } from './resolve.ts'
import { ScanTimes } from './scan-times.ts'
import { createSiteHeaders } from './site-headers.ts'
import { someHosts } from './testing/hosts.ts'
import { noGuards } from './testing/guards.ts'
import { noSources } from './testing/sources.ts'
import { createVisitorHash } from '../visitors/visitor-hash.ts'

const dir = mkdtempSync(join(tmpdir(), 'everscan-front-'))
const apiSocket = join(dir, 'api.sock')
const siteHeaders = createSiteHeaders('https://qr.example.com')
const connectionsMax = 20
const caughtUp = { times: 0 }
let journal: Journal
let forward: Forward
let connections: OpenConnections
let front: Server
let port: number
let api: Server | undefined

const codes: Record<string, Partial<ScanTarget>> = {
  '7K3QX9A': { type: 'URL', data: { url: 'https://example.com/menu' } },
  CARD000: {
    type: 'VCARD',
    data: { firstName: 'Zoë', lastName: 'Ω "Ok"', phone: '+44 20 7946 0000', note: 'ä'.repeat(90) },
  },
  TEXT000: { type: 'TEXT', data: { text: 'Room 12' }, name: 'Rooms' },
  G0NE000: { status: 'DELETED' },
  WARPED0: { status: 'ARCHIVED', type: 'URL', data: { url: 'https://example.com/' } },
}

before(async () => {
  journal = openJournal({ dir: join(dir, 'journal'), sync: 'interval', bytesMax: 1 << 30 })
  const resolver = startResolver({
    lookup: (code) => {
      const found = codes[code]
      if (found === undefined) return undefined
      const base = {
        organizationId: 'org_1',
        qrCodeId: 'qr_1',
        codeKey: 'ABCD',
        name: 'A',
        style: {},
        brand: {},
        shortCode: code,
      }
      return { ...base, type: '', data: {}, status: 'ACTIVE', ...found }
    },
    changes: { poll: () => [], catchUp: async () => [] },
    log: pino({ level: 'silent' }),
    siteHeaders,
  })
  forward = new Forward({
    socketPaths: [apiSocket],
    beforeChangeAnswer: async () => {
      caughtUp.times++
    },
    idleMs: 500,
  })
  const scan = {
    resolver,
    journal,
    visitorHash: createVisitorHash('s'.repeat(32)),
    trustedProxies: createTrustedProxies(['127.0.0.1']),
    times: new ScanTimes(),
    sources: noSources(),
    visits: new RecentCache<true>(1),
    siteHeaders,
    ...noGuards(),
    hosts: someHosts(),
    publicHost: 'qr.example.com',
  }
  const ownPaths = {
    '/healthz': (_request: IncomingMessage, response: ServerResponse) => void response.end('ok'),
  }
  connections = new OpenConnections({ connectionsMax, trustedProxies: scan.trustedProxies })
  const arrival = { ...arrivalLimits, bodyMs: 5_000 }
  front = createFront({ scan, forward, ownPaths, connections, arrival, log: pino({ level: 'silent' }) })
  front.listen(0, '127.0.0.1')
  await once(front, 'listening')
  port = (front.address() as AddressInfo).port
})

after(async () => {
  await stopApi()
  front.closeAllConnections()
  front.close()
  forward.close()
  await journal.close()
  rmSync(dir, { recursive: true })
})

async function startApi(handle: Parameters<typeof createServer>[1]): Promise<void> {
  await stopApi()
  api = createServer(handle)
  api.listen(apiSocket)
  await once(api, 'listening')
}

async function stopApi(): Promise<void> {
  if (api === undefined) return
  api.closeAllConnections()
  api.close()
  await once(api, 'close')
  api = undefined
}

type Got = Pick<IncomingMessage, 'headers' | 'rawHeaders'> & { status: number; text: string }

async function ask(
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Got> {
  const { method = 'GET', headers = {}, body } = options
  const sent = httpRequest({ port, host: '127.0.0.1', path, method, headers })
  sent.end(body)
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  let text = ''
  for await (const chunk of answer) text += String(chunk)
  const { statusCode: status = 0, headers: gotHeaders, rawHeaders } = answer
  return { status, headers: gotHeaders, rawHeaders, text }
}

test('302: a known code in any letter case, with O, I and L, a query and a slash', async () => {
  for (const path of ['/7K3QX9A', '/7k3qx9a', '/7K3QX9A?utm_source=x', '/7K3QX9A/']) {
    const { status, headers, text } = await ask(path)
    assert.equal(status, 302, path)
    assert.equal(headers.location, 'https://example.com/menu')
    assert.match(headers['cache-control'] ?? '', /no-store/)
    assert.equal(text, '')
  }
  assert.equal((await ask('/GONEooo')).status, 410)
})

test('HEAD gets the same head and is not a scan, GET is one', async () => {
  const recorded = journal.stats().appended
  const { status, headers } = await ask('/7K3QX9A', { method: 'HEAD' })
  assert.equal(status, 302)
  assert.equal(headers.location, 'https://example.com/menu')
  assert.equal(journal.stats().appended, recorded)
  await ask('/7K3QX9A')
  assert.equal(journal.stats().appended, recorded + 1)
})

test('404, 410 and 405 are pages, and nothing is recorded', async () => {
  const recorded = journal.stats().appended
  assert.equal((await ask('/ZZZZZZZ')).status, 404)
  assert.equal((await ask('/G0NE000')).status, 410)
  assert.equal((await ask('/WARPED0')).status, 410)
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']) {
    const { status, headers } = await ask('/7K3QX9A', { method })
    assert.equal(status, 405, method)
    assert.equal(headers.allow, 'GET, HEAD')
  }
  assert.equal(journal.stats().appended, recorded)
})

test("pages are in the visitor's language, and say that nobody may keep or list them", async () => {
  const recorded = journal.stats().appended
  for (const [path, status, words] of [
    ['/TEXT000', 200, /Room 12/],
    ['/CARD000', 200, /Kontakt speichern/],
    ['/ZZZZZZZ', 404, /Diesen Code gibt es hier nicht/],
    ['/GONE000', 410, /Dieser Code wird nicht mehr verwendet/],
  ] as const) {
    const wanted = { headers: { 'accept-language': 'de-AT,de;q=0.9' } }
    const { status: got, headers, text } = await ask(path, wanted)
    assert.equal(got, status)
    assert.match(text, words)
    assert.match(text, /<html lang="de" dir="ltr">/)
    assert.equal(headers['cache-control'], 'private, no-store')
    assert.equal(headers['x-robots-tag'], 'noindex')
    assert.equal(headers['accept-ch'], 'Sec-CH-UA-Form-Factors')
    assert.equal(headers['critical-ch'], undefined, 'no second round trip')
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.match(
      String(headers['content-security-policy']),
      /^default-src 'none'; style-src 'sha256-[^;]*; base-uri 'none'/,
    )
    const head = await ask(path, { ...wanted, method: 'HEAD' })
    assert.deepEqual(
      [head.status, head.headers['content-length'], head.text],
      [got, String(Buffer.byteLength(text)), ''],
    )
  }
  assert.equal((await ask('/7K3QX9A')).headers['accept-ch'], undefined, 'redirects ask for nothing')
  assert.match(
    (await ask('/7K3QX9A', { method: 'POST', headers: { 'accept-language': 'ar' } })).text,
    /dir="rtl"/,
  )
  assert.equal(
    journal.stats().appended,
    recorded + 3,
    'the redirect and the two pages of codes are scans, the others and HEAD are none',
  )
})

test('.vcf: the contact of a code as a file, which is no scan', async () => {
  const recorded = journal.stats().appended
  for (const path of ['/CARD000.vcf', '/card000.VCF', '/cardooo.vcf?download']) {
    const { status, headers, text } = await ask(path)
    assert.equal(status, 200, path)
    assert.equal(headers['content-type'], 'text/vcard; charset=utf-8')
    assert.equal(
      headers['content-disposition'],
      `attachment; filename="Zo_ _ _Ok_.vcf"; filename*=UTF-8''Zo%C3%AB%20%CE%A9%20_Ok_.vcf`,
    )
    assert.equal(headers['cache-control'], 'private, no-store')
    assert.match(text, /^BEGIN:VCARD\r\nVERSION:3\.0\r\nN:Ω "Ok";Zoë;;;\r\n[^]*END:VCARD\r\n$/)
    const head = await ask(path, { method: 'HEAD' })
    assert.deepEqual(
      [head.status, head.headers['content-length'], head.text],
      [200, String(Buffer.byteLength(text)), ''],
    )
  }
  assert.match((await ask('/card000')).text, /href="\/CARD000\.vcf"/)
  for (const [path, status] of [
    ['/7K3QX9A.vcf', 404],
    ['/TEXT000.vcf', 404],
    ['/ZZZZZZZ.vcf', 404],
    ['/G0NE000.vcf', 410],
    ['/WARPED0.vcf', 410],
  ] as const)
    assert.equal((await ask(path)).status, status, path)
  assert.equal((await ask('/CARD000.vcf', { method: 'POST' })).status, 405)
  assert.equal((await ask('/TEXT000.vcf')).text, (await ask('/ZZZZZZZ.vcf')).text)
  assert.equal(journal.stats().appended, recorded + 1, 'the page is a scan, the file is none')
})

test('a user agent of 10 KB is cut, one of 100 KB is refused with 431', async () => {
  assert.equal((await ask('/7K3QX9A', { headers: { 'user-agent': 'x'.repeat(10_000) } })).status, 302)
  const socket = connect(port, '127.0.0.1')
  socket.end(`GET /7K3QX9A HTTP/1.1\r\nHost: x\r\nUser-Agent: ${'x'.repeat(100_000)}\r\n\r\n`)
  let text = ''
  for await (const chunk of socket) text += String(chunk)
  assert.match(text, /^HTTP\/1.1 431 /)
  assert.match(text, /"code":"HEADERS_TOO_LARGE"/)
})

/** Sends text and returns all that comes until the front ends the connection. */
async function wire(text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write(text)
  let answer = ''
  for await (const chunk of socket) answer += String(chunk)
  return answer
}

/** Sends a request over an open connection and waits for the beginning of its answer. */
async function askOver(socket: Socket, path: string): Promise<void> {
  const answer = once(socket, 'data')
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
  await answer
}

test('every answer tells browsers to stay on https, if PUBLIC_URL is on it', async () => {
  const security = 'max-age=31536000'
  const asked: [path: string, status: number, method?: string][] = [
    ['/7K3QX9A', 302],
    ['/TEXT000', 200],
    ['/CARD000.vcf', 200],
    ['/ZZZZZZZ', 404],
    ['/G0NE000', 410],
    ['/7K3QX9A', 405, 'POST'],
    ['/healthz', 200],
    ['/api/v1/down', 503],
  ]
  for (const [path, status, method = 'GET'] of asked) {
    const answer = await ask(path, { method })
    assert.deepEqual([answer.status, answer.headers['strict-transport-security']], [status, security], path)
  }
  await startApi((request, response) => {
    const own = request.url === '/own' ? { 'strict-transport-security': 'max-age=1' } : {}
    response.writeHead(404, { 'Set-Cookie': ['a=1', 'b=2'], ...own }).end('no')
  })
  const { rawHeaders, headers, text } = await ask('/api/v1/x')
  assert.equal(headers['strict-transport-security'], security)
  assert.deepEqual([headers['set-cookie'], text], [['a=1', 'b=2'], 'no'])
  assert.equal(rawHeaders.filter((name) => /^strict-transport-security$/i.test(name)).length, 1)
  assert.equal((await ask('/own')).headers['strict-transport-security'], 'max-age=1', 'it comes once')
  await stopApi()

  const line = new RegExp(`\\r\\nStrict-Transport-Security: ${security}\\r\\n`)
  for (const [request, status] of [
    ['GET /7K3QX9A HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 302],
    ['GET /7K3QX9A HTTP/1.1\r\nHost: x\r\nExpect: a lot\r\n\r\n', 417],
    ['GET /7K3QX9A HTTP/1.1\r\nHost: x\r\nBad header\r\n\r\n', 400],
    ['nonsense\r\n\r\n', 400],
  ] as const) {
    const answer = await wire(request)
    assert.match(answer, new RegExp(`^HTTP/1.1 ${status} `))
    assert.match(answer, line, request)
  }
  assert.deepEqual(createSiteHeaders('http://localhost:3000'), [])
})

test('400: a request with two Host headers, or with none since HTTP/1.1', async () => {
  let received = 0
  await startApi((_request, response) => {
    received++
    response.end()
  })
  const recorded = journal.stats().appended
  for (const version of ['1.0', '1.1'])
    for (const path of ['/7K3QX9A', '/healthz', '/api/v1/x'])
      for (const [hosts, isRight] of [
        ['Host: a\r\nHost: b\r\n', false],
        ['Host: a\r\nhost: a\r\n', false],
        ['Host:\r\nX-Between: 1\r\nHOST:\r\n', false],
        ['Host: a\r\nHost: b\r\nHost: c\r\n', false],
        ['', version === '1.0'],
        ['Host: a\r\n', true],
        ['Host:\r\nHosts: b\r\nDate: x\r\n', true],
      ] as const) {
        const answer = await wire(`GET ${path} HTTP/${version}\r\n${hosts}Connection: close\r\n\r\n`)
        const title = `${version} ${path} ${hosts}`
        if (isRight) assert.match(answer, /^HTTP\/1.1 [23]0[02] /, title)
        else assert.match(answer, /^HTTP\/1.1 400 Bad Request\r\n[^]*Connection: close\r\n/, title)
      }
  assert.equal(received, 5, 'none of the refused ones was handed on')
  assert.equal(journal.stats().appended, recorded + 5, 'nor recorded')
  const pipelined = 'GET /7K3QX9A HTTP/1.1\r\nHost: a\r\n'
  const answers = await wire(`${pipelined}\r\n${pipelined}Host: b\r\n\r\n${pipelined}\r\n`)
  assert.deepEqual(answers.match(/HTTP\/1.1 \d+/g), ['HTTP/1.1 302', 'HTTP/1.1 400'])
  await stopApi()
})

test('400: a request whose end two readers could see in two places; what follows it is not read', async () => {
  let received = 0
  await startApi((_request, response) => {
    received++
    response.end()
  })
  const next = 'GET /7K3QX9A HTTP/1.1\r\nHost: a\r\n\r\n'
  const recorded = journal.stats().appended
  for (const [framing, body] of [
    ['Content-Length: 4\r\nTransfer-Encoding: chunked', '0\r\n\r\n'],
    ['Transfer-Encoding: chunked\r\nContent-Length: 5', '0\r\n\r\n'],
    ['Content-Length: 3\r\nContent-Length: 4', 'abc'],
    ['Content-Length: -1', ''],
    ['Content-Length: 0x3', 'abc'],
    ['Transfer-Encoding: xchunked\r\nContent-Length: 3', 'abc'],
    ['Transfer-Encoding : chunked\r\nContent-Length: 0', ''],
    ['Transfer-Encoding: chunked, identity', '0\r\n\r\n'],
    ['X-Folded: a\r\n b\r\nContent-Length: 0', ''],
    ['Content-Length: 0\nX-Bare: 1', ''],
  ] as const) {
    const answer = await wire(`POST /api/v1/x HTTP/1.1\r\nHost: a\r\n${framing}\r\n\r\n${body}${next}`)
    assert.deepEqual(answer.match(/HTTP\/1.1 \d+/g), ['HTTP/1.1 400'], framing)
  }
  assert.equal(received, 0, 'none was handed on')
  assert.equal(journal.stats().appended, recorded, 'nor was what followed it')
  await stopApi()
})

test('HTTP/1.0 without Host: what PUBLIC_URL answers', async () => {
  const hosts: (string | undefined)[] = []
  await startApi((request, response) => {
    hosts.push(request.headers.host)
    response.end(`${request.method} ${request.url}`)
  })
  for (const [method, path] of [
    ['GET', '/'],
    ['HEAD', '/'],
    ['GET', '/app'],
    ['GET', '/docs/guide'],
    ['GET', '/api/v1/x?y=1'],
    ['POST', '/api/v1/x'],
  ] as const) {
    const answer = await wire(`${method} ${path} HTTP/1.0\r\nExpect: 100-continue\r\n\r\n`)
    assert.match(answer, /^HTTP\/1\.1 200 /, path)
    if (method !== 'HEAD') assert.ok(answer.endsWith(`${method} ${path}`), answer)
  }
  assert.deepEqual(new Set(hosts), new Set(['']), 'no name, so none that could be mistaken for a known one')
  await stopApi()
})

test('a whole URL as the target is its path and its host; the header Host gives way', async () => {
  const asked: (string | undefined)[][] = []
  await startApi((request, response) => {
    asked.push([request.url, request.headers.host, String(request.rawHeaders.join().match(/host/gi))])
    response.end()
  })
  for (const target of ['http://b/7K3QX9A', 'HTTPS://B:443/7K3QX9A?x=1', 'http://[::1]:80/7K3QX9A'])
    assert.equal(await statusFor(target), 302, target)
  assert.equal(await statusFor('http://b/UNKN0WN'), 404)
  assert.equal(await statusFor('http://b/7K3QX9A', 'HTTP/1.0\r\n'), 302)
  assert.equal(await statusFor('http://b/7K3QX9A', 'HTTP/1.1\r\n'), 400, 'Host must be there all the same')
  assert.equal(await statusFor('http://b/7K3QX9A', 'HTTP/1.1\r\nHost: a\r\nHost: b\r\n'), 400)
  assert.equal(await statusFor('http://b/healthz'), 200)
  assert.deepEqual(asked, [])
  for (const target of ['http://b', 'http://b?x=1', 'http://b:80/api/v1/x?y=http://c/'])
    assert.equal(await statusFor(target), 200, target)
  assert.equal(await statusFor('https://b/app', 'HTTP/1.0\r\n'), 200)
  assert.deepEqual(asked, [
    ['/', 'b', 'Host'],
    ['/?x=1', 'b', 'Host'],
    ['/api/v1/x?y=http://c/', 'b:80', 'Host'],
    ['/app', 'b', 'Host'],
  ])
  for (const target of ['http://user@b/7K3QX9A', 'http:///7K3QX9A', 'ftp://b/7K3QX9A', '*', 'a:1'])
    assert.equal(await statusFor(target), 400, target)
  await stopApi()
})

async function statusFor(target: string, rest = 'HTTP/1.1\r\nHost: a\r\n'): Promise<number> {
  const answer = await wire(`GET ${target} ${rest}Connection: close\r\n\r\n`)
  return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1])
}

test('OPTIONS * has the methods of the whole server', async () => {
  const answer = await wire('OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
  assert.match(
    answer,
    /^HTTP\/1\.1 204 No Content\r\nAllow: GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS\r\n/,
  )
  assert.match(await wire('OPTIONS * HTTP/1.1\r\nConnection: close\r\n\r\n'), /^HTTP\/1\.1 400 /)
})

test('every refusal of a request stands in the table of errors, with its JSON', async () => {
  let received = 0
  await startApi((_request, response) => {
    received++
    response.end()
  })
  const recorded = journal.stats().appended
  const host = 'Host: a\r\n'
  const post = `POST /api/v1/x HTTP/1.1\r\n${host}`
  const requests: [request: string, status: number, allow?: string][] = [
    [`${post}Expect: a lot\r\nContent-Length: 2\r\n\r\n{}`, 417],
    [`${post}Expect:\r\nContent-Length: 2\r\n\r\n{}`, 417],
    [`GET /7K3QX9A HTTP/1.1\r\n${host}Expect: 101-stop\r\n\r\n`, 417],
    [`GET /7K3QX9A HTTP/2.0\r\n${host}\r\n`, 400],
    [`GET /7K3QX9A HTTP/0.9\r\n${host}\r\n`, 400],
    [`GET /7K3QX9A HTTP/1.2\r\n${host}\r\n`, 400],
    ['GET /\r\n\r\n', 400],
    ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    [`BREW /7K3QX9A HTTP/1.1\r\n${host}\r\n`, 400],
    ['\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
    [`${post}Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n{}`, 400],
    [`${post}Transfer-Encoding: gzip\r\n\r\n{}`, 400],
    [`${post}${host}\r\n`, 400],
    ['GET /api/v1/x HTTP/1.1\r\n\r\n', 400],
    [`GET /${'x'.repeat(70_000)} HTTP/1.1\r\n${host}\r\n`, 431],
    [`DELETE /healthz HTTP/1.1\r\n${host}\r\n`, 405, 'GET, HEAD'],
    ...['a:443', '/7K3QX9A', '/api/v1/x'].map((target): [string, number, string] => [
      `CONNECT ${target} HTTP/1.1\r\n${host}\r\n`,
      405,
      'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
    ]),
    ...['TRACE', 'QUERY', 'PROPFIND', 'LINK', 'PURGE'].flatMap((method) =>
      ['/', '/app', '/docs', '/api/v1/x', '/api/v1/organizations'].map((path): [string, number, string] => [
        `${method} ${path} HTTP/1.1\r\n${host}Cookie: a=0123456789\r\n\r\n`,
        405,
        'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
      ]),
    ),
  ]
  for (const [request, status, allow] of requests) {
    const title = JSON.stringify(request.slice(0, 80))
    const [head = '', text = ''] = (await wire(request)).split('\r\n\r\n')
    assert.match(head, new RegExp(`^HTTP/1\\.1 ${status} [^]*\r\nConnection: close(\r\n|$)`), title)
    const body = JSON.parse(text) as ErrorBody
    assert.equal(Value.Check(ErrorBody, body), true, title)
    assert.deepEqual(
      [body.statusCode, errorCodes[body.code], body.error],
      [status, status, statusPhrases[status]],
    )
    assert.equal(/\r\nAllow: (.*)/i.exec(head)?.[1], allow, title)
    assert.match(head, new RegExp(`\r\nContent-Length: ${text.length}\r\n`), title)
    assert.doesNotMatch(text, /0123456789/)
  }
  assert.equal(received, 0, 'none was handed on')
  assert.equal(journal.stats().appended, recorded)
  await stopApi()
})

test('an upgrade that nobody offers is answered as the request that it is, and the connection goes on', async () => {
  const socket = connect(port, '127.0.0.1')
  let answers = ''
  socket.on('data', (chunk) => (answers += String(chunk)))
  const upgrade = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMA\r\n'
  for (const ending of [upgrade, upgrade, 'Connection: close\r\n']) {
    const answer = once(socket, 'data')
    socket.write(`GET /7K3QX9A HTTP/1.1\r\nHost: a\r\n${ending}\r\n`)
    await answer
  }
  await once(socket, 'close')
  assert.deepEqual(answers.match(/HTTP\/1.1 \d+/g), ['HTTP/1.1 302', 'HTTP/1.1 302', 'HTTP/1.1 302'])
})

test('TRACE never returns the request, whose headers may hold a session', async () => {
  const headers = { cookie: 'a=0123456789' }
  const { status, text } = await ask('/7K3QX9A', { method: 'TRACE', headers })
  assert.equal(status, 405)
  assert.doesNotMatch(text, /0123456789/)
})

test('at the limit of connections the one that has been idle longest makes room; redirects go on', async (t) => {
  const sockets: Socket[] = []
  t.after(() => {
    for (const socket of sockets) socket.destroy()
  })
  const open = async (path?: string): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1')
    sockets.push(socket)
    // A connection that the front closes is reset, if it still sends.
    socket.on('error', () => undefined).resume()
    await once(socket, 'connect')
    if (path !== undefined) await askOver(socket, path)
    return socket
  }
  const long: ServerResponse[] = []
  await startApi((_request, response) => {
    response.writeHead(200, { 'Content-Length': '11' })
    response.write('begun')
    long.push(response)
  })
  const recorded = journal.stats().appended
  front.closeIdleConnections()
  while (connections.size > 0) await wait(5)
  const busy = await open('/api/v1/long')
  const [unused, first, second] = [await open(), await open('/7K3QX9A'), await open('/7K3QX9A')]
  for (let count = connections.size; count < connectionsMax; count++) await open('/healthz')
  await askOver(first, '/TEXT000')
  assert.equal(connections.closed().all.idle, 0)
  const closed = Promise.all([once(unused, 'close'), once(second, 'close')])
  assert.equal((await ask('/7K3QX9A')).status, 302)
  await open('/7K3QX9A')
  await closed
  for (let count = 0; count < 3 * connectionsMax; count++) await open('/7K3QX9A')
  assert.equal(busy.closed, false, 'a request is in progress')
  const ended = once(busy, 'data')
  for (const response of long) response.end(' ended')
  await ended
  for (let count = 1; count < connectionsMax; count++) await open('/7K3QX9A')
  assert.equal(busy.closed, false, 'it is idle from the end of its answer on')
  const last = once(busy, 'close')
  await open('/7K3QX9A')
  await last
  assert.equal(connections.size, connectionsMax)
  assert.equal(connections.closed().all.refused, 0)
  assert.ok(journal.stats().appended >= recorded + 3 * connectionsMax)
  await stopApi()
})

test('503 with Retry-After while the API is away; redirects go on', async () => {
  await stopApi()
  const { status, headers, text } = await ask('/api/v1/users/me/organizations')
  assert.equal(status, 503)
  assert.ok(Number(headers['retry-after']) > 0)
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.equal((JSON.parse(text) as { code: string }).code, 'UNAVAILABLE')
  assert.equal((await ask('/7K3QX9A')).status, 302)
})

test('what is handed on arrives as it was sent, with the client address that is believed', async () => {
  await startApi((request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += String(chunk)))
    request.on('end', () => {
      response.writeHead(201, { 'X-Answer': 'yes', 'Content-Type': 'application/json' })
      response.end(
        JSON.stringify({ method: request.method, url: request.url, headers: request.headers, body }),
      )
    })
  })
  const headers = {
    'X-API-Key': 'k',
    'x-forwarded-for': '9.9.9.9, 198.51.100.7',
    'x-everscan-trail': '9.9.9.9',
    'x-everscan-forwarded-for': '9.9.9.9',
    'content-type': 'text/plain',
  }
  const timesBefore = caughtUp.times
  const answer = await ask('/api/v1/x?y=1', { method: 'POST', headers, body: 'hello' })
  assert.equal(answer.status, 201)
  assert.equal(answer.headers['x-answer'], 'yes')
  const got = JSON.parse(answer.text) as {
    method: string
    url: string
    body: string
    headers: Record<string, string>
  }
  assert.equal(got.method, 'POST')
  assert.equal(got.url, '/api/v1/x?y=1')
  assert.equal(got.body, 'hello')
  assert.equal(got.headers['x-api-key'], 'k')
  assert.equal(got.headers['x-forwarded-for'], '198.51.100.7')
  assert.equal(got.headers['x-everscan-trail'], '127.0.0.1,198.51.100.7', 'nobody else can set it')
  assert.equal(got.headers['x-everscan-forwarded-for'], '9.9.9.9, 198.51.100.7')
  assert.equal(caughtUp.times, timesBefore + 1, 'a change is caught up with before its answer is passed on')
  await ask('/api/v1/x')
  assert.equal(caughtUp.times, timesBefore + 1)
})

test('a request without a body is handed on as one, whether or not it says so', async () => {
  await startApi((request, response) => {
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
    let bytes = 0
    request.on('data', (chunk: Buffer) => (bytes += chunk.length))
    request.on('end', () => response.end(JSON.stringify([length ?? null, encoding ?? null, bytes])))
  })
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
    for (const framing of ['', 'Content-Length: 0\r\n']) {
      const socket = connect(port, '127.0.0.1')
      socket.write(`${method} /api/v1/x HTTP/1.1\r\nHost: x\r\n${framing}Connection: close\r\n\r\n`)
      let text = ''
      for await (const chunk of socket) text += String(chunk)
      assert.match(text, /^HTTP\/1\.1 200 [\s\S]*\["0",null,0\]/, `${method} ${framing}`)
    }
})

test('a large upload and a large download stream through', async () => {
  const chunk = Buffer.alloc(1024 * 1024, 7)
  await startApi((request, response) => {
    let received = 0
    request.on('data', (part: Buffer) => (received += part.length))
    request.on('end', () => {
      response.setHeader('X-Received', received)
      for (let i = 0; i < 20; i++) response.write(chunk)
      response.end()
    })
  })
  const sent = httpRequest({ port, host: '127.0.0.1', path: '/api/v1/upload', method: 'POST' })
  for (let i = 0; i < 20; i++) sent.write(chunk)
  sent.end()
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  assert.equal(answer.headers['x-received'], String(20 * chunk.length))
  let bytes = 0
  for await (const part of answer) bytes += (part as Buffer).length
  assert.equal(bytes, 20 * chunk.length)
})

test('an answer that comes before the body was read arrives, and the connection goes on', async () => {
  await startApi((request, response) => {
    // Behaves like a server that neither reads the body nor closes the connection.
    request.pause()
    response.writeHead(413, { 'Content-Length': '0' })
    response.end()
  })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  for (let i = 0; i < 3; i++) {
    const sent = httpRequest({ port, host: '127.0.0.1', path: '/api/v1/upload', method: 'POST', agent })
    sent.end(Buffer.alloc(8 * 1024 * 1024))
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    assert.equal(answer.statusCode, 413)
    answer.resume()
    await once(answer, 'end')
  }
  agent.destroy()
})

// The timeout is far less than this API keeps the connection for.
test(
  'a connection to the API that nobody uses is closed, never one in use',
  { timeout: 20_000 },
  async () => {
    await startApi((request, response) => {
      if (request.url === '/api/v1/slow') setTimeout(() => response.end('slow'), 1_500)
      else response.end('quick')
    })
    Object.assign(api as Server, { keepAliveTimeout: 120_000 })
    const [connected] = await Promise.all([once(api as Server, 'connection'), ask('/api/v1/slow')])
    const [connection] = connected as [Socket]
    assert.equal((await ask('/api/v1/quick')).text, 'quick')
    assert.equal(connection.destroyed, false, 'it is kept for the next')
    await once(connection, 'close')
  },
)

test('under a kept connection that breaks, a read is asked again of another API, a change is not', async (t) => {
  const received: string[] = []
  const sockets = ['one', 'two'].map((name) => join(dir, `${name}.sock`))
  const apis = sockets.map((path) =>
    createServer((request, response) => {
      received.push(request.url ?? '')
      if (request.url === '/broken') request.socket.destroy()
      else response.end()
    }).listen(path),
  )
  const two = new Forward({ socketPaths: sockets, beforeChangeAnswer: async () => {} })
  const handOn = createServer((request, response) => two.forward(request, response, { trail: [] })).listen(0)
  t.after(() => {
    two.close()
    for (const server of [handOn, ...apis]) server.close().closeAllConnections()
  })
  const send = async (path: string, method: string): Promise<number> => {
    const url = `http://127.0.0.1:${(handOn.address() as AddressInfo).port}${path}`
    return (await fetch(url, { method })).status
  }
  for (const [method, times] of [
    ['GET', 2],
    ['POST', 1],
    ['DELETE', 1],
  ] as const) {
    // Gives each API a connection that is kept.
    assert.deepEqual([await send('/', 'GET'), await send('/', 'GET')], [200, 200])
    received.length = 0
    assert.equal(await send('/broken', method), 503, method)
    assert.deepEqual(received, Array.from({ length: times }).fill('/broken'), method)
  }
})

test('503 when the API begins no answer in time; a long upload, a long answer and a stream have their time', async (t) => {
  const socketPath = join(dir, 'late.sock')
  const brokenOff = Promise.withResolvers<void>()
  const late = createServer((request, response) => {
    request.resume()
    if (request.url === '/silent') response.once('close', brokenOff.resolve)
    else if (request.url === '/at-work') {
      for (const ms of [200, 400, 600, 800]) setTimeout(() => response.writeProcessing(), ms)
      setTimeout(() => response.end('done'), 1_000)
    } else
      request.once('end', () => {
        response.write('begun')
        setTimeout(() => response.end(' and done'), 900)
      })
  }).listen(socketPath)
  const impatient = new Forward({
    socketPaths: [socketPath],
    beforeChangeAnswer: async () => {},
    firstByteMs: 400,
  })
  const handOn = createServer((request, response) =>
    impatient.forward(request, response, { trail: [] }),
  ).listen(0)
  t.after(() => {
    impatient.close()
    for (const server of [handOn, late]) server.close().closeAllConnections()
  })
  const url = `http://127.0.0.1:${(handOn.address() as AddressInfo).port}`

  for (const method of ['GET', 'POST']) {
    const fromMs = performance.now()
    const refused = await fetch(`${url}/silent`, { method, ...(method === 'POST' && { body: 'change' }) })
    const waitedMs = performance.now() - fromMs
    assert.equal(refused.status, 503, method)
    assert.equal(refused.headers.get('retry-after'), '1')
    assert.equal(((await refused.json()) as { code: string }).code, 'UNAVAILABLE')
    assert.ok(waitedMs >= 390 && waitedMs < 5_000, `${method}: ${waitedMs} ms`)
  }
  await brokenOff.promise

  const worked = await fetch(`${url}/at-work`, { method: 'POST', body: 'file' })
  assert.deepEqual([worked.status, await worked.text()], [200, 'done'])

  // Each piece arrives within the time, but all of them take three times as long.
  const upload = httpRequest(`${url}/upload`, { method: 'POST' })
  const answered = once(upload, 'response')
  for (let piece = 0; piece < 6; piece++) {
    upload.write('piece')
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  upload.end()
  const [answer] = (await answered) as [IncomingMessage]
  let text = ''
  for await (const chunk of answer) text += String(chunk)
  assert.deepEqual([answer.statusCode, text], [200, 'begun and done'])
})

test('503 for more requests in progress than the API may have, even if their bodies never come', async (t) => {
  await startApi((request, response) => {
    request.resume().once('end', () => response.end())
  })
  const few = new Forward({ socketPaths: [apiSocket], beforeChangeAnswer: async () => {}, requestsMax: 2 })
  const handOn = createServer((request, response) => few.forward(request, response, { trail: [] })).listen(0)
  const endless: Socket[] = []
  t.after(() => {
    for (const socket of endless) socket.destroy()
    few.close()
    handOn.close().closeAllConnections()
  })
  const { port: handOnPort } = handOn.address() as AddressInfo
  const statusOf = async (): Promise<number> => (await fetch(`http://127.0.0.1:${handOnPort}/`)).status
  for (let times = 0; times < 5; times++) assert.equal(await statusOf(), 200, 'ended ones do not count')
  const post = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf'
  for (let count = 0; count < 2; count++) {
    const socket = connect(handOnPort, '127.0.0.1')
    endless.push(socket)
    const received = once(handOn, 'request')
    socket.write(post)
    await received
  }
  assert.equal(await statusOf(), 503)
  const refused = connect(handOnPort, '127.0.0.1')
  refused.write(post)
  let text = ''
  for await (const chunk of refused) text += String(chunk)
  assert.match(text, /^HTTP\/1.1 503 [^]*Connection: close/, 'its body is not awaited')
  endless.pop()?.destroy()
  while ((await statusOf()) === 503) await wait(5)
})

test('408 as JSON for a body that does not come: of the API, of a password and of a scan', async () => {
  await startApi((request, response) => {
    request.resume().once('end', () => response.end())
  })
  const answers = await Promise.all(
    ['POST /api/v1/anything', 'POST /7K3QX9A', 'GET /7K3QX9A'].map(async (line) => {
      const socket = connect(port, '127.0.0.1')
      socket.write(`${line} HTTP/1.1\r\nHost: qr.example.com\r\nContent-Length: 10\r\n\r\nhalf`)
      let text = ''
      for await (const chunk of socket) text += String(chunk)
      return text
    }),
  )
  assert.match(answers[0] ?? '', /^HTTP\/1.1 408 [^]*Connection: close\r\n[^]*"code":"REQUEST_TIMEOUT"/)
  assert.match(answers[1] ?? '', /^HTTP\/1.1 40[58] /)
  assert.match(answers[2] ?? '', /^HTTP\/1.1 302 /, 'answered, and then closed')
})

test('server-sent events pass as they come, and an abort ends the other side', async () => {
  const { promise: aborted, resolve: abort } = Promise.withResolvers<void>()
  await startApi((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' })
    response.write('data: one\n\n')
    response.on('close', abort)
  })
  const sent = httpRequest({ port, host: '127.0.0.1', path: '/api/v1/events' })
  sent.end()
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  const [first] = (await once(answer, 'data')) as [Buffer]
  assert.equal(String(first), 'data: one\n\n')
  answer.destroy()
  await aborted
})

test('an answer that breaks off is broken off for the client too', async () => {
  await startApi((_request, response) => {
    response.writeHead(200, { 'Content-Length': '100' })
    response.write('half')
    setTimeout(() => response.destroy(), 20)
  })
  await assert.rejects(ask('/api/v1/broken'))
})

test('paths of ours and of browsers are not short codes', () => {
  for (const path of [
    '/',
    '/api',
    '/API',
    '/app',
    '/docs',
    '/readyz',
    '/favicon.ico',
    '/abc',
    '/a/b/c',
    '/ABCDEFG/x',
    '/ABC%DEFG',
    '/%2541BCDEF',
    '/app.',
    '/API&x',
    '/&ABCDEFG',
    `/${'A'.repeat(33)}`,
  ])
    assert.equal(codeOf(path), undefined, path)
  for (const path of [
    '/favicon.vcf',
    '/API.vcf',
    '/abc.vcf',
    '/.vcf',
    '/a/b.vcf',
    '/ABCDEFG.vcf.vcf',
    '/ABCDEFG.vcf.x',
  ])
    assert.equal(codeOf(path), undefined, path)
  for (const [path, code] of [
    ['/ABCDEFG', 'ABCDEFG'],
    ['/abcdefg', 'ABCDEFG'],
    ['/oil-2026', '011-2026'],
    ['/OIL-2026?x=/y', '011-2026'],
  ] as const) {
    assert.deepEqual(codeOf(path), { code, asked: 'scan' }, path)
    const contact = path.replace(/[^/?]+/, '$&.vcf')
    assert.deepEqual(codeOf(contact), { code, asked: 'contact' }, contact)
  }
})

test('short URLs are found as people type, copy and send them', () => {
  const ends =
    '. , ) ] > ; : ! ? " \' / // %20 %E2%80%8B %EF%BB%BF &fbclid=1 &utm_source=x/y ?fbclid=1 %29. /?a&b ' +
    '](x) ](https://qr.example.com/ABCD-12) )** **. * _ __ ` ``` > >>, | |Menu> <br> </a> ">Menu</a> ' +
    '","name":"A" \\" \\n } }} {x} [1] [/url] ^ ´ ” “ „ « » ‹ › ‘ ’ ‚ … · • – — 。 ， 、 ； ： ！ ？ （ ） 」 』 】 》 ＂ ＞ ' +
    '｜ ، ؛ ؟ । ։ \u200e \u200f \u00ad \u00a0 \u3000 %0A %0D%0A %09 # %23'
  const written = ends.split(' ')
  for (const end of [
    ...written,
    ...written.filter((one) => !one.includes('%')).map(encodeURI),
    '%5D%28x%29',
  ]) {
    assert.deepEqual(codeOf(`/abcd-12${end}`), { code: 'ABCD-12', asked: 'scan' }, end)
    if (!end.startsWith('&'))
      assert.deepEqual(codeOf(`/ABCDEFG.vcf${end}`), { code: 'ABCDEFG', asked: 'contact' }, end)
  }
  for (const start of [
    '/',
    '//',
    '/%20',
    '/%E2%80%8B',
    '/"',
    '/“',
    '/%E2%80%9E',
    '/<',
    '/[',
    '/(**',
    '/「',
    '/`',
  ])
    assert.deepEqual(codeOf(`${start}ABCDEFG`), { code: 'ABCDEFG', asked: 'scan' }, start)
  assert.deepEqual(codeOf('/%41BCDEF'), { code: 'ABCDEF', asked: 'scan' })
  // A code may begin and end with it.
  assert.deepEqual(codeOf('/-ABCDEF-'), { code: '-ABCDEF-', asked: 'scan' })
  // A mark inside of a text is part of it: a shorter code would be another one.
  for (const inside of [
    '/ABCD%20EFGH',
    '/ABCD.EFGH',
    '/ABCD”EFGH',
    '/ABCD_EFGH',
    '/ABCD@',
    '/ABCDé',
    '/ABCD👍',
  ])
    assert.equal(codeOf(encodeURI(decodeURI(inside))), undefined, inside)
  const fromMs = performance.now()
  assert.equal(codeOf(`/${'.'.repeat(30_000)}A`), undefined)
  assert.equal(codeOf(`/${'A.'.repeat(15_000)}`), undefined)
  assert.ok(performance.now() - fromMs < 100)
})
