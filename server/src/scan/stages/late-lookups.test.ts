import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { pino } from 'pino'
import { partsOfCodeKey } from '@everscan/contract/resources/short-codes.ts'
import type { ScanLookup, ScanTarget } from '../../db/scans/scan-lookup.ts'
import { openJournal } from '../../journal/journal.ts'
import { journalStart, readFrames } from '../../journal/reader.ts'
import { createVisitorHash } from '../../visitors/visitor-hash.ts'
import { createTrustedProxies } from '../client-address.ts'
import { Forward } from '../forward.ts'
import { createFront } from '../front.ts'
import { OpenConnections } from '../open-connections.ts'
import { RecentCache } from '../recent-cache.ts'
import { startResolver } from '../resolve.ts'
import { ScanTimes } from '../scan-times.ts'
import { noGuards } from '../testing/guards.ts'
import { someHosts } from '../testing/hosts.ts'
import { noSources } from '../testing/sources.ts'

const contents: Record<string, Partial<ScanTarget>> = {
  WEB: { data: { url: 'https://example.com/own' } },
  TEXT: { type: 'TEXT', data: { text: 'Room 12' } },
  CARD: { type: 'VCARD', data: { firstName: 'Ada' } },
}
const obstacles: Record<string, Partial<ScanTarget>> = {
  N0NE: {},
  ENDED: { access: { endsAt: '2020-01-01T00:00:00.000Z' } },
  PASSW: { passwordHash: 'x' },
  G0NE: { status: 'DELETED' },
}
const rule = { id: 'rul_1', name: 'de', enabled: true, when: { languages: ['de'] } }
const choices: Record<string, Partial<ScanTarget>> = {
  N0NE: {},
  QUERY: { passQuery: true },
  // The rule has the content of a redirect, whatever that of the code is.
  RVRE: { passQuery: true, rules: [{ ...rule, data: { url: 'https://example.com/de' } }] },
}

const codes = new Map<string, Partial<ScanTarget>>()
for (const [content, shown] of Object.entries(contents))
  for (const [obstacle, before] of Object.entries(obstacles))
    for (const [choice, chosen] of Object.entries(choices))
      codes.set(`${content}${obstacle}${choice}`.replaceAll('U', 'V'), { ...shown, ...before, ...chosen })

function lookUp(codeKey: string): ScanTarget | undefined {
  const { canonicalCode: shortCode, domain } = partsOfCodeKey(codeKey)
  const found = codes.get(shortCode)
  if (found === undefined) return undefined
  const organizationId = domain === 'other.example.org' ? 'org_2' : 'org_1'
  const named = { organizationId, qrCodeId: `qr_${shortCode}`, codeKey, shortCode, name: 'A' }
  return { ...named, style: {}, brand: {}, type: 'URL', data: {}, status: 'ACTIVE', ...found }
}

const hosts = [
  {
    hostname: 'go.example.org',
    notFoundUrl: 'https://unknown.example/',
    goneUrl: 'https://gone.example/',
  },
  { hostname: 'other.example.org' },
]

type Asking = { method: string; host: string; path: string; body?: string }

/** Opens a front with a lookup of its own. Returns how to ask it, and its hits so far. */
async function openFront(t: TestContext, lookup: ScanLookup['lookup']) {
  const dir = mkdtempSync(join(tmpdir(), 'everscan-late-'))
  const journal = openJournal({ dir, sync: 'interval', bytesMax: 1 << 30 })
  const log = pino({ level: 'silent' })
  const forward = new Forward({ socketPaths: [], beforeChangeAnswer: async () => undefined })
  const trustedProxies = createTrustedProxies([])
  const scan = {
    resolver: startResolver({ lookup, changes: { poll: () => [], catchUp: async () => [] }, log }),
    journal,
    visitorHash: createVisitorHash('s'.repeat(32)),
    trustedProxies,
    times: new ScanTimes(),
    sources: noSources(),
    visits: new RecentCache<true>(100),
    siteHeaders: [],
    ...noGuards(),
    hosts: someHosts(hosts),
    publicHost: 'qr.example.com',
  }
  const connections = new OpenConnections({ connectionsMax: 100, trustedProxies })
  const front = createFront({ scan, forward, ownPaths: {}, connections, log })
  front.listen(0, '127.0.0.1')
  await once(front, 'listening')
  const { port } = front.address() as AddressInfo
  t.after(async () => {
    front.closeAllConnections()
    front.close()
    forward.close()
    await journal.close()
    rmSync(dir, { recursive: true })
  })
  return {
    ask: async ({ method, host, path, body }: Asking) => {
      const headers = {
        host,
        'accept-language': 'de',
        'content-type': 'application/x-www-form-urlencoded',
      }
      const sent = httpRequest({ port, host: '127.0.0.1', path, method, headers })
      sent.end(body)
      const [answer] = (await once(sent, 'response')) as [IncomingMessage]
      let text = ''
      for await (const chunk of answer) text += String(chunk)
      return { status: answer.statusCode ?? 0, headers: { ...answer.headers, date: '' }, text }
    },
    hits: async () => {
      const { frames } = await readFrames(dir, journalStart)
      return frames.map((frame) => ({ ...frame.scan, timeMs: 0 }))
    },
  }
}

function* everyAsking(): Generator<Asking> {
  for (const code of [...codes.keys(), 'NEVER'])
    for (const host of ['qr.example.com', ...hosts.map(({ hostname }) => hostname)])
      for (const path of [`/${code}?a=1`, `/${code}.vcf`]) {
        for (const method of ['HEAD', 'GET', 'PUT']) yield { method, host, path }
        for (const password of ['no', 'x', 'x'])
          yield { method: 'POST', host, path, body: `password=${password}` }
      }
}

test('a code that is looked up late gets the answer and the hit of one that is there at once', async (t) => {
  const atOnce = await openFront(t, lookUp)
  const late = await openFront(t, async (codeKey) => lookUp(codeKey))
  const statuses = new Set<number>()
  for (const asking of everyAsking()) {
    const expected = await atOnce.ask(asking)
    assert.deepEqual(await late.ask(asking), expected, JSON.stringify(asking))
    statuses.add(expected.status)
  }
  assert.deepEqual(
    [...statuses].sort((a, b) => a - b),
    [200, 302, 303, 403, 404, 405, 410],
  )
  const hits = await atOnce.hits()
  assert.ok(hits.length > 50)
  assert.deepEqual(await late.hits(), hits)
})

test('503 for a code that cannot be looked up, whatever is asked of it, and no hit', async (t) => {
  const { ask, hits } = await openFront(t, async () => Promise.reject(new Error('away')))
  for (const host of ['qr.example.com', 'go.example.org'])
    for (const path of ['/ABCD', '/ABCD.vcf'])
      for (const method of ['HEAD', 'GET', 'POST']) {
        const { status, headers } = await ask({ method, host, path })
        assert.deepEqual([status, headers['content-language']], [503, 'de'], `${method} ${host} ${path}`)
      }
  assert.deepEqual(await hits(), [])
})
