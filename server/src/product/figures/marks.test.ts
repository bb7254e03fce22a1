import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readPeriod } from '../../analytics/figures/period.ts'
import { addInstallationNote } from '../../db/installation.ts'
import { onEitherDatabase } from '../../db/testing/databases.ts'
import { readAnalyticsMarks } from './marks.ts'

onEitherDatabase('marks of analytics', (open) => {
  test('are those of the period, on their day in its time zone, each kind once a day', async () => {
    const db = await open()
    for (const [kind, at] of [
      ['visitors-by-64', '2026-11-22T23:30:00Z'],
      ['visitor-key', '2026-11-23T08:00:00Z'],
      ['visitor-key', '2026-11-23T09:00:00Z'],
      ['scans-lost', '2026-11-23T10:00:00Z'],
      ['visitor-key', '2026-11-25T00:00:00Z'],
    ] as const)
      await addInstallationNote(db, { kind, detail: {} }, Date.parse(at))
    const marks = (timezone: string, startDate: string, endDate: string) =>
      readAnalyticsMarks(db, readPeriod({ startDate, endDate, timezone }))
    assert.deepEqual(await marks('UTC', '2026-11-22', '2026-11-24'), [
      { date: '2026-11-22', kind: 'visitors-by-64' },
      { date: '2026-11-23', kind: 'visitor-key' },
    ])
    assert.deepEqual(await marks('Europe/Berlin', '2026-11-23', '2026-11-23'), [
      { date: '2026-11-23', kind: 'visitors-by-64' },
      { date: '2026-11-23', kind: 'visitor-key' },
    ])
    assert.deepEqual(await marks('UTC', '2026-11-24', '2026-11-24'), [])
    // In New York it was still the evening before.
    assert.deepEqual(await marks('America/New_York', '2026-11-24', '2026-11-24'), [
      { date: '2026-11-24', kind: 'visitor-key' },
    ])
  })
})
