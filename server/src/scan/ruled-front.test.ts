import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { request as httpRequest, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { pino } from 'pino'
import { canonicalShortCode } from '@everscan/contract/resources/short-codes.ts'
import type { Rule } from '@everscan/contract/rules/rules.ts'
import type { ScanTarget } from '../db/scans/scan-lookup.ts'
import { openJournal, type Journal } from '../journal/journal.ts'
import { journalStart, readFrames } from '../journal/reader.ts'
import { createSplits } from '../rules/splits.ts'
import { createTrustedProxies } from './client-address.ts'
import { Forward } from './forward.ts'
import { createFront } from './front.ts'
import { OpenConnections } from './open-connections.ts'
import { RecentCache } from './recent-cache.ts'
import { startResolver } from './resolve.ts'
import { ScanTimes } from './scan-times.ts'
import { createVisitorHash } from '../visitors/visitor-hash.ts'
import { someHosts } from './testing/hosts.ts'
import { noGuards } from './testing/guards.ts'
import { countriesOf, noSources } from './testing/sources.ts'

const dir = mkdtempSync(join(tmpdir(), 'everscan-ruled-'))
const journalDir = join(dir, 'journal')
const changed: string[] = []
const loads = { countries: 0, devices: 0, places: 0 }
const looks = new EventEmitter()
let endLoading: () => void = () => undefined
let journal: Journal
let forward: Forward
let front: Server
let port: number

const to = (path: string) => ({ url: `https://example.com/${path}` })
const rule = (id: string, fields: Partial<Rule>): Rule => ({
  id: `rul_${id}`,
  name: id,
  enabled: true,
  ...fields,
})
const split = ['A', 'B', 'C'].map((name) => ({ name, weight: 1, data: to(name) }))
const codes: Record<string, Partial<ScanTarget>> = {
  RULES00: {
    data: to('own'),
    rules: [
      rule('off', { enabled: false, data: to('off') }),
      rule('language', { when: { languages: ['de'] }, data: to('de') }),
      rule('table', { when: { query: { table: '7' } }, data: to('table') }),
      rule('network', { when: { networks: ['198.51.100.0/24'] }, data: to('network') }),
      rule('country', { when: { countries: ['JP'] }, data: to('jp') }),
      rule('phone', { when: { devices: ['mobile'], os: ['iOS'] }, data: to('phone') }),
    ],
  },
  SPLIT00: { data: to('own'), rules: [rule('split', { split })] },
  REGN000: { data: to('own'), rules: [rule('region', { when: { regions: ['JP-13'] }, data: to('tokyo') })] },
  VISIT00: { data: to('first'), rules: [rule('again', { when: { visit: 'again' }, data: to('again') })] },
  PASS000: {
    data: { url: 'https://example.com/x?own=1&b=%20#part' },
    passQuery: true,
  },
  PASSR00: {
    data: to('own'),
    passQuery: true,
    rules: [rule('de', { when: { languages: ['de'] }, data: to('de') })],
  },
  CARD000: {
    type: 'VCARD',
    data: { firstName: 'Ada', lastName: 'Own' },
    rules: [rule('de', { when: { languages: ['de'] }, data: { firstName: 'Ada', lastName: 'Berlin' } })],
  },
  SLOW000: {
    data: to('own'),
    rules: [rule('city', { when: { cities: [{ country: 'JP', city: 'Tokyo' }] }, data: to('city') })],
  },
  PLAIN00: { data: to('plain') },
}

before(async () => {
  journal = openJournal({ dir: journalDir, sync: 'always', bytesMax: 1 << 30 })
  const sources = noSources({
    countries: async () => {
      loads.countries++
      return countriesOf((network) => (network === '192.0.2.0' ? 'JP' : undefined))
    },
    places: async () => {
      loads.places++
      await new Promise<void>((resolve) => {
        endLoading = resolve
      })
      return () => ({ country: 'JP', region: 'JP-13', city: 'Tokyo' })
    },
    look: async () => {
      looks.emit('look')
      await once(looks, 'found')
      return { country: 'JP', region: 'JP-13', city: 'Tokyo' }
    },
    devices: async () => {
      loads.devices++
      return (userAgent) => (userAgent.includes('iPhone') ? { device: 'mobile', os: 'iOS' } : {})
    },
  })
  const resolver = startResolver({
    lookup: (code) => {
      const name = Object.keys(codes).find((one) => canonicalShortCode(one) === code) ?? ''
      const found = codes[name]
      const base = { organizationId: 'org_1', qrCodeId: `qr_${code}`, codeKey: name, shortCode: code }
      return (
        found && {
          ...base,
          type: 'URL',
          name: 'A',
          style: {},
          brand: {},
          data: {},
          status: 'ACTIVE',
          ...found,
        }
      )
    },
    changes: { poll: () => changed.splice(0), catchUp: async () => [] },
    log: pino({ level: 'silent' }),
    createSplit: createSplits('a key'),
  })
  const trustedProxies = createTrustedProxies(['127.0.0.1'])
  forward = new Forward({ socketPaths: [], beforeChangeAnswer: async () => undefined })
  front = createFront({
    scan: {
      resolver,
      journal,
      visitorHash: createVisitorHash('s'.repeat(32)),
      trustedProxies,
      times: new ScanTimes(),
      sources,
      visits: new RecentCache<true>(100),
      siteHeaders: [],
      ...noGuards(),
      hosts: someHosts(),
      publicHost: 'qr.example.com',
    },
    forward,
    ownPaths: {},
    connections: new OpenConnections({ connectionsMax: 100, trustedProxies }),
    log: pino({ level: 'silent' }),
  })
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

type Asking = { method?: string; address?: string; language?: string; userAgent?: string }

async function ask(path: string, { method = 'GET', address, language, userAgent }: Asking = {}) {
  const headers = {
    ...(address !== undefined && { 'x-forwarded-for': address }),
    ...(language !== undefined && { 'accept-language': language }),
    ...(userAgent !== undefined && { 'user-agent': userAgent }),
  }
  const sent = httpRequest({ port, host: '127.0.0.1', path, method, headers })
  sent.end()
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  let text = ''
  for await (const chunk of answer) text += String(chunk)
  return { status: answer.statusCode ?? 0, location: answer.headers.location, text }
}

const leadsTo = async (path: string, asking?: Asking): Promise<string | undefined> =>
  (await ask(path, asking)).location?.replace('https://example.com/', '')

/** Returns rule and arm of all scans of a code. */
async function recordedOf(code: string): Promise<string[]> {
  const { frames } = await readFrames(journalDir, journalStart)
  return frames.flatMap(({ scan }) => (scan.shortCode === code ? [`${scan.rule}/${scan.arm}`] : []))
}

test('the first rule that holds answers, else the content of the code, and the scan says which', async () => {
  const iPhone = 'Mozilla/5.0 (iPhone)'
  assert.equal(await leadsTo('/RULES00'), 'own')
  assert.equal(await leadsTo('/RULES00', { language: 'en;q=0.5, de-AT' }), 'de')
  assert.equal(await leadsTo('/RULES00', { language: 'en, de;q=0.9' }), 'own')
  assert.equal(await leadsTo('/rules00?x=1&table=7', { userAgent: iPhone }), 'table')
  assert.equal(await leadsTo('/RULES00?table=8'), 'own')
  assert.equal(await leadsTo('/RULES00', { address: '198.51.100.9' }), 'network')
  assert.equal(await leadsTo('/RULES00', { address: '192.0.2.9' }), 'jp')
  assert.equal(await leadsTo('/RULES00', { userAgent: iPhone }), 'phone')
  assert.deepEqual(await recordedOf('RULES00'), [
    '/',
    'rul_language/',
    '/',
    'rul_table/',
    '/',
    'rul_network/',
    'rul_country/',
    'rul_phone/',
  ])
  assert.deepEqual(loads, { countries: 1, devices: 1, places: 0 }, 'only what a code asks for, once')
})

test('HEAD gets the same head and is not a scan', async () => {
  assert.equal(await leadsTo('/RULES00', { method: 'HEAD', language: 'de' }), 'de')
  assert.equal((await recordedOf('RULES00')).length, 8)
})

test('a visitor keeps the arm of a split, and other visitors get other arms', async () => {
  const arms = new Map<string, string | undefined>()
  for (let round = 0; round < 2; round++)
    for (let host = 1; host <= 30; host++) {
      const address = `203.0.113.${host}`
      const arm = await leadsTo('/SPLIT00', { address })
      assert.equal(arm, arms.get(address) ?? arm)
      arms.set(address, arm)
    }
  assert.deepEqual(new Set(arms.values()), new Set(['A', 'B', 'C']))
  const recorded = await recordedOf('SPLIT00')
  const expected = [...arms.values(), ...arms.values()].map((arm) => `rul_split/${arm}`)
  assert.deepEqual(recorded, expected)
})

test('visit is first, then again, for each visitor; HEAD is no visit', async () => {
  const address = '203.0.113.1'
  assert.equal(await leadsTo('/VISIT00', { address, method: 'HEAD' }), 'first')
  assert.equal(await leadsTo('/VISIT00', { address }), 'first')
  assert.equal(await leadsTo('/VISIT00', { address, method: 'HEAD' }), 'again')
  assert.equal(await leadsTo('/VISIT00', { address }), 'again')
  assert.equal(await leadsTo('/VISIT00', { address: '203.0.113.2' }), 'first')
})

test('the query reaches the destination only with passQuery, which keeps its own parameters', async () => {
  assert.equal(await leadsTo('/PLAIN00?table=7'), 'plain')
  assert.equal(
    await leadsTo('/PASS000?own=2&%6Fwn=3&table=7&t=a%26b+c&&x'),
    'x?own=1&b=%20&table=7&t=a%26b+c&x#part',
  )
  assert.equal(await leadsTo('/PASS000'), 'x?own=1&b=%20#part')
  assert.equal(await leadsTo('/PASS000?'), 'x?own=1&b=%20#part')
  assert.equal(await leadsTo('/PASSR00?a=1', { language: 'de' }), 'de?a=1')
  assert.equal(await leadsTo('/PASSR00?a=1', { method: 'HEAD' }), 'own?a=1')
  assert.equal(await leadsTo(`/PASS000?a=${'x'.repeat(9_000)}`), 'x?own=1&b=%20#part', 'too long')
  assert.deepEqual([...new Set(await recordedOf('PASS000'))], ['/'])
})

test('a page and its contact file are those of the rule', async () => {
  assert.match((await ask('/CARD000', { language: 'de' })).text, /Berlin/)
  assert.match((await ask('/CARD000', { language: 'en' })).text, /Own/)
  assert.match((await ask('/CARD000.vcf', { language: 'de' })).text, /Berlin/)
  assert.match((await ask('/CARD000.vcf')).text, /Own/)
  assert.deepEqual(await recordedOf('CARD000'), ['rul_de/', '/'])
})

test('while a source is being loaded, a look tells the place: the rule is right, and so is its record', async () => {
  const waiting = leadsTo('/REGN000')
  await once(looks, 'look')
  assert.equal(await leadsTo('/PLAIN00'), 'plain', 'other codes do not wait')
  looks.emit('found')
  assert.equal(await waiting, 'tokyo')
  endLoading()
  assert.equal(await leadsTo('/SLOW000'), 'city')
  assert.equal(loads.places, 1)
  assert.deepEqual(await recordedOf('REGN000'), ['rul_region/'])
})

test('a change of rules reaches the next scan', async () => {
  codes['PLAIN00'] = { data: to('plain'), rules: [rule('new', { data: to('new') })] }
  assert.equal(await leadsTo('/PLAIN00'), 'plain')
  changed.push(canonicalShortCode('PLAIN00'))
  assert.equal(await leadsTo('/PLAIN00'), 'new')
})
