// Left to the soak: `commands/visitor-key` and `db/installation` keep, check and replace the key.
// The key that recognizes visitors, from outside: whatever happens to it, no visitor is silently
// counted twice.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { createSecret, readVisitorKey } from '../../src/processes/data-dir.ts'
import { visitorKeyOfSecret } from '../../src/processes/visitor-key.ts'
import { createCodes, type Codes } from '../support/accounts.ts'
import { phones } from '../support/phones.ts'
import { commandEnvironment, startService, until, type Service } from '../support/service.ts'

describe('the visitor key of an installation', { concurrency: 1 }, () => {
  let service: Service
  let of: Codes
  let key: string
  let scans = 0
  before(async () => {
    service = await startService({ TRUST_PROXY: '127.0.0.1' })
    of = await createCodes(service, 1)
    key = readVisitorKey(service.dataDir) ?? assert.fail('a new installation has the file')
  })
  after(() => service.remove())

  const path = (name: string): string => join(service.dataDir, name)
  const figures = () => of.client.qrCodes.analytics(of.orgId, of.codes[0]?.id ?? '')

  /** Scans as one visitor, with the expected number of uniques. */
  async function scanAgain(uniques: number, address = '198.51.100.7'): Promise<void> {
    const headers = { 'user-agent': phones[0], 'x-forwarded-for': address }
    const answer = await fetch(`${service.baseUrl}/${of.codes[0]?.shortCode}`, {
      redirect: 'manual',
      headers,
    })
    assert.equal(answer.status, 302)
    scans++
    // The counters of the record are updated last.
    const record = () => of.client.qrCodes.read(of.orgId, of.codes[0]?.id ?? '')
    await until('it is counted', async () => (await record()).totalScans === scans, 30_000)
    assert.deepEqual(
      [(await record()).uniqueScans, (await figures()).summary.uniqueScans],
      [uniques, uniques],
      address,
    )
  }
  async function start(): Promise<void> {
    service.launch()
    await service.waitUntilReady()
  }
  function environmentOf(role: string): string {
    return readFileSync(`/proc/${service.pids(role)[0]}/environ`, 'latin1')
  }
  /** Runs a start that must be rejected, and returns its last lines. */
  async function refusal(): Promise<string> {
    const from = service.output().length
    service.launch()
    assert.equal(await service.ended(), 1)
    return service.output().slice(from)
  }
  function everscan(...words: string[]) {
    const env = commandEnvironment({ DATA_DIR: service.dataDir })
    const main = join(import.meta.dirname, '..', '..', 'src', 'main.mjs')
    return spawnSync(process.execPath, [main, ...words], { env, encoding: 'utf8' })
  }

  test('is random, readable only for its user, and unknown to the engine', async () => {
    assert.match(key, /^[0-9a-f]{64}$/)
    assert.notEqual(key, visitorKeyOfSecret(readFileSync(path('secret'), 'utf8').trim()))
    assert.equal(statSync(path('visitor-key')).mode & 0o777, 0o600)
    assert.ok(environmentOf('front').includes(`VISITOR_KEY=${key}\0`))
    assert.ok(!environmentOf('engine').includes(key))
    await scanAgain(1)
    assert.deepEqual((await figures()).marks, [])
    assert.match(everscan('visitor-key').stdout, /Secret of its own +yes\nOf this installation +yes/)
  })

  test('stays the same after a start, so that visitors stay the same; an IPv6 visitor is one per /64', async () => {
    await service.stop()
    await start()
    await scanAgain(1)
    await scanAgain(2, '2001:db8:1:2::7')
    await scanAgain(2, '2001:db8:1:2:ffff::8')
    await scanAgain(3, '2001:db8:1:3::7')
    await scanAgain(3, '::ffff:198.51.100.7')
  })

  test('a missing or different key is rejected, and no new one is created', async () => {
    await service.stop()
    renameSync(path('visitor-key'), path('kept'))
    assert.match(
      await refusal(),
      /visitor-key is missing, and scans .* restore it from a copy, or set VISITOR_KEY to its content\. .*\.\/everscan visitor-key --new/,
    )
    assert.equal(readVisitorKey(service.dataDir), undefined)
    writeFileSync(path('visitor-key'), `${createSecret()}\n`)
    assert.match(await refusal(), /visitor-key is not the visitor key of this installation: restore it/)
    renameSync(path('kept'), path('visitor-key'))
    await start()
    await scanAgain(3)
  })

  test('stays the same when SECRET is lost and another one is adopted', async () => {
    await service.stop()
    writeFileSync(path('secret'), `${createSecret()}\n`)
    assert.match(await refusal(), /SECRET is not the one of this installation/)
    assert.equal(everscan('adopt', 'secret').status, 0)
    await start()
    await scanAgain(3)
  })

  test('is replaced by the command, only while the service is stopped; then every visitor is new, and the day is marked', async () => {
    const running = everscan('visitor-key', '--new', '--yes')
    assert.equal(running.status, 1)
    assert.match(running.stderr, /needs the service to be stopped/)
    await service.stop()
    // Works even if the key is lost.
    rmSync(path('visitor-key'))
    const made = everscan('visitor-key', '--new', '--yes')
    assert.equal(made.status, 0, made.stderr)
    assert.match(made.stdout, /visitor-key holds a new key\. .*Start the service\./)
    await start()
    await scanAgain(4)
    await scanAgain(4)
    const date = new Date().toISOString().slice(0, 10)
    const { marks } = await of.client.analytics.ofOrganization(of.orgId, { endDate: date })
    assert.deepEqual(
      [marks.at(-1)?.kind, (await figures()).marks.at(-1)?.kind, marks.length],
      ['visitor-key', 'visitor-key', 1],
    )
  })
})
