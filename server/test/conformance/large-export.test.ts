// Left to the soak: `conformance/figures` has exports; this one is long.
import { firstColumns } from '../../src/analytics/testing/scan-rows.ts'
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { ClickHouse } from '../../src/analytics/store/clickhouse.ts'
import { createCodes, type Codes } from '../support/accounts.ts'
import { watchMemory } from '../support/memory.ts'
import { startStoreServer } from '../support/scan-store-server.ts'
import { startService, type Service } from '../support/service.ts'

const rows = process.env['SOAK'] === '1' ? 10_000_000 : 150_000
const rowsPerInsert = 200_000
const days = 700

describe(`an export of ${rows} scans`, () => {
  let service: Service
  let of: Codes
  let server: Awaited<ReturnType<typeof startStoreServer>>
  before(async () => {
    server = await startStoreServer()
    service = await startService({ LOG_LEVEL: 'warn', CLICKHOUSE_URL: server.url })
    of = await createCodes(service, 1)
    await fillScans(server.store, { organizationId: of.orgId, qrCodeId: of.codes[0]?.id ?? '' })
  })
  after(async () => {
    await service.remove()
    await server.stop()
  })

  test('is complete, and memory stays level', async (t) => {
    const [code] = of.codes
    assert.ok(code !== undefined)
    const memory = watchMemory(service, ['api', 'front'])
    const fromMs = performance.now()
    const startDate = new Date(Date.now() - (days + 2) * 86_400_000).toISOString()
    const { body } = await of.client.analytics.export(of.orgId, code.id, { startDate })
    let lines = 0
    let bytes = 0
    for await (const piece of body) {
      bytes += piece.length
      for (const byte of piece) if (byte === 10) lines++
    }
    const grownMb = memory.grownMb()
    const seconds = (performance.now() - fromMs) / 1000
    t.diagnostic(
      `${lines} lines, ${Math.round(bytes / 1e6)} MB in ${seconds.toFixed(1)} s; memory grew by ${grownMb} MB`,
    )
    assert.equal(lines, rows + 1)
    assert.ok(grownMb <= 100, `memory grew by ${grownMb} MB`)
  })
})

/**
 * Bypasses the journal, because ten million scans should take only a minute; over two years, each
 * by another visitor.
 */
async function fillScans(
  store: ClickHouse,
  { organizationId, qrCodeId }: { organizationId: string; qrCodeId: string },
): Promise<void> {
  for (let from = 0; from < rows; from += rowsPerInsert) {
    const count = Math.min(rowsPerInsert, rows - from)
    await store.command(
      `insert into scans (${firstColumns})
       select '${organizationId}', '${qrCodeId}',
         now64(3) - toIntervalSecond(intDiv((${from} + number) * ${days * 86_400}, ${rows})),
         'writer', ${from} + number, generateUUIDv4(number), 'human', '', 'DE', 'Berlin', 'Berlin', 52.5, 13.4,
         'mobile', 'iOS', 'Safari', '', 'de', 'batch'
       from numbers(${count})
       settings max_partitions_per_insert_block = 0`,
    )
  }
}
