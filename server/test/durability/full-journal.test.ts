// Left to the soak: `journal` has the limit, `durability/full-disk` a disk that is full.
// JOURNAL_MAX_BYTES at its minimum: frames written while the worker is down fill the journal, which
// empties again afterwards.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { journalBytes } from '../../src/journal/journal-bytes.ts'
import { createCodes, totalScans, type Codes } from '../support/accounts.ts'
import { phones } from '../support/phones.ts'
import { statusRefresh, type Service, startService, until } from '../support/service.ts'

const isSoak = process.env['SOAK'] === '1'
const mebibyte = 2 ** 20
const atOnce = 500
/** The minimum size of a frame for a scan with such a user agent. */
const frameBytes = 550
/**
 * 1 s in most runs, but the worker has the lowest priority where processors are few, and the
 * machine may do other work.
 */
const recoveryMsMax = 60_000

// 8 MiB is the minimum of the setting.
for (const bytesMax of [8 * mebibyte, ...(isSoak ? [16 * mebibyte] : [])])
  describe(`journals that may use ${bytesMax / mebibyte} MiB`, () => {
    let service: Service
    let of: Codes
    before(async () => {
      service = await startService({ JOURNAL_MAX_BYTES: String(bytesMax), RATE_LIMIT_PER_MINUTE: '0' })
      of = await createCodes(service, 1)
    })
    after(async () => {
      service.signal(['worker'], 'SIGCONT')
      await service.remove()
    })

    test('fill up while the worker is down, and record again soon after it is back; no redirect fails', async (t) => {
      const code = of.codes[0]?.shortCode ?? ''
      let sent = 0
      const scan = async (count = atOnce): Promise<void> => {
        assert.equal(await scanPipelined(service.port, code, count), count, 'every scan is a redirect')
        sent += count
      }
      const metricNow = async (name: string): Promise<number> => {
        await statusRefresh()
        return await service.metric(name)
      }
      const unrecorded = (): Promise<number> => metricNow('scans_unrecorded_total')
      const recorded = (): Promise<number> => metricNow('scans_recorded_total')

      service.signal(['worker'], 'SIGSTOP')
      // Asked rarely: a report waits for the worker, which does not respond.
      const stoppedMs = performance.now()
      for (let bursts = 0; bursts * atOnce * frameBytes < bytesMax; bursts++) await scan()
      t.diagnostic(`${sent} scans in ${Math.round(performance.now() - stoppedMs)} ms`)
      assert.ok((await unrecorded()) > 0, 'the journal is full')
      const { bytes, segments } = await journalBytes(join(service.dataDir, 'journal'))
      assert.ok(bytes <= bytesMax + 100 * segments, `${bytes} bytes in ${segments} segments`)
      await until('the journal is told as full', async () => {
        const { parts } = await service.readiness()
        return parts['journal']?.ok === false
      })
      service.signal(['worker'], 'SIGCONT')
      const full = await recorded()
      const backMs = await until(
        'scans are recorded again',
        async () => {
          await scan(5)
          return (await service.metric('scans_recorded_total')) > full
        },
        recoveryMsMax,
      )
      const settled = await recorded()
      await until('all scans are counted', async () => (await totalScans(of)) >= settled, recoveryMsMax)
      const hasRoom = async (): Promise<boolean> => (await service.metric('journal_bytes')) < bytesMax * 0.7
      await until('counted frames are removed', hasRoom, recoveryMsMax)
      const lost = await unrecorded()
      for (let bursts = 0; bursts < 3; bursts++) await scan()
      assert.equal(await unrecorded(), lost, 'every scan is recorded')
      const inAll = await recorded()
      assert.equal(inAll + lost, sent)
      await until(
        'every recorded scan is counted',
        async () => (await totalScans(of)) >= inAll,
        recoveryMsMax,
      )
      assert.equal(await totalScans(of), inAll)
      t.diagnostic(`${inAll} recorded + ${lost} unrecorded, recorded again after ${Math.round(backMs)} ms`)
    })
  })

/**
 * Sends many scans over one connection, with user agents as long as the journal stores; returns the
 * number of redirects.
 */
function scanPipelined(port: number, code: string, count: number): Promise<number> {
  const userAgent = `${phones[0]} ${'Build '.repeat(100)}`.slice(0, 512)
  const request = `GET /${code} HTTP/1.1\r\nHost: localhost\r\nUser-Agent: ${userAgent}\r\n\r\n`
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let redirects = 0
    let answers = 0
    let rest = ''
    socket.setEncoding('latin1')
    socket.on('error', reject)
    socket.on('close', () => resolve(redirects))
    socket.on('data', (text: string) => {
      const heads = (rest + text).split('\r\n\r\n')
      rest = heads.pop() ?? ''
      answers += heads.length
      redirects += heads.filter((head) => head.startsWith('HTTP/1.1 302 ')).length
      if (answers >= count) socket.destroy()
    })
    socket.write(request.repeat(count))
  })
}
