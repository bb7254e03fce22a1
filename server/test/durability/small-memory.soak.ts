// A service with 1,000,000 scans in control groups of 512 and of 384 MB, in which all of its
// processes and commands live. The kernel ends one of them if they need more.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, describe, test } from 'node:test'
import { openTestJournal, record, someScan } from '../../src/ingest/testing/ingest.ts'
import { commandMemory } from '../../src/processes/command-child.ts'
import { createCodes, type Codes } from '../support/accounts.ts'
import { MemoryGroup } from '../support/memory-group.ts'
import { commandEnvironment, freePort, startService, until, type Service } from '../support/service.ts'

const main = join(import.meta.dirname, '..', '..', 'src', 'main.mjs')
const scansCount = 1_000_000
const batch = 10_000
const codesCount = 50
const dayMs = 86_400_000
/** Ingest of 1,000,000 scans, merges and rollups included, on two busy processors. */
const ingestMsMax = 30 * 60_000
const spareMb = 80

const dataDir = mkdtempSync(join(tmpdir(), 'everscan-small-'))
const copies = mkdtempSync(join(tmpdir(), 'everscan-small-'))
const year = { startDate: dateBefore(364), endDate: dateBefore(0) }
after(() => {
  for (const folder of [dataDir, copies]) rmSync(folder, { recursive: true, force: true })
})

/** Starts the service in a group. Later calls start it again with what it has. */
async function serviceIn(group: MemoryGroup): Promise<Service> {
  const settings = {
    DATA_DIR: dataDir,
    PORT: String(await freePort()),
    BOOTSTRAP_API_KEY: `evs_${'0123456789ab'.repeat(4)}`,
    RATE_LIMIT_PER_MINUTE: '0',
  }
  return await startService(settings, { node: [...group.words, process.execPath] })
}

/** Records scans of a year as a front does. One code has a tenth of them. */
async function recordScans({ orgId, codes }: Codes): Promise<void> {
  const journal = openTestJournal(join(dataDir, 'journal'), 'filled')
  const nowMs = Date.now()
  for (let from = 0; from < scansCount; from += batch) {
    const scans = Array.from({ length: batch }, (_, at) => {
      const number = from + at
      const { id, shortCode } = codes[number % 10 === 0 ? 0 : 1 + (number % (codesCount - 1))]!
      return someScan({
        organizationId: orgId,
        qrCodeId: id,
        shortCode,
        timeMs: nowMs - Math.floor((1 - number / scansCount) * 363 * dayMs) - 1_000,
        network: `203.${number % 113}.${number % 97}.0`,
        visitor: Math.floor(number * 0.75),
      })
    })
    await record(journal, scans)
  }
  await journal.close()
}

const countedScans = async ({ client, orgId }: Codes): Promise<number> => {
  const { data } = await client.qrCodes.list(orgId, { limit: 100 })
  return data.reduce((sum, { totalScans }) => sum + totalScans, 0)
}

describe('a service with little memory', () => {
  let of: Codes

  test('does everything with 1,000,000 scans in 512 MB, and has 80 MB to spare', async (t) => {
    const group = new MemoryGroup('512', 512)
    const service = await serviceIn(group)
    t.after(async () => {
      await service.stop()
      group.remove()
    })
    of = await createCodes(service, codesCount)
    const { client, orgId, codes } = of
    const [code] = codes
    const peaks: Record<string, number> = {}
    const step = async (name: string, work: () => Promise<unknown>): Promise<void> => {
      await work()
      const { peakMb, atPeak, withFilesMb, kills } = group.read()
      peaks[name] = peakMb
      t.diagnostic(`512 MB, ${name}: ${peakMb} MB (${atPeak}), ${withFilesMb} MB with files of the cache`)
      assert.equal(kills, 0, `${name}: the kernel ended a process`)
    }
    await step('start', async () => {})
    await step('scans', async () => {
      await recordScans(of)
      await until('all scans are counted', async () => (await countedScans(of)) === scansCount, ingestMsMax)
    })
    await step('figures of a code', async () => {
      const { summary } = await client.qrCodes.analytics(orgId, code!.id, year)
      assert.equal(summary.totalScans, scansCount / 10)
    })
    await step('figures of the organization', async () => {
      const { summary } = await client.analytics.ofOrganization(orgId, year)
      assert.equal(summary.totalScans, scansCount)
    })
    await step('list', async () => {
      const { pagination } = await client.scans.list(orgId, code!.id, { ...year, page: 900, limit: 100 })
      assert.equal(pagination.total, scansCount / 10)
    })
    await step('export', async () => {
      const { body } = await client.analytics.exportOrganization(orgId, year)
      const lines = (await buffer(body)).reduce((sum, byte) => sum + Number(byte === 10), 0)
      assert.equal(lines, scansCount + 1)
    })
    await step('backup', async () => {
      const [program, ...inGroup] = group.words
      const words = [...inGroup, process.execPath, ...commandMemory, main, 'backup', join(copies, 'one.copy')]
      const env = commandEnvironment({ DATA_DIR: dataDir, PORT: String(service.port) })
      const command = spawn(program, words, { env, stdio: ['ignore', 'ignore', 'inherit'] })
      assert.deepEqual(await once(command, 'exit'), [0, null])
    })
    const most = Math.max(...Object.values(peaks))
    assert.ok(most <= 512 - spareMb, `it had ${JSON.stringify(peaks)} MB: ${512 - most} MB were left`)
  })

  test('redirects, lists and has the figures of a code in 384 MB', async (t) => {
    const group = new MemoryGroup('384', 384)
    const service = await serviceIn(group)
    t.after(async () => {
      await service.stop()
      group.remove()
    })
    const { orgId, codes } = of
    const client = service.client()
    for (const { id, shortCode } of codes.slice(0, 5)) {
      const answer = await fetch(`${service.baseUrl}/${shortCode}`, { redirect: 'manual' })
      assert.equal(answer.status, 302)
      await client.scans.list(orgId, id, { limit: 100 })
      const { summary } = await client.qrCodes.analytics(orgId, id, year)
      assert.ok(summary.totalScans > scansCount / codesCount / 2)
    }
    const { peakMb, atPeak, withFilesMb, kills } = group.read()
    t.diagnostic(`384 MB: ${peakMb} MB (${atPeak}), ${withFilesMb} MB with files of the cache`)
    assert.equal(kills, 0, 'the kernel ended a process')
  })
})

/** Returns a day in the form of periods. */
function dateBefore(days: number): string {
  return new Date(Date.now() - days * dayMs).toISOString().slice(0, 10)
}
