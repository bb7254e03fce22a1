import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limits } from '@everscan/contract/schema/limits.ts'
import { historyFields } from '@everscan/contract/resources/qr-code-history.ts'
import type { Database } from '../../db/database.ts'
import { forEachDatabase } from '../../db/testing/databases.ts'
import { seededRandom } from '@everscan/contract/testing/random.ts'
import { listAuditLog } from '../ledger/audit-log.ts'
import { readQrCodes, updateQrCodes } from './batches.ts'
import { someOrganization, someOrigin, someQrCode } from '../testing/catalogue.ts'
import { systemActor } from '../rows/change-origins.ts'
import { listQrCodeVersions, readQrCodeVersion } from './qr-code-history.ts'
import type { QrCodeRow } from '../rows/qr-code-row.ts'
import { createQrCode, createQrCodes, readQrCode, updateQrCode } from './qr-codes.ts'
import { deleteQrCodes } from './qr-code-deletion.ts'

const origin = someOrigin
const other = { ...someOrigin, actor: { kind: 'user', id: 'usr_1', name: 'Ada' } } as const

const rule = { id: 'rul_1', name: 'One', enabled: true, data: { url: 'https://example.com/1' } }

forEachDatabase('the history of a code', (open) => {
  test('has a version for each change of name, content, rules, style or status, and for no other change', async () => {
    const db = await open()
    const { id: organizationId } = await someOrganization(db)
    const { id } = await createQrCode(db, organizationId, someQrCode({ nowMs: 1_000 }))
    const key = { organizationId, id }
    const change = (changes: object, nowMs: number) =>
      updateQrCode(db, key, { ...changes, origin: other, nowMs })
    await change({ tags: ['a'], metadata: { a: 'b' } }, 2_000)
    await change({ name: 'Poster' }, 3_000)
    await change({ name: 'Flyer', data: { url: 'https://example.org/' } }, 4_000)
    await change({ status: 'ARCHIVED' }, 5_000)
    await change({ style: { foregroundColor: '#112233' } }, 6_000)
    await change({ rules: [rule], passQuery: true }, 7_000)
    const { rows, total } = await versionsOf(db, key, { page: 1, limit: 20 })
    const data = { url: 'https://example.org/' }
    const style = { foregroundColor: '#112233' }
    const none = { rules: [], passQuery: false, access: null }
    const first = {
      name: 'Poster',
      data: { url: 'https://example.com/' },
      ...none,
      style: {},
      status: 'ACTIVE',
    }
    const by = other.actor
    assert.equal(total, 5)
    assert.deepEqual(rows, [
      {
        version: 5,
        changed: ['rules', 'passQuery'],
        changedAtMs: 7_000,
        changedBy: by,
        name: 'Flyer',
        data,
        rules: [rule],
        passQuery: true,
        access: null,
        style,
        status: 'ARCHIVED',
      },
      {
        version: 4,
        changed: ['style'],
        changedAtMs: 6_000,
        changedBy: by,
        name: 'Flyer',
        data,
        ...none,
        style,
        status: 'ARCHIVED',
      },
      {
        version: 3,
        changed: ['status'],
        changedAtMs: 5_000,
        changedBy: by,
        name: 'Flyer',
        data,
        ...none,
        style: {},
        status: 'ARCHIVED',
      },
      {
        version: 2,
        changed: ['name', 'data'],
        changedAtMs: 4_000,
        changedBy: by,
        name: 'Flyer',
        data,
        ...none,
        style: {},
        status: 'ACTIVE',
      },
      { version: 1, changed: [], changedAtMs: 1_000, changedBy: origin.actor, ...first },
    ])
    for (let page = 1; page <= 6; page++)
      assert.deepEqual((await versionsOf(db, key, { page, limit: 1 })).rows, rows.slice(page - 1, page))
    assert.deepEqual((await versionsOf(db, key, { page: 2, limit: 3 })).rows, rows.slice(3, 6))
  })

  test('returns every version unchanged, in pages and alone, after random single and batch changes', async () => {
    const random = seededRandom()
    const db = await open()
    const { id: organizationId } = await someOrganization(db)
    const outcomes = await createQrCodes(db, organizationId, [someQrCode(), someQrCode(), someQrCode()])
    const ids = outcomes.map((outcome) => (outcome as QrCodeRow).id)
    const expected = new Map<string, unknown[]>()
    const note = (row: QrCodeRow) => {
      const versions = expected.get(row.id) ?? []
      versions[row.history.version - 1] = contentOf(row)
      expected.set(row.id, versions)
    }
    for (const outcome of outcomes) note(outcome as QrCodeRow)
    const few = (name: string) => `${name} ${Math.floor(random() * 3)}`
    const someChanges = () => ({
      ...(random() < 0.4 && { name: few('Name') }),
      ...(random() < 0.4 && { data: { url: `https://example.com/${few('')}` } }),
      ...(random() < 0.4 && { style: { cornerRadius: random() < 0.3 ? null : Math.floor(random() * 3) } }),
      ...(random() < 0.4 && { status: random() < 0.5 ? ('ACTIVE' as const) : ('ARCHIVED' as const) }),
      ...(random() < 0.4 && { rules: random() < 0.5 ? [] : [{ ...rule, name: few('Rule') }] }),
      ...(random() < 0.4 && { passQuery: random() < 0.5 }),
      ...(random() < 0.4 && {
        access: random() < 0.3 ? null : { scanLimit: 1 + Math.floor(random() * 3) },
      }),
      ...(random() < 0.4 && { tags: [few('tag')] }),
    })
    for (let i = 0; i < 60; i++) {
      const id = ids[i % 3] ?? ''
      const row = await updateQrCode(db, { organizationId, id }, { ...someChanges(), origin })
      if (row !== undefined) note(row)
      if (i % 5 !== 0) continue
      const states = await readQrCodes(db, organizationId, ids)
      const changes = [...states.values()].map((before) => ({ before, changes: someChanges() }))
      for (const after of (await updateQrCodes(db, organizationId, { changes, origin })).values()) note(after)
    }
    for (const id of ids) {
      const key = { organizationId, id }
      const versions = expected.get(id) ?? []
      assert.ok(versions.length > 5)
      const all: unknown[] = []
      for (let page = 1; all.length < versions.length; page++) {
        const { rows, total } = await versionsOf(db, key, { page, limit: 4 })
        assert.equal(total, versions.length)
        for (const row of rows) {
          assert.equal(row.version, versions.length - all.length, 'no gaps')
          all.push(contentOf(row))
          const code = await readQrCode(db, key)
          assert.deepEqual(code && (await readQrCodeVersion(db, code, row.version)), row)
        }
      }
      assert.deepEqual(all.toReversed(), versions)
    }
  })

  test('keeps only the newest versions', async () => {
    const db = await open()
    const { id: organizationId } = await someOrganization(db)
    const { id } = await createQrCode(db, organizationId, someQrCode())
    const key = { organizationId, id }
    // Written directly to the table, because a thousand changes take long.
    const version = limits.historyVersionsMax
    await db.kysely.updateTable('qr_codes').set({ history_version: version }).where('id', '=', id).execute()
    const kept = {
      changed: 'name',
      changed_at_ms: 1,
      changed_by: '{}',
      data: null,
      style: null,
      status: null,
    }
    for (let each = 1; each < version; each++)
      await db.kysely
        .insertInto('qr_code_history')
        .values({ organization_id: organizationId, qr_code_id: id, version: each, name: `${each}`, ...kept })
        .execute()
    await updateQrCode(db, key, { name: 'New', origin })
    const { rows, total } = await versionsOf(db, key, { page: 10, limit: 100 })
    assert.equal(total, version)
    assert.deepEqual([rows.at(-1)?.version, rows.at(-1)?.name], [2, '2'])
    const code = await readQrCode(db, key)
    assert.equal(code && (await readQrCodeVersion(db, code, 1)), undefined)
  })

  test('has no row until the first change, and is deleted with the code', async () => {
    const db = await open()
    const { id: organizationId } = await someOrganization(db)
    const outcomes = await createQrCodes(
      db,
      organizationId,
      Array.from({ length: 50 }, () => someQrCode({ origin: { ...origin, via: 'import' } })),
    )
    const ids = outcomes.map((outcome) => (outcome as QrCodeRow).id)
    assert.equal(await countOf(db, 'qr_code_history'), 0)
    assert.equal(await countOf(db, 'audit_log'), 0, 'an import is one entry, not one a row')
    const states = await readQrCodes(db, organizationId, ids)
    const changes = [...states.values()].map((before) => ({ before, changes: { name: 'New' } }))
    await updateQrCodes(db, organizationId, { changes, origin })
    assert.equal(await countOf(db, 'qr_code_history'), 50)
    await deleteQrCodes(db, organizationId, { ids, origin })
    assert.equal(await countOf(db, 'qr_code_history'), 0)
    const { total } = await listAuditLog(db, organizationId, { page: 1, limit: 1 })
    assert.equal(total, 100)
  })

  test('of a code from an older release starts with version 1 by the system', async () => {
    const db = await open()
    const { id: organizationId } = await someOrganization(db)
    const { id } = await createQrCode(db, organizationId, someQrCode({ nowMs: 1_000 }))
    // The values that an older release leaves in the new columns.
    const before = { history_at_ms: null, history_by: null }
    await db.kysely.updateTable('qr_codes').set(before).execute()
    const key = { organizationId, id }
    await updateQrCode(db, key, { name: 'New', origin, nowMs: 2_000 })
    const { rows } = await versionsOf(db, key, { page: 1, limit: 20 })
    assert.deepEqual(
      rows.map(({ version, changedAtMs, changedBy }) => [version, changedAtMs, changedBy]),
      [
        [2, 2_000, origin.actor],
        [1, 1_000, systemActor],
      ],
    )
  })

  test('omits a change that was rolled back, and so does the audit log', async () => {
    const db = await open()
    const { id: organizationId } = await someOrganization(db)
    const { id } = await createQrCode(db, organizationId, someQrCode())
    const before = [await countOf(db, 'qr_code_history'), await countOf(db, 'audit_log')]
    const change = updateQrCode(db, { organizationId, id }, { name: 'x', folderId: 'fld_none', origin })
    await assert.rejects(change, { status: 400 })
    assert.deepEqual([await countOf(db, 'qr_code_history'), await countOf(db, 'audit_log')], before)
  })
})

async function versionsOf(
  db: Database,
  key: { organizationId: string; id: string },
  page: { page: number; limit: number },
) {
  const code = await readQrCode(db, key)
  if (code === undefined) throw new Error('no code')
  return listQrCodeVersions(db, code, page)
}

function contentOf(of: Pick<QrCodeRow, (typeof historyFields)[number]>) {
  return Object.fromEntries(historyFields.map((field) => [field, of[field]]))
}

async function countOf(db: Database, table: 'qr_code_history' | 'audit_log'): Promise<number> {
  const row = await db.kysely
    .selectFrom(table)
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return row.count
}
