import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { scanId } from '../../ids.ts'
import { readCsv } from '../testing/csv.ts'
import { storeCalls } from '../testing/store-calls.ts'
import { onEachStore, type EachStore } from '../testing/each-store.ts'
import { readPeriod } from './period.ts'
import { referenceHits } from '../testing/reference-analytics.ts'
import { exportScans } from './scan-export.ts'
import { randomScans } from '../testing/scan-rows.ts'
import { randomFrom, testSeed } from '@everscan/contract/testing/random.ts'
import type { ScanRow } from '../insert/scan-row.ts'
import type { ScopeOfCode } from '../scan-store.ts'
import { openClickHouse } from '../store/open-clickhouse.ts'
import { ScanStoreUnavailable } from '../scan-store.ts'
import type { ClickHouse } from '../store/clickhouse.ts'

const seed = testSeed()
const organizationId = 'org_rows'
const header = ['timestamp', 'country', 'city', 'device_type', 'os', 'browser', 'is_unique']

const random = randomFrom(seed)
// About a third of the scans share a few instants, so that pages and pieces end between scans of
// one millisecond and of two machines.
const scans = randomScans(random, {
  organizationId,
  rows: 2_000,
  fromMs: Date.UTC(2026, 2, 1),
  toMs: Date.UTC(2026, 2, 29),
}).map((row): ScanRow => {
  if (random() > 0.3) return row
  // If a visitor scans on two machines at one instant, the order of the two scans is undefined.
  // Here each machine has its own visitors.
  const machine = random() < 0.5 ? 'a' : 'b'
  const timeMs = row.timeMs - (row.timeMs % 604_800_000)
  return { ...row, timeMs, writer: `writer-${machine}`, visitor: machine + row.visitor.slice(1) }
})
const period = readPeriod({ startDate: '2026-02-01', endDate: '2026-03-31' })

onEachStore((store, server) => {
  const ofServer = server && test
  describe('rows of one code', () => {
    before(() => store.insert(scans))

    const scopes: ScopeOfCode[] = [
      { organizationId, qrCodeId: 'qr_busy', filters: {}, ...period },
      { organizationId, qrCodeId: 'qr_quiet', filters: { country: ['DE', 'IT'], os: ['iOS'] }, ...period },
      {
        organizationId,
        qrCodeId: 'qr_busy',
        filters: { city: ['Unknown'] },
        ...readPeriod({ startDate: '2026-03-08', endDate: '2026-03-15T12:00' }),
      },
    ]

    for (const scansPerPiece of [1, 7, 100, 50_000])
      test(`the export has each scan once, in order, in pieces of ${scansPerPiece}`, async () => {
        for (const [index, scope] of scopes.entries()) {
          if (scansPerPiece < 10 && index === 0) continue
          assertSameRows(readCsv(await exported(store, scope, scansPerPiece)), [header, ...csvRows(scope)])
        }
      })

    test('the list has each scan once, newest first, whatever the size of its pages', async () => {
      for (const [index, scope] of scopes.entries())
        for (const includeBots of [false, true]) {
          const expected = referenceHits(scans, scope)
            .filter((row) => includeBots || !row.isBot)
            .toReversed()
          const limit = [97, 11, 100][index] ?? 100
          const listed = []
          for (let page = 1; listed.length < expected.length; page++) {
            const { scans: some, total } = await store.scanStore.listScans({
              ...scope,
              page,
              limit,
              includeBots,
            })
            assert.equal(total, expected.length)
            assert.equal(some.length, Math.min(limit, expected.length - listed.length))
            listed.push(...some)
          }
          assertSameRows(
            listed,
            expected.map((row) => ({
              id: scanId({ timeMs: row.timeMs, writer: row.writer, sequence: BigInt(row.sequence) }),
              qrCodeId: row.qrCodeId,
              timestamp: new Date(row.timeMs).toISOString(),
              country: row.country,
              city: row.city,
              region: row.region,
              latitude: row.latitude,
              longitude: row.longitude,
              deviceType: row.deviceType,
              os: row.os,
              browser: row.browser,
              referrer: row.referrer,
              language: row.language,
              ruleId: row.rule || null,
              arm: row.arm || null,
              isUnique: !row.isBot && row.isUnique,
              isBot: row.isBot,
              botReason: row.isBot ? row.botReason : null,
            })),
          )
          const ids = listed.map(({ id }) => id)
          assert.equal(new Set(ids).size, ids.length)
          assert.ok(ids.every((id) => /^scn_[0-9a-hjkmnp-tv-z]{26}$/.test(id)))
          const times = ids.map((id) => id.slice(0, 14))
          assert.deepEqual(times, times.toSorted().toReversed(), 'ids sort by time')
        }
    })

    test('a page past the end is empty, however far, and a code without scans has none', async () => {
      const [scope] = scopes
      assert.ok(scope)
      const { total } = await store.scanStore.listScans({ ...scope, page: 1, limit: 1, includeBots: false })
      for (const page of [total + 1, 1_000_000_000])
        assert.deepEqual(await store.scanStore.listScans({ ...scope, page, limit: 1, includeBots: false }), {
          scans: [],
          total,
        })
      const never = { ...scope, qrCodeId: 'qr_never' }
      assert.deepEqual(await store.scanStore.listScans({ ...never, page: 1, limit: 20, includeBots: true }), {
        scans: [],
        total: 0,
      })
      assert.equal(await exported(store, never), `${header.join(',')}\n`)
    })

    void ofServer?.('nothing is asked for twice when the reader stops', async () => {
      const [scope] = scopes
      const { store: whole } = server?.() ?? {}
      assert.ok(scope && whole)
      let asked = 0
      const counting: ClickHouse = {
        ...storeCalls(whole),
        bytes: (...args) => {
          asked++
          return whole.bytes(...args)
        },
      }
      for await (const piece of exportScans(counting, scope, 10)) if (piece.length > 0) break
      assert.equal(asked, 1)
    })
  })

  test('a cell that a spreadsheet would run is made text, and any text comes back whole', async () => {
    const names = [
      '=1+1',
      '+1',
      '-1',
      '@SUM(A1)',
      '\t=1',
      '\r=1',
      '\n=1',
      '＝1',
      '=cmd|\' /C calc\'!A0, "x"',
      'a,b',
      'a"b',
      '"',
      'line\nbreak\r\n',
      "l'Aquila",
      '北京 🏙',
      'a\\tb\\\\n',
      'a=b',
      '',
    ]
    const [scan] = randomScans(randomFrom(1), { organizationId: 'org_cells', rows: 1, fromMs: 0, toMs: 1 })
    assert.ok(scan)
    const rows = names.map((city, sequence): ScanRow => {
      const timeMs = Date.UTC(2026, 2, 1, 0, 0, sequence)
      return { ...scan, class: 'human', city, os: city, sequence, timeMs }
    })
    await store.insert(rows)
    const text = await exported(store, {
      organizationId: 'org_cells',
      qrCodeId: scan.qrCodeId,
      filters: {},
      ...period,
    })
    const [, ...lines] = readCsv(text)
    assert.deepEqual(
      lines.map(([, , city]) => city),
      names.map((name) => (/^[-=+@\t\r\n＝]/.test(name) ? `'${name}` : name)),
    )
    assert.deepEqual(
      lines.map(([, , , , os]) => os),
      lines.map(([, , city]) => city),
    )
  })

  void ofServer?.('a store that is away is ScanStoreUnavailable, before the first piece', async () => {
    const nowhere = openClickHouse({ socketPath: `${server?.().engine.socketPath}.none` })
    const pieces = exportScans(nowhere, { organizationId, qrCodeId: 'qr_busy', filters: {}, ...period })
    await assert.rejects(pieces.next(), ScanStoreUnavailable)
    await nowhere.close()
  })
})

/** Compares row by row, because the first row that differs is easier to read than all rows. */
function assertSameRows(actual: readonly unknown[], expected: readonly unknown[]): void {
  for (const [index, row] of expected.entries())
    assert.deepEqual(actual[index], row, `row ${index}: ${JSON.stringify([actual[index], row])}`)
  assert.equal(actual.length, expected.length)
}

async function exported(store: EachStore, scope: ScopeOfCode, scansPerPiece?: number): Promise<string> {
  return Buffer.concat(await Array.fromAsync(store.exportScans(scope, scansPerPiece))).toString()
}

function csvRows(scope: Omit<ScopeOfCode, 'qrCodeId'>): string[][] {
  return referenceHits(scans, scope)
    .filter((row) => !row.isBot)
    .map((row) => [
      new Date(row.timeMs).toISOString(),
      row.country,
      row.city,
      row.deviceType,
      row.os,
      row.browser,
      String(row.isUnique),
    ])
}
