import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, before, describe, test } from 'node:test'
import { setInterval as ticks } from 'node:timers/promises'
import type { Client, EverscanError, ImportJob } from '@everscan/client/create-client.ts'
import { watchMemory } from '../support/memory.ts'
import { startService, until, type Service } from '../support/service.ts'

/** Redirects beside an import may take this many times as long as those of a bare server. */
const slownessMax = 10
const tenMiB = 10 * 1024 * 1024
const good = 'A,https://example.com/\n'

/**
 * An upload with its expected result: an HTTP status with a part of the message, or the outcome of
 * the job.
 */
type Hostile = [title: string, file: string | Buffer<ArrayBuffer>, expected: [number, RegExp] | string]

const hostile: Hostile[] = [
  ['nothing', '', [400, /is empty/]],
  ['white space', ' \n\t\r\n  ', [400, /is empty/]],
  ['commas only', ',,,\n,,,\n', [400, /is empty/]],
  ['a byte order mark only', '\ufeff', [400, /is empty/]],
  ['header only', 'name,url', [400, /no row below/]],
  ['header and line breaks', 'name,url\r\n\r\n\n\n', [400, /no row below/]],
  ['no header', good.repeat(3), [400, /has "A", which is not a column of URL/]],
  ['one column missing', 'name\nA\n', [400, /must have the column "url"/]],
  ['a column twice', 'name,url,URL\n', [400, /has the column "URL" twice/]],
  [
    'a column without a name in between',
    'name,,url\nA,,https://example.com',
    [400, /a column without a name/],
  ],
  ['columns without a name at the end', `name,url,,\nA,https://example.com,,\n`, 'COMPLETED 1 of 1'],
  ['__proto__ as a column', 'name,url,__proto__\n', [400, /has "__proto__"/]],
  ['constructor and toString as columns', 'constructor,toString\n', [400, /has "constructor"/]],
  ['one line of 10 MB', 'x'.repeat(tenMiB), [400, /row of more than 1 MiB/]],
  ['10 MB + 1 byte', `name,url\n${'x'.repeat(tenMiB)}`, [413, /larger than 10 MB/]],
  ['40 MB', Buffer.alloc(4 * tenMiB, 'name,url\n'), [413, /larger than 10 MB/]],
  ['a field of 10 MB in quotes', `name,url\n"${'x\n'.repeat(5_000_000)}",b`, [400, /row of more than 1 MiB/]],
  ['a field of 17,000 bytes', `name,url\n${'x'.repeat(17_000)},https://example.com`, 'COMPLETED 0 of 1'],
  [
    'a million columns',
    `name,url${',x'.repeat(500_000)}\n${good}`,
    [400, /row of more than 1 MiB|64 columns/],
  ],
  [
    '65 columns',
    `${Array.from({ length: 65 }, (_, i) => `c${i}`).join(',')}\n`,
    [400, /at most 64 columns, got 65/],
  ],
  ['a row of 100,000 cells', `name,url\n${'x,'.repeat(100_000)}\n${good}`, 'COMPLETED 1 of 2'],
  ['a row of fewer cells', `name,url\nA\n${good}`, 'COMPLETED 1 of 2'],
  ['10,001 rows', `name,url\n${good.repeat(10_001)}`, [400, /at most 10000 rows/]],
  ['a million rows', `name,url\n${'a,\n'.repeat(1_000_000)}`, [400, /at most 10000 rows/]],
  ['5 million line breaks', `name,url\n${'\r\n'.repeat(5_000_000)}${good}`, 'COMPLETED 1 of 1'],
  [
    'a quote that is never closed',
    `name,url\n${good}"A,https://example.com\n${good.repeat(99)}`,
    [400, /never closed, in the row that begins on line 3/],
  ],
  ['10 MB of quotes', '"'.repeat(tenMiB), [400, /row of more than 1 MiB/]],
  [
    'quotes in the wrong places',
    'name,url\nA "b" c",https://example.com\n"x"y,https://example.com',
    'COMPLETED 2 of 2',
  ],
  ['zero bytes in a cell', 'name,url\nA\0B,https://example.com', [415, /zero bytes/]],
  ['a PNG', Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108', 'hex'), [415, /zero bytes/]],
  ['a broken workbook', Buffer.from('504b0304140006000800000021', 'hex'), [415, /as a workbook/]],
  [
    'random bytes',
    Buffer.from(Array.from({ length: 100_000 }, (_, i) => (i * 7919 + (i >> 3) * 31) % 256)),
    [415, /zero bytes/],
  ],
  ['UTF-16, big endian', Buffer.from(`\ufeffname,url\n${good}`, 'utf16le').swap16(), 'COMPLETED 1 of 1'],
  [
    'UTF-16 with half a character',
    Buffer.concat([Buffer.from(`\ufeffname,url\n${good}`, 'utf16le'), Buffer.from([0])]),
    [400, /begins as UTF-16/],
  ],
  [
    'UTF-8, then another encoding',
    Buffer.concat([Buffer.from('name,url\néö,https://example.com\n'), Buffer.from([0xe9, 0x2c])]),
    [400, /begins as UTF-8/],
  ],
  [
    'half a surrogate pair in UTF-8',
    Buffer.concat([
      Buffer.from('name,url\n'),
      Buffer.from([0xed, 0xa0, 0x80]),
      Buffer.from(',https://example.com'),
    ]),
    'COMPLETED 1 of 1',
  ],
  ['control characters', 'name,url\nA\u0007\u001b[2J,https://example.com', 'COMPLETED 0 of 1'],
  [
    'formulas and SQL',
    `name,url\n=cmd|' /C calc'!A0,https://example.com\n'); drop table qr_codes;--,https://example.com`,
    'COMPLETED 2 of 2',
  ],
  [
    'dangerous addresses',
    'name,url\nA,javascript:alert(1)\nB,data:text/html,x\nC,file:///etc/passwd\nD,https://u:p@example.com\n',
    'COMPLETED 0 of 4',
  ],
  ['HTML', '<!doctype html><html><body>name,url</body></html>', [400, /which is not a column of URL/]],
  ['JSON', '[{"name":"A","url":"https://example.com"}]', [400, /which is not a column of URL/]],
  [
    'a bomb of tags',
    `name,url,tags\nA,https://example.com,${'x;'.repeat(8_000)}\nB,https://example.com,${Array.from({ length: 3_000 }, (_, i) => `t${i}`).join(';')}`,
    'COMPLETED 1 of 2',
  ],
]

describe('imports of a whole service', () => {
  let service: Service
  let client: Client
  let orgId: string

  before(async () => {
    service = await startService({ LOG_LEVEL: 'warn', RATE_LIMIT_PER_MINUTE: '0' })
    client = service.client({ retries: 0, timeoutMs: 60_000 })
    orgId = (await client.organizations.listMine())[0]?.id ?? ''
  })
  after(() => service.remove())

  const ended = async ({ id }: ImportJob, onProgress?: (job: ImportJob) => void) =>
    client.imports.waitFor(orgId, id, { pollMs: 20, onProgress })

  test('client: start, progress, errors, cancel, list, template', async () => {
    const file = await client.imports.sample(orgId, 'VCARD')
    const started = await client.imports.start(orgId, { type: 'VCARD', file, fileName: 'cards.csv' })
    const job = await ended(started)
    assert.deepEqual([job.status, job.successCount, job.fileName], ['COMPLETED', 1, 'cards.csv'])
    assert.deepEqual((await client.imports.list(orgId)).data[0]?.id, job.id)
    const broken = await client.imports.start(orgId, { type: 'URL', file: 'name,url\nA,nope', dryRun: true })
    assert.deepEqual((await ended(broken)).errors[0]?.column, 'url')
    assert.match(await client.imports.errorsCsv(orgId, broken.id), /^name,url,row,error\r\nA,nope,1,/)
    await assert.rejects(client.imports.cancel(orgId, job.id), { name: 'ConflictError' })
  })

  test(`${hostile.length} hostile files: each gets a clear response, and memory grows by at most 100 MB`, async (t) => {
    const memory = watchMemory(service, ['api', 'worker', 'front'])
    for (const [title, file, expected] of hostile) {
      const outcome = await client.imports
        .start(orgId, { type: 'URL', file })
        .then(ended, (error: EverscanError) => error)
      if (outcome instanceof Error) {
        assert.ok(typeof expected !== 'string', `${title}: ${outcome.message}`)
        assert.equal(outcome.status, expected[0], `${title}: ${outcome.message}`)
        assert.match(outcome.message, expected[1], title)
      } else {
        const { status, successCount, totalRows } = outcome
        assert.equal(`${status} ${successCount} of ${totalRows}`, expected, title)
      }
    }
    const peakMb = memory.grownMb()
    t.diagnostic(`memory of any process grew by ${peakMb} MB at most`)
    assert.ok(peakMb <= 100, `memory grew by ${peakMb} MB`)
    assert.equal((await service.readiness()).status, 'ready')
  })

  test('malformed forms', async () => {
    const url = `${service.baseUrl}/api/v1/organizations/${orgId}/qr-codes/bulk-import`
    const send = async (body: string | FormData, headers: Record<string, string> = {}) => {
      const init = { method: 'POST', body, headers: { 'x-api-key': service.apiKey, ...headers } }
      const answer = await fetch(url, init)
      const { code, message } = (await answer.json()) as { code: string; message: string }
      return `${answer.status} ${code} ${message}`
    }
    const file = new Blob([`name,url\n${good}`])
    const multipart = { 'content-type': 'multipart/form-data; boundary=x' }
    // One after the other: a key has a few uploads open at most.
    const cases: [() => Promise<string>, RegExp][] = [
      [() => send('{}', { 'content-type': 'application/json' }), /^415 UNSUPPORTED_MEDIA_TYPE .*multipart/],
      [() => send('name,url', { 'content-type': 'text/csv' }), /^415 UNSUPPORTED_MEDIA_TYPE/],
      [() => send('', multipart), /^400 VALIDATION_ERROR/],
      [() => send('--x\r\nnonsense', multipart), /^400 VALIDATION_ERROR The form is incomplete/],
      [() => send('--x', { 'content-type': 'multipart/form-data' }), /^400 VALIDATION_ERROR The form/],
      [() => send(form(['type', 'URL'])), /^400 VALIDATION_ERROR file: is required/],
      [() => send(form(['file', file])), /^400 VALIDATION_ERROR type: is required/],
      [() => send(form(['file', file], ['type', 'NOPE'])), /^400 VALIDATION_ERROR type: must be one of/],
      [
        () => send(form(['type', 'URL'], ['type', 'URL'], ['file', file])),
        /^400 .* type: must be given once/,
      ],
      [() => send(form(['type', 'URL'], ['file', file], ['file', file])), /^400 .* file: must be given once/],
      [() => send(form(['type', 'URL'], ['upload', file])), /^400 .* upload: is not a known field/],
      [() => send(form(['type', 'URL'], ['file', 'name,url'])), /^400 .* file: must be a file/],
      [() => send(form(['type', 'URL'], ['x', 'y'], ['file', file])), /^400 .* x: is not a known field/],
      [() => send(form(['type', 'URL'], ['__proto__', 'y'], ['file', file])), /^400 VALIDATION_ERROR/],
      [
        () => send(form(['type', 'URL'], ['dryRun', 'maybe'], ['file', file])),
        /^400 .* dryRun: must be true or false/,
      ],
      [
        () => send(form(['type', 'URL'], ['file', new Blob(['x'], { type: 'image/png' })])),
        /^415 .* got image\/png/,
      ],
      [
        () =>
          send(
            form(['type', 'URL'], ...Array.from({ length: 50 }, (_, i): [string, string] => [`f${i}`, 'x'])),
          ),
        /^400 VALIDATION_ERROR/,
      ],
    ]
    for (const [answer, expected] of cases) assert.match(await answer(), expected)
  })

  test('progress moves at least every 500 rows; concurrent redirects are fast', async (t) => {
    const code = await client.qrCodes.create(orgId, {
      type: 'URL',
      name: 'A',
      data: { url: 'https://example.com/' },
    })
    const seen = new Set<number>()
    const bare = await startBareRedirects()
    t.after(() => bare.end())
    const redirects = watchRedirects(code.shortUrl.replace(/^https?:\/\/[^/]+/, service.baseUrl))
    const bareRedirects = watchRedirects(bare.url)
    const file = `name,url,folder,tags\n${Array.from({ length: 10_000 }, (_, i) => `Code ${i},https://example.com/${i},F${i % 9},a;b`).join('\n')}`
    const fromMs = performance.now()
    const job = await ended(await client.imports.start(orgId, { type: 'URL', file }), ({ processedRows }) =>
      seen.add(processedRows),
    )
    const seconds = (performance.now() - fromMs) / 1000
    const [p99Ms, bareMs] = [await redirects.p99Ms(), await bareRedirects.p99Ms()]
    t.diagnostic(
      `10,000 rows in ${seconds.toFixed(2)} s, redirects beside it p99 ${p99Ms.toFixed(1)} ms, bare ones ${bareMs.toFixed(1)} ms`,
    )
    assert.deepEqual([job.status, job.successCount, job.errorCount], ['COMPLETED', 10_000, 0])
    assert.ok(seen.size > 5, `progress was seen at ${[...seen].join(', ')}`)
    for (const rows of seen) assert.equal(rows % 500, 0)
    assert.ok(p99Ms < slownessMax * bareMs, `redirects took ${p99Ms} ms, bare ones ${bareMs} ms`)
  })

  test('an import continues after the worker was killed, and after the service was', async () => {
    const rows = 6_000
    const file = `name,url\n${Array.from({ length: rows }, (_, i) => `K${i},https://example.com/${i}`).join('\n')}`
    const { id } = await client.imports.start(orgId, { type: 'URL', file })
    const processed = async () => (await client.imports.read(orgId, id)).processedRows
    await until('it has started', async () => (await processed()) > 0)
    service.signal(['worker'], 'SIGKILL')
    const atKill = await processed()
    await until('it continues', async () => (await processed()) > atKill)
    await service.kill()
    service.launch()
    await service.waitUntilReady()
    const job = await client.imports.waitFor(orgId, id, { pollMs: 50 })
    assert.deepEqual([job.status, job.successCount, job.processedRows], ['COMPLETED', rows, rows])
    const { pagination } = await client.qrCodes.list(orgId, { search: 'K1', limit: 1 })
    const expected = Array.from({ length: rows }, (_, i) => `K${i}`).filter((name) =>
      name.includes('K1'),
    ).length
    assert.equal(pagination.total, expected)
  })
})

/** A server that does nothing but redirect, whose times say how busy the machine is. */
async function startBareRedirects(): Promise<{ url: string; end: () => void }> {
  const program = `require('node:http')
    .createServer((request, response) => response.writeHead(302, { location: '/' }).end())
    .listen(0, '127.0.0.1', function () { process.send(this.address().port) })
  process.once('disconnect', () => process.exit())`
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const [port] = (await once(child, 'message')) as [number]
  return { url: `http://127.0.0.1:${port}/`, end: () => child.disconnect() }
}

/** Asks for a redirect every 5 ms until asked how long the slowest but 1 % took. */
function watchRedirects(url: string): { p99Ms: () => Promise<number> } {
  const latencies: number[] = []
  const end = new AbortController()
  const asked = (async () => {
    for await (const _ of ticks(5, undefined, { signal: end.signal })) {
      const fromMs = performance.now()
      const answer = await fetch(url, { redirect: 'manual' })
      latencies.push(performance.now() - fromMs)
      assert.equal(answer.status, 302)
    }
  })()
  return {
    p99Ms: async () => {
      end.abort()
      await asked.catch((error: unknown) => {
        if (!end.signal.aborted || (error as Error).name !== 'AbortError') throw error
      })
      return latencies.toSorted((a, b) => a - b)[Math.floor(latencies.length * 0.99)] ?? 0
    },
  }
}

const form = (...parts: [string, string | Blob][]) => {
  const made = new FormData()
  for (const [name, value] of parts) made.append(name, value)
  return made
}
