// The addresses of visitors, as someone who has the data directory would look for them.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { seededRandom } from '@everscan/contract/testing/random.ts'
import { onSqlite } from '../db/testing/databases.ts'
import { insertCode } from '../db/testing/codes.ts'
import { readRecord } from '../analytics/insert/record-log.ts'
import { KeptRows } from '../ingest/clickhouse/kept-rows.ts'
import {
  openTestJournal,
  record,
  someScan,
  startIngestSuite,
  startTestIngest,
  until,
} from '../ingest/testing/ingest.ts'
import { journalStart, readFrames } from '../journal/reader.ts'
import { networkOf } from '../address-networks.ts'
import { createVisitorHash } from '../visitors/visitor-hash.ts'

const minuteMs = 60_000
const agents = ['Safari on a phone', 'Firefox on a phone']
const random = seededRandom()
const octet = (): number => Math.floor(random() * 256)

const suite = await startIngestSuite()
after(() => suite.remove())

/**
 * Tries every address of each network that the journals name, with the user agent beside it: 256
 * tries for each scan. Returns the addresses that it finds.
 */
async function findAddresses(journalRoot: string, visitorKey: string): Promise<string[]> {
  const visitorOf = createVisitorHash(visitorKey)
  const { frames } = await readFrames(join(journalRoot, 'front-0'), journalStart)
  return frames.flatMap(({ scan }) =>
    [...Array(256).keys()]
      .map((last) => scan.network.replace(/0$/, String(last)))
      .filter((address) => {
        const visitor = visitorOf(scan.qrCodeId, address, scan.userAgent)
        return Buffer.from(visitor, 'latin1').toString('hex') === scan.visitor
      }),
  )
}

onSqlite('the addresses of visitors', (open) => {
  test('whoever has the directory and the keys finds the addresses of the last hour; without the keys, or later, none', async () => {
    const { newCase, store } = suite
    const { organizationId, journalRoot } = newCase()
    const db = await open()
    await insertCode(db, organizationId, 'qr_1')
    const visitorKey = randomBytes(32).toString('hex')
    const visitorOf = createVisitorHash(visitorKey)
    const addresses = Array.from({ length: 20 }, () => `198.51.${octet()}.${octet()}`)
    let aheadMs = 0
    const clock = () => Date.now() + aheadMs
    const journal = openTestJournal(journalRoot, 'front-0', undefined, clock)
    await record(
      journal,
      addresses.map((address, at) => {
        const userAgent = agents[at % agents.length] ?? ''
        const visitor = Buffer.from(visitorOf('qr_1', address, userAgent), 'latin1').toString('hex')
        return { ...someScan({ organizationId, userAgent, network: networkOf(address) }), visitor }
      }),
    )
    const ingest = await startTestIngest({ journalRoot, db, store, clock })
    await until(() => ingest.stats.rows === addresses.length)
    // The search itself works, with both.
    assert.deepEqual(await findAddresses(journalRoot, visitorKey), addresses)
    assert.deepEqual(await findAddresses(journalRoot, randomBytes(32).toString('hex')), [])
    assert.deepEqual(await findAddresses(journalRoot, 'another secret of this installation'), [])
    await ingest.stop()

    // No scan comes any more: the front finishes its segment all the same, and the worker removes
    // it.
    aheadMs = 15 * minuteMs
    const segments = () => globSync('front-0/*.seg', { cwd: journalRoot }).toSorted()
    const [ofScans] = segments()
    await until(() => segments().at(-1) !== ofScans)
    aheadMs = 59 * minuteMs
    const later = await startTestIngest({ journalRoot, db, store, clock })
    await until(() => !segments().includes(ofScans ?? ''))
    await later.stop()
    await journal.close()
    assert.deepEqual(await findAddresses(journalRoot, visitorKey), [])
    const kept = new KeptRows(journalRoot)
    const rows = await Promise.all((await Array.fromAsync(kept.places())).map(readRecord))
    const files = globSync('**/*', { cwd: journalRoot, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    )
    const bytes = [...rows, ...files.map((file) => readFileSync(join(file.parentPath, file.name)))]
    assert.ok(
      rows.some((one) => one.includes('qr_1')),
      'the rows are kept',
    )
    for (const text of [...addresses, ...addresses.map(networkOf), ...agents])
      assert.ok(!bytes.some((one) => one.includes(text)), text)
  })
})
