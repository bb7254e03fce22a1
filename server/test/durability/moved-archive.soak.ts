// An organization with many codes and scans moves to another installation, on the other catalogue,
// whose worker is killed on the way. Whatever a visitor or a person sees is the same there.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client, TypedQrCode } from '@everscan/client/create-client.ts'
import { seededRandom } from '@everscan/contract/testing/random.ts'
import { comparableFiles } from '../../src/api/testing/archives.ts'
import { testPostgres } from '../../src/db/testing/databases.ts'
import { answerOf, createCodesOfAllKinds } from '../support/codes-of-all-kinds.ts'
import { phones } from '../support/phones.ts'
import { startService, type Service } from '../support/service.ts'

const codesMany = Number(process.env['CODES'] ?? 10_000)
const hits = Number(process.env['SCANS'] ?? 1_000_000)
const visitors = 50_000
const kills = 10
const host = 'go.example.com'
const random = seededRandom()

const sqlite = async (): Promise<Record<string, string>> => ({})
const postgresql = async () => ({ DATABASE_URL: await (await testPostgres()).createDatabase() })
const ways = [
  { name: 'from SQLite to PostgreSQL', from: sqlite, to: postgresql },
  { name: 'from PostgreSQL to SQLite', from: postgresql, to: sqlite },
]

for (const { name, from, to } of ways)
  describe(`an archive ${name}`, () => {
    test(`${codesMany} codes and ${hits} hits answer, count and look as before`, async (t) => {
      const source = await start(await from())
      const there = await organizationOf(source)
      const codes = await createCodesOfAllKinds(there.client, there.orgId, codesMany)
      await scanMany(source.port, codes)
      await untilCounted(there.client, there.orgId)
      const archive = await exported(there)
      const expected = await seenOf(source, there, codes)
      await source.stop()

      const target = await start(await to())
      const here = await organizationOf(target)
      const killed = await importKilled(target, here, archive)
      t.diagnostic(`${(archive.length / 1024 ** 2).toFixed(1)} MiB, killed ${killed} times on the way`)
      assert.ok(killed >= Math.min(kills, codesMany / 1_000) - 1, `killed ${killed} times on the way`)

      const again = await comparableFiles(await exported(here))
      // The organization that an archive fills keeps its own id, short name and date.
      const { 'organization.json': _, ...files } = await comparableFiles(archive)
      for (const [file, text] of Object.entries(files))
        assert.ok(again[file]?.replaceAll(here.orgId, there.orgId) === text, `${file} differs`)
      const found = await seenOf(target, here, codes)
      for (const part of Object.keys(expected) as (keyof typeof expected)[])
        for (const [at, one] of expected[part].entries()) assert.deepEqual(found[part][at], one, part)
    })
  })

type Organization = { client: Client; orgId: string }

async function start(env: Readonly<Record<string, string>>): Promise<Service> {
  const service = await startService({
    ...env,
    PUBLIC_URL: `http://${host}`,
    TRUST_PROXY: '127.0.0.1',
    RATE_LIMIT_PER_MINUTE: '0',
  })
  after(() => service.remove())
  return service
}

async function organizationOf(service: Service): Promise<Organization> {
  const client = service.client({ timeoutMs: 20 * 60_000 })
  const [organization] = await client.organizations.listMine()
  return { client, orgId: organization?.id ?? assert.fail('no organization') }
}

/** Scans codes at random, most of them often, by few visitors, some of whom come again. */
async function scanMany(port: number, codes: readonly TypedQrCode[]): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  let sent = 0
  const scans = async (): Promise<void> => {
    while (sent++ < hits) {
      const visitor = Math.floor(random() * visitors)
      const path = `/${codes[Math.floor(random() ** 2 * codes.length)]?.shortCode}`
      const headers = {
        host,
        'user-agent': phones[visitor % phones.length] ?? '',
        'x-forwarded-for': `11.${visitor >> 16}.${(visitor >> 8) & 255}.${visitor & 255}`,
      }
      const [response] = await once(get({ host: '127.0.0.1', port, path, agent, headers }), 'response')
      response.resume()
      await once(response, 'end')
    }
  }
  await Promise.all(Array.from({ length: 64 }, scans))
  agent.destroy()
}

/** Waits until the figures of all codes are as many as they will be. */
async function untilCounted(client: Client, orgId: string): Promise<void> {
  let last = ''
  for (;;) {
    const { summary } = await client.analytics.ofOrganization(orgId)
    const table = await client.analytics.codes(orgId, { limit: 100, sort: 'scans' })
    const now = JSON.stringify([summary, table.data])
    if (now === last && summary.totalScans > 0) return
    last = now
    await sleep(5_000)
  }
}

async function exported({ client, orgId }: Organization): Promise<Buffer> {
  return buffer((await client.organizations.export(orgId)).body)
}

/** Imports an archive into the empty organization of a service; returns the kills at work. */
async function importKilled(
  service: Service,
  { client, orgId }: Organization,
  archive: Buffer,
): Promise<number> {
  const started = await client.organizations.import({ file: new Uint8Array(archive), organizationId: orgId })
  const job = async () => client.organizations.readImport(orgId, started.id ?? '')
  let killed = 0
  while ((await job()).status !== 'COMPLETED') {
    await sleep(random() * 2_000)
    if (killed >= kills || (await job()).status === 'COMPLETED') continue
    service.signal(['worker'], 'SIGKILL')
    killed++
  }
  return killed
}

/** Returns what people and visitors see: figures, pictures, and then answers, which are scans. */
async function seenOf({ port }: Service, { client, orgId }: Organization, codes: readonly TypedQrCode[]) {
  const { summary, timeline, geography, devices, hours } = await client.analytics.ofOrganization(orgId)
  const figures: unknown[] = [{ summary, timeline, geography, devices, hours }]
  for (let page = 1; page <= codesMany / 100; page++)
    figures.push((await client.analytics.codes(orgId, { limit: 100, page, sort: 'name' })).data)
  const answers: unknown[] = []
  const pictures: unknown[] = []
  for (const { id, shortCode } of codes) {
    const { bytes } = await client.qrCodes.download(orgId, id, { format: 'svg' })
    pictures.push([id, Buffer.from(bytes).toString()])
    answers.push(await answerOf(port, host, `/${shortCode}`))
  }
  return { figures, pictures, answers }
}
