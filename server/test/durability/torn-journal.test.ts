import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { appendFileSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { assertCounted, createCodes, recordedScans, type Codes } from '../support/accounts.ts'
import { startLoad } from '../support/load.ts'
import { startService, type Service } from '../support/service.ts'

const scansEach = 200

describe('a journal that was damaged while the service was down', () => {
  let service: Service
  let of: Codes
  let acknowledged = 0
  before(async () => {
    service = await startService({ TRUST_PROXY: '127.0.0.1' })
    of = await createCodes(service, 1)
  })
  after(() => service.remove())

  /**
   * Records scans in the journal that are not in the scan store yet, then kills all processes at
   * once.
   */
  const scanAndKill = async (): Promise<void> => {
    service.signal(['worker'], 'SIGSTOP')
    const codes = of.codes.map((code) => code.shortCode)
    const load = startLoad({ port: service.port, codes, scansPerSecond: 1_000, scansMax: scansEach })
    await load.finished
    assert.equal(load.total().acknowledged, scansEach)
    acknowledged += scansEach
    await service.kill()
  }
  const startAgain = async (): Promise<void> => {
    service.launch()
    await service.waitUntilReady()
  }
  const recorded = async (): Promise<number> =>
    [...(await recordedScans(service.dataDir)).values()].reduce((sum, count) => sum + count, 0)

  test('zeros and garbage at its end, as a power loss leaves them, are cut off without loss', async () => {
    await scanAndKill()
    appendFileSync(lastSegment(service), Buffer.concat([Buffer.alloc(50_000), randomBytes(3_000)]))
    await startAgain()
    assert.equal(await assertCounted(service, of), acknowledged)
  })

  test('a cut end costs only the scan that was cut', async () => {
    await scanAndKill()
    const path = lastSegment(service)
    truncateSync(path, statSync(path).size - 20)
    acknowledged -= 1
    assert.equal(await recorded(), acknowledged)
    await startAgain()
    assert.equal(await assertCounted(service, of), acknowledged)
  })

  test('a flipped bit in its middle costs only the scan that contained it', async () => {
    await scanAndKill()
    const path = lastSegment(service)
    const bytes = readFileSync(path)
    const middle = bytes.length >> 1
    bytes[middle] = (bytes[middle] ?? 0) ^ 0x10
    writeFileSync(path, bytes)
    acknowledged -= 1
    await startAgain()
    assert.equal(await assertCounted(service, of), acknowledged)
  })
})

function lastSegment({ dataDir }: Service): string {
  const dir = join(dataDir, 'journal', 'front-0')
  const names = readdirSync(dir).filter((name) => name.endsWith('.seg'))
  return join(dir, names.sort().at(-1) ?? assert.fail('no segment'))
}
