import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { ensureInstallation } from '../db/installation.ts'
import { forEachDatabase } from '../db/testing/databases.ts'
import { contextFor, findingOf, scratchDir, textOf } from './testing/doctor.ts'

forEachDatabase('copy checks', (open) => {
  test('scheduled copies are judged: none set up, a missing folder, a failed copy, verified copies', async () => {
    const db = await open()
    await ensureInstallation(db)
    const dir = scratchDir()
    const copies = (BACKUP_DIR?: string) =>
      contextFor(
        { DATA_DIR: dir, ...(BACKUP_DIR !== undefined && { BACKUP_DIR }) },
        { catalogue: async () => db, nowMs: Date.now() },
      )
    assert.match(
      textOf(await findingOf('copies.scheduled', copies())),
      /^notice: none are set up.* -> set BACKUP_DIR/,
    )
    assert.match(
      textOf(await findingOf('copies.scheduled', copies(join(dir, 'gone')))),
      /^failed: BACKUP_DIR .*gone does not exist/,
    )
    assert.match(textOf(await findingOf('copies.scheduled', copies(dir))), /^ok: the first one follows/)
    const row = {
      id: 'cpy_1',
      made_at_ms: Date.now() - 60_000,
      machine: 'here',
      path: join(dir, 'one.copy'),
      bytes: null,
      state: 'FAILED' as const,
      problem: 'the disk is full',
      failures: 1,
      checked_at_ms: null,
      verified_at_ms: null,
      ended_at_ms: Date.now(),
      counts: null,
      lease_number: 1,
      lease_until_ms: null,
    }
    await db.kysely.insertInto('copies').values(row).execute()
    assert.match(
      textOf(await findingOf('copies.scheduled', copies(dir))),
      /^failed: the disk is full -> see docs\/backup\.md/,
    )
    const atMs = Date.now()
    await db.kysely
      .updateTable('copies')
      .set({ state: 'VERIFIED', problem: null, failures: 0, checked_at_ms: atMs, verified_at_ms: atMs })
      .execute()
    assert.match(textOf(await findingOf('copies.scheduled', copies(dir))), /^ok: the last one is from \d{4}-/)
    assert.match(
      textOf(await findingOf('copies.place', copies(dir))),
      /^notice: BACKUP_DIR is on the disk of DATA_DIR.* -> set BACKUP_DIR to a folder on another disk/,
    )
  })
})
