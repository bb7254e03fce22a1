// Scans that an installation did not record itself, those of an archive and the visits of a move,
// travel with its copies and its moves: everything that the API says is the same byte for byte, as
// soon as the service there is ready.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import type { Client } from '@everscan/client/create-client.ts'
import { testPostgres } from '../../src/db/testing/databases.ts'
import { hasVariants } from '@everscan/contract/testing/variants.ts'
import { createCodes } from '../support/accounts.ts'
import { scanOnce } from '../support/load.ts'
import { startStoreServer } from '../support/scan-store-server.ts'
import { startService, until, type Service } from '../support/service.ts'
import { readsOf } from '../tenants/victim-state.ts'

type Environment = Readonly<Record<string, string>>

const main = join(import.meta.dirname, '..', '..', 'src', 'main.mjs')
const run = promisify(execFile)
const shared = {
  PUBLIC_URL: 'https://go.example.com',
  TRUST_PROXY: '127.0.0.1',
  RATE_LIMIT_PER_MINUTE: '0',
}
const limit = 10
const scansOfLimited = 4
const scansOfArchive = 30
const visitsOfMove = 20
const allScans = scansOfArchive + visitsOfMove + scansOfLimited

const sqlite = async (): Promise<Environment> => ({})
const postgresql = async (): Promise<Environment> => ({
  DATABASE_URL: await (await testPostgres()).createDatabase(),
})

const folder = mkdtempSync(join(tmpdir(), 'everscan-figures-'))
const passphraseFile = join(folder, 'passphrase')
writeFileSync(passphraseFile, 'a passphrase of this test\n', { mode: 0o600 })
const services: Service[] = []
after(async () => {
  for (const service of services) await service.remove()
  rmSync(folder, { recursive: true, force: true })
})

/** An archive with hits, which another installation made. */
let archive: Uint8Array<ArrayBuffer>
before(async () => {
  const origin = await startService(shared)
  services.push(origin)
  const of = await createCodes(origin, 2)
  for (let at = 0; at < scansOfArchive; at++)
    await scanOnce({ port: origin.port, code: of.codes[at % 2]?.shortCode ?? '' })
  await untilIngested(origin, scansOfArchive)
  archive = new Uint8Array(await buffer((await of.client.organizations.export(of.orgId)).body))
  await origin.stop()
})

for (const { name, from, to } of [
  { name: 'a copy of SQLite, restored on PostgreSQL', from: sqlite, to: postgresql },
  { name: 'a copy of PostgreSQL, restored on SQLite', from: postgresql, to: sqlite },
].slice(0, process.env['SOAK'] === '1' ? 2 : 1))
  describe(name, { concurrency: 1 }, () => {
    let source: Filled
    let target: Service
    before(async () => {
      source = await startFilled(await from())
      const copy = join(folder, `${name.replaceAll(/\W+/g, '-')}.copy`)
      // Only an encrypted copy has the visitor key, without which a day is marked.
      await everscan(source.settings, 'backup', copy, '--passphrase-file', passphraseFile)
      const settings = {
        ...source.settings,
        DATABASE_URL: '',
        ...(await to()),
        DATA_DIR: mkdtempSync(join(folder, 'restored-')),
      }
      await everscan(settings, 'restore', copy, '--passphrase-file', passphraseFile)
      target = await startService(settings)
      services.push(target)
    })

    // The first test after the start: `startService` returns at the first 200 of `/readyz`.
    test('at the first 200 of /readyz, counters equal the figures, in every code and in sum', () =>
      assertCounters({ client: target.client(), orgId: source.orgId }))

    test('everything that the API says is the same byte for byte', () => assertTold(source, target))

    test('a limit opens as often as it would have', () => assertLimit(source, target))
  })

if (hasVariants)
  describe('moved to servers by migrate-store', { concurrency: 1 }, () => {
    let source: Filled
    let target: Service
    let clickhouse: Awaited<ReturnType<typeof startStoreServer>>
    before(async () => {
      source = await startFilled({})
      clickhouse = await startStoreServer({ schema: 'none' })
      const settings = { ...source.settings, ...(await postgresql()), CLICKHOUSE_URL: clickhouse.url }
      await everscan(settings, 'migrate-store')
      target = await startService(settings)
      services.push(target)
    })
    after(async () => {
      await target.stop()
      await clickhouse.stop()
    })

    test('at the first 200 of /readyz, counters equal the figures, in every code and in sum', () =>
      assertCounters({ client: target.client(), orgId: source.orgId }))

    test('everything that the API says is the same byte for byte', () => assertTold(source, target))

    test('a limit opens as often as it would have', () => assertLimit(source, target))
  })

type Filled = {
  settings: Environment
  key: string
  orgId: string
  ids: readonly string[]
  /** The short code of the code with a limit. */
  limited: string
  /** The answers of the API before the service was stopped. */
  told: Record<string, string>
}

/** Starts a service, fills it with scans of all origins, and stops it. */
async function startFilled(env: Environment): Promise<Filled> {
  const dataDir = mkdtempSync(join(folder, 'source-'))
  const service = await startService({ ...shared, ...env, DATA_DIR: dataDir })
  services.push(service)
  const key = service.apiKey
  const settings = { ...shared, ...env, DATA_DIR: dataDir, BOOTSTRAP_API_KEY: key }
  const client = service.client()
  const [organization] = await client.organizations.listMine()
  const orgId = organization?.id ?? assert.fail('no organization')
  const imported = await client.organizations.import({ file: archive, organizationId: orgId })
  const importId = imported.id ?? assert.fail('no import')
  await until(
    'the archive is imported',
    async () => (await client.organizations.readImport(orgId, importId)).status === 'COMPLETED',
    60_000,
  )
  const move = await client.moves.start(orgId, {
    source: 'yourls',
    file: 'keyword,url,clicks\nmenu,https://example.com/menu,50\n',
    visits: ['click_time\tshorturl\tcountry_code', ...visitLines()].join('\n'),
  })
  await client.moves.waitFor(orgId, move.id)
  const limited = await client.qrCodes.create(orgId, {
    type: 'URL',
    name: 'Limited',
    data: { url: 'https://example.com/limited' },
    access: { scanLimit: limit },
  })
  for (let at = 0; at < scansOfLimited; at++)
    assert.equal(await scanOnce({ port: service.port, code: limited.shortCode }), 302)
  await untilIngested(service, scansOfLimited)
  const { data } = await client.qrCodes.list(orgId, { limit: 100 })
  const counts = new Map(data.map(({ name, totalScans }) => [name, totalScans]))
  assert.equal(counts.get('Code 0'), scansOfArchive / 2)
  assert.equal(counts.get('Limited'), scansOfLimited)
  assert.equal(
    [...counts.values()].reduce((sum, count) => sum + count, 0),
    allScans,
  )
  const ids = [orgId, importId, move.id, ...data.map(({ id }) => id)]
  const told = await readsOf({ orgId, key, ids }, service)
  assert.ok(Object.keys(told).length > 50, Object.keys(told).join('\n'))
  await service.stop()
  return { settings, key, orgId, ids, limited: limited.shortCode, told }
}

/** By visits of the last days, which analytics show without being asked for other ones. */
function visitLines(): string[] {
  return Array.from({ length: visitsOfMove }, (_, at) => {
    const time = new Date(Date.now() - (at + 1) * 7 * 3_600_000).toISOString()
    return `${time.slice(0, 19).replace('T', ' ')}\tmenu\t${at % 2 ? 'DE' : 'FR'}`
  })
}

async function untilIngested(service: Service, scans: number): Promise<void> {
  await until(
    'scans are counted',
    async () => (await service.metric('ingested_scans_total')) === scans,
    30_000,
  )
}

async function everscan(env: Environment, ...words: string[]): Promise<void> {
  // As an operator does: without the settings of this process.
  const { PATH, HOME } = process.env
  await run(process.execPath, [main, ...words], { env: { PATH, HOME, ...env } })
}

async function assertCounters({ client, orgId }: { client: Client; orgId: string }): Promise<void> {
  const { data } = await client.qrCodes.list(orgId, { limit: 100 })
  for (const { id, name, totalScans, uniqueScans } of data) {
    const { summary } = await client.qrCodes.analytics(orgId, id)
    assert.deepEqual([totalScans, uniqueScans], [summary.totalScans, summary.uniqueScans], name)
  }
  const { summary } = await client.analytics.ofOrganization(orgId)
  assert.equal(summary.totalScans, allScans)
}

async function assertTold(source: Filled, target: Service): Promise<void> {
  const found = await readsOf(source, target)
  const log = `GET /organizations/${source.orgId}/audit-log`
  // A restore adds its own entry.
  const entries = /^\{"data":\[(.*)\],"pagination"/s.exec(source.told[log] ?? '')?.[1]
  assert.ok(entries !== undefined && found[log]?.includes(entries))
  assert.deepEqual(Object.keys(found), Object.keys(source.told))
  for (const [path, text] of Object.entries(source.told))
    if (path !== log) assert.equal(aroundDifference(found[path] ?? '', text), '', path)
}

/** Returns where two texts begin to differ; empty if they are equal. */
function aroundDifference(found: string, expected: string): string {
  if (found === expected) return ''
  let at = 0
  while (found[at] === expected[at]) at++
  const part = (text: string) => text.slice(Math.max(0, at - 100), at + 100)
  return `${part(found)} instead of ${part(expected)}`
}

/** Scans until the code is full. */
async function assertLimit({ limited }: Filled, target: Service): Promise<void> {
  const statuses: number[] = []
  for (let at = 0; at < limit; at++) statuses.push(await scanOnce({ port: target.port, code: limited }))
  const open = limit - scansOfLimited
  assert.deepEqual(
    statuses,
    Array.from({ length: limit }, (_, at) => (at < open ? 302 : 410)),
  )
}
