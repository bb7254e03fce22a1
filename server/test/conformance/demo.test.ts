// Left to the soak: `demo/prepare-demo` creates, continues and removes the demo.
// `./everscan start --demo`: the figures of the API equal the ledger of what was made up, scan by
// scan, and `./everscan demo remove` takes all of it away.
import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Client, TypedQrCode as QrCode } from '@everscan/client/create-client.ts'
import { readCsv } from '../../src/analytics/testing/csv.ts'
import {
  referenceDestinations,
  referenceFigures,
  referenceTopQrCodes,
} from '../../src/analytics/testing/reference-analytics.ts'
import { testPostgres } from '../../src/db/testing/databases.ts'
import { demoCodes } from '../../src/demo/demo-codes.ts'
import type { LedgerHit } from '../../src/demo/testing/demo-ledger.ts'
import {
  demoClient,
  everscan,
  readDemo,
  requireDemo,
  untilIngested,
  wholeDemo,
  type Demo,
  type Environment,
} from '../support/demo.ts'
import { phones } from '../support/phones.ts'
import { startService, until, type Service } from '../support/service.ts'

/** PostgreSQL in the soak; `prepare-demo.test.ts` always has both. */
const isSoak = process.env['SOAK'] === '1'
const catalogues = [
  { name: 'SQLite', newDatabase: async (): Promise<Environment> => ({}) },
  {
    name: 'PostgreSQL',
    newDatabase: async (): Promise<Environment> => ({
      DATABASE_URL: await (await testPostgres()).createDatabase(),
    }),
  },
]
const pageMax = 100
/** A test of restarts, the doctor and copies, which belong to the soak. */
const whole = (title: string, run: () => Promise<void>): void => void (isSoak && test(title, run))

for (const { name, newDatabase } of catalogues.slice(0, isSoak ? 2 : 1))
  describe(`a demo (${name})`, () => {
    let env: Environment
    let service: Service
    let demo: Demo
    let client: Client
    let codes: QrCode[]
    /** All days of the demo, and today. */
    let period: { startMs: number; endMs: number }
    /** From the start of the service until all figures are there. */
    let startedMs: number

    before(async () => {
      env = { ...(await newDatabase()), RATE_LIMIT_PER_MINUTE: '0' }
      const fromMs = performance.now()
      service = await startService(env, { words: ['start', '--demo'] })
      demo = await requireDemo(service, env)
      const { startMs } = demo.plan
      period = { startMs, endMs: Date.parse(wholeDemo(demo.plan).endDate) + 86_400_000 }
      client = await demoClient(service, env, demo.orgId)
      await untilIngested(client, demo)
      startedMs = performance.now() - fromMs
      codes = (await client.qrCodes.list(demo.orgId, { limit: pageMax })).data
    })
    after(() => service.remove())

    const ofCode = (id: string) => demo.ledger.filter(({ qrCodeId }) => qrCodeId === id)
    const idOf = (key: string) => demo.plan.codes.find((code) => code.key === key)?.id ?? ''

    /** Returns the figures that the ledger gives for these hits, over the whole demo. */
    function figuresOf(hits: readonly LedgerHit[], interval: 'day' | 'month', timezone: string) {
      return withoutRegions(referenceFigures(hits, { ...period, interval, timezone }))
    }

    test('says what it did, how to sign in and how to remove it', (t) => {
      t.diagnostic(`all figures after ${Math.round(startedMs)} ms`)
      assert.match(service.output(), /Made up 31 codes and [\d,]+ hits of a year in [\d.]+ s\./)
      assert.ok(
        service.output().includes(`${service.baseUrl.replace('127.0.0.1', 'localhost')}/app/${demo.orgId}`),
      )
      assert.ok(service.output().includes('Sign in as   admin@localhost'))
      assert.ok(service.output().includes('./everscan demo remove'))
      assert.ok(!/"level":"(error|fatal)"/.test(service.output()), service.output().slice(-3000))
    })

    test('the organization says that it is made up, and no other does', async () => {
      assert.equal((await client.organizations.read(demo.orgId)).demo, true)
      const [own] = await service.client().organizations.listMine()
      assert.ok(own !== undefined && !('demo' in own))
      assert.ok(!('demo' in (await service.client().organizations.read(own.id))))
      const { data } = await client.members.list(demo.orgId)
      assert.deepEqual(
        data.map(({ email, role }) => [email, role]),
        [['admin@localhost', 'ADMIN']],
      )
    })

    test('codes have names, folders, looks that scan, dates of the past year and a history', async () => {
      assert.equal(codes.length, demoCodes.length)
      for (const { scannability } of codes) assert.equal(scannability.verified, true)
      assert.ok(new Set(codes.map(({ style }) => JSON.stringify(style))).size >= 6)
      assert.ok(new Set(codes.map(({ createdAt }) => createdAt)).size >= 8)
      const archived = codes.filter(({ status }) => status === 'ARCHIVED')
      assert.deepEqual(
        archived.map(({ id }) => id),
        [idOf('beans-anniversary')],
      )
      const { data: versions } = await client.qrCodes.history(demo.orgId, idOf('beans-house'))
      assert.equal(versions.length, 2)
    })

    test('counters, analytics and lists of every code equal the ledger', async () => {
      const dates = wholeDemo(demo.plan)
      for (const { id, totalScans, uniqueScans, name: codeName } of codes) {
        const hits = ofCode(id)
        const people = hits.filter(({ isBot }) => !isBot)
        const uniques = people.filter(({ isUnique }) => isUnique)
        assert.deepEqual([totalScans, uniqueScans], [people.length, uniques.length], codeName)
        const query = { ...dates, interval: 'day' as const, timezone: 'UTC' }
        const { qrCodeId, marks, destinations, ...figures } = await client.qrCodes.analytics(
          demo.orgId,
          id,
          query,
        )
        assert.deepEqual(withoutRegions(figures), figuresOf(hits, 'day', 'UTC'), codeName)
        assert.deepEqual([qrCodeId, marks], [id, []])
        assert.deepEqual(
          destinations.map(({ name: _name, ...counted }) => counted),
          referenceDestinations(hits),
          codeName,
        )
        const { pagination } = await client.scans.list(demo.orgId, id, {
          ...dates,
          limit: 1,
          includeBots: true,
        })
        assert.equal(pagination.total, hits.length)
      }
      assert.equal(codes.find(({ id }) => id === idOf('next-poster'))?.totalScans, 0)
    })

    test('one code has rules, whose names and arms its figures show', async () => {
      const id = idOf('cup-flyer')
      const { destinations } = await client.qrCodes.analytics(demo.orgId, id, wholeDemo(demo.plan))
      assert.deepEqual(
        new Set(destinations.map((one) => `${one.name ?? 'own'} ${one.arm ?? ''}`.trim())),
        new Set(['own', 'Happy hour', 'Austria', 'First picture Photo', 'First picture Drawing']),
      )
    })

    test('analytics of the organization equal the ledger, in another time zone too', async () => {
      const { startMs, endMs } = period
      for (const [interval, timezone] of [
        ['day', 'UTC'],
        ['month', 'America/New_York'],
      ] as const) {
        const dates = {
          startDate: new Date(startMs).toISOString(),
          endDate: new Date(endMs - 1).toISOString(),
        }
        const query = { ...dates, interval, timezone }
        const found = await client.analytics.ofOrganization(demo.orgId, query)
        const { organizationId, marks, topQrCodes, summary, ...figures } = found
        const { totalQrCodes, activeQrCodes, ...counts } = summary
        assert.deepEqual(
          withoutRegions({ ...figures, summary: counts }),
          figuresOf(demo.ledger, interval, timezone),
        )
        assert.deepEqual([totalQrCodes, activeQrCodes], [codes.length, codes.length - 1])
        assert.deepEqual(
          topQrCodes.map(({ qrCodeId, scans, uniqueScans, percentage }) => ({
            qrCodeId,
            scans,
            uniqueScans,
            percentage,
          })),
          referenceTopQrCodes(
            demo.ledger,
            codes.map(({ id }) => id),
          ),
        )
        assert.deepEqual([organizationId, marks], [demo.orgId, []])
      }
    })

    test('the list of scans and the export have every scan of the ledger, in its order', async () => {
      const dates = wholeDemo(demo.plan)
      for (const { id } of codes) {
        const people = ofCode(id).filter(({ isBot }) => !isBot)
        const { body } = await client.analytics.export(demo.orgId, id, dates)
        const [, ...rows] = readCsv(await textOf(body))
        assert.deepEqual(rows, people.map(rowOf))
      }
      for (const key of ['card-founder', 'lost-property', 'grinder-manual', 'jobs']) {
        const scans = []
        const query = { ...dates, includeBots: true, limit: pageMax }
        for await (const scan of client.scans.iterate(demo.orgId, idOf(key), query)) scans.push(scan)
        assert.deepEqual(
          scans.toReversed().map(({ timestamp, country, isBot, isUnique, language }) => ({
            timestamp,
            country,
            isBot,
            isUnique,
            language,
          })),
          ofCode(idOf(key)).map(({ timeMs, country, isBot, isUnique, language }) => ({
            timestamp: new Date(timeMs).toISOString(),
            country,
            isBot,
            isUnique,
            language,
          })),
        )
      }
    })

    test('a real scan of a code of the demo counts on top', async () => {
      const code = codes.find(({ id }) => id === idOf('next-poster'))
      const counted = codes.find(({ id }) => id === idOf('mitte-window'))
      for (const { shortCode = '' } of [code ?? {}, counted ?? {}] as Partial<QrCode>[]) {
        const answer = await fetch(`${service.baseUrl}/${shortCode}`, {
          redirect: 'manual',
          headers: { 'user-agent': phones[0] },
        })
        assert.equal(answer.status, 302)
      }
      const scansBefore = counted?.totalScans ?? 0
      await until('the scans are counted', async () => {
        const first = await client.qrCodes.read(demo.orgId, idOf('next-poster'))
        const second = await client.qrCodes.read(demo.orgId, idOf('mitte-window'))
        return first.totalScans === 1 && first.uniqueScans === 1 && second.totalScans === scansBefore + 1
      })
    })

    whole('the next start with --demo changes nothing, and the doctor is content', async () => {
      const folders = readdirSync(join(service.dataDir, 'journal')).sort()
      await service.restart()
      assert.match(service.output(), /31 made-up codes are here already/)
      assert.deepEqual(await requireDemo(service, env), demo)
      assert.deepEqual(readdirSync(join(service.dataDir, 'journal')).sort(), folders)
      assert.ok(!folders.some((folder) => folder.endsWith('.unfinished')))
      await requireHealthy()
    })

    whole('a copy of it can be restored', async () => {
      await requireCopy('with')
    })

    test('it is not removed without --yes where nobody can be asked', async () => {
      const { code, errors } = await everscan(service, env, 'demo', 'remove')
      assert.equal(code, 1)
      assert.match(errors, /add --yes/)
      assert.ok((await readDemo(service, env)) !== undefined)
    })

    test('`demo remove` beside the running service: codes are gone, and their short codes stay taken', async () => {
      const [{ shortCode } = { shortCode: '' }] = codes.filter(({ type }) => type === 'URL')
      const { code, output, errors } = await everscan(service, env, 'demo', 'remove', '--yes', '--json')
      assert.equal(code, 0, errors)
      assert.deepEqual(JSON.parse(output), { removed: true, organizationId: demo.orgId, codes: codes.length })
      assert.equal(await readDemo(service, env), undefined)
      await until('a front has forgotten the code', async () => {
        const { status } = await fetch(`${service.baseUrl}/${shortCode}`, { redirect: 'manual' })
        return status === 410
      })
      const own = service.client({ retries: 0 })
      const [{ id: ownId } = { id: '' }] = await own.organizations.listMine()
      const again = { type: 'URL', name: 'Again', data: { url: 'https://example.com' }, shortCode } as const
      await assert.rejects(own.qrCodes.create(ownId, again), { status: 409 })
      await assert.rejects(client.organizations.read(demo.orgId), { status: 401 })
      const { output: list } = await everscan(service, env, 'organizations', 'list')
      assert.ok(!list.includes('Brindlewick'))
    })

    whole('then the service, the doctor, a check of all figures and a copy know nothing of it', async () => {
      await requireHealthy()
      await requireCopy('without')
      await service.restart()
      const { summary } = await service
        .client()
        .analytics.ofOrganization((await service.client().organizations.listMine())[0]?.id ?? '')
      assert.equal(summary.totalScans, 0)
      await requireHealthy()
      const log = service.output()
      assert.ok(!/catalogue was put back|lost scans|unknown short codes/.test(log), log.slice(-3000))
    })

    async function requireHealthy(): Promise<void> {
      const isIngested = async () => (await service.readiness()).parts['ingest']?.ok === true
      await until('all is ingested', isIngested)
      const { output } = await everscan(service, env, 'doctor', '--json')
      const { checks } = JSON.parse(output) as { checks: { name: string; state: string; says: string }[] }
      const bad = checks.filter(
        (check) =>
          ['warning', 'failed'].includes(check.state) &&
          !/^(machine|data\.(room|inodes|file-system|fsync)|network|catalogue\.durability|work\.geography)/.test(
            check.name,
          ),
      )
      assert.deepEqual(bad, [])
    }

    async function requireCopy(title: string): Promise<void> {
      const file = join(service.dataDir, `${title}.copy`)
      const made = await everscan(service, env, 'backup', file, '--without-secret')
      assert.equal(made.code, 0, made.errors)
      assert.ok(existsSync(file))
      const verified = await everscan(service, env, 'verify', file)
      assert.equal(verified.code, 0, verified.errors + verified.output)
    }
  })

/** The ledger knows countries and cities. */
function withoutRegions<Figures extends { geography: { regions: unknown } }>(figures: Figures) {
  const { regions: _, ...geography } = figures.geography
  return { ...figures, geography }
}

function rowOf({ timeMs, country, city, deviceType, os, browser, isUnique }: LedgerHit): string[] {
  return [new Date(timeMs).toISOString(), country, city, deviceType, os, browser, String(isUnique)]
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
