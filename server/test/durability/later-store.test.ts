// Left to the soak: `store/clickhouse` refuses a store of a later release.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { scanStoreSchema, serverRefusal } from '../../src/analytics/store/migrations.ts'
import type { ClickHouse } from '../../src/analytics/store/clickhouse.ts'
import { createCodes, type Codes } from '../support/accounts.ts'
import { scanOnce } from '../support/load.ts'
import { startStoreServer } from '../support/scan-store-server.ts'
import { startService, until, type Service } from '../support/service.ts'

const sentence = `the scan store was upgraded by a later release (schema ${scanStoreSchema + 1}, this release knows up to ${scanStoreSchema})`

const upgrade = (store: ClickHouse) =>
  store.insert('schema_versions', ['version', 'name'], [Buffer.from(`${scanStoreSchema + 1}\tlater\n`)])

describe('a scan store of a later release', () => {
  let server: Awaited<ReturnType<typeof startStoreServer>>
  let service: Service
  let of: Codes
  before(async () => {
    server = await startStoreServer()
    service = await startService({ CLICKHOUSE_URL: server.url })
    of = await createCodes(service, 2)
  })
  after(async () => {
    await service.remove()
    await server.stop()
  })
  const scan = (index: number) => scanOnce({ port: service.port, code: of.codes[index]?.shortCode ?? '' })

  test('upgraded by another machine: redirects continue, and the failed part states why', async () => {
    await upgrade(server.store)
    service.signal(['worker'], 'SIGKILL')
    const detail = async () => (await service.readiness()).parts['scanStore']?.detail ?? ''
    await until('the part is down', async () => (await detail()).startsWith(sentence), 30_000)
    const pids = service.pids('worker')
    assert.equal((await service.readiness()).status, 'degraded')
    for (const index of [0, 1]) assert.equal(await scan(index), 302)
    await until('the worker checked again', async () => (await detail()).startsWith(sentence))
    assert.deepEqual(service.pids('worker'), pids)
    assert.match(service.output(), /later release.*redirects go on, scans wait in the journal/)
  })

  test('resumes once the release matches again', async () => {
    await server.store.command(`alter table schema_versions delete where name = 'later'`, undefined, {
      settings: { mutations_sync: '1' },
    })
    await until(
      'both scans are counted',
      async () => {
        const figures = of.codes.map(({ id }) => of.client.qrCodes.analytics(of.orgId, id))
        const totals = (await Promise.all(figures)).map(({ summary }) => summary.totalScans)
        return totals.every((total) => total === 1)
      },
      30_000,
    )
  })

  test('stops a start, with a line that names the command to run', async () => {
    await upgrade(server.store)
    await service.stop()
    service.launch()
    assert.equal(await service.ended(), 1)
    assert.ok(service.output().includes(`everscan worker: ${sentence}; run that release, or restore`))
  })
})

test('ClickHouse before 25.3 is rejected', () => {
  assert.match(
    serverRefusal('24.8.14.39')?.message ?? '',
    /^CLICKHOUSE_URL: .* 25\.3 or later, .* 24\.8\.14\.39; upgrade it$/,
  )
  for (const version of ['25.3.1.1', '25.12.1.1', '26.1.1.1']) assert.equal(serverRefusal(version), undefined)
})
