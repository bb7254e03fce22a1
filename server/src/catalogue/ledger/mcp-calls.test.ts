import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inTransaction, type Database } from '../../db/database.ts'
import { forEachDatabase } from '../../db/testing/databases.ts'
import { createId } from '../../ids.ts'
import { someOrganization, someOrigin } from '../testing/catalogue.ts'
import { listAuditLog, recordAudit } from './audit-log.ts'
import { deleteOldMcpCalls, recordMcpCall } from './mcp-calls.ts'

const record = (db: Database, organizationId: string, tool: string, nowMs: number, id = createId('aud')) =>
  inTransaction(db, (tx) =>
    recordMcpCall(tx, organizationId, { id, tool, outcome: undefined, origin: someOrigin, nowMs }),
  )

const names = async (db: Database, organizationId: string) =>
  (await listAuditLog(db, organizationId, { page: 1, limit: 100 })).rows.map(({ target }) => target.name)

forEachDatabase('calls over MCP in the audit log', (open) => {
  test('a later outcome replaces the earlier one of the same call only', async () => {
    const db = await open()
    const { id: organizationId } = await someOrganization(db)
    const id = createId('aud')
    await record(db, organizationId, 'save_style', 1, id)
    await record(db, organizationId, 'find_qr_codes', 2)
    const call = { id, tool: 'save_style', origin: someOrigin, nowMs: 9 }
    await inTransaction(db, (tx) => recordMcpCall(tx, organizationId, { ...call, outcome: 'CONFLICT' }))
    assert.deepEqual(await names(db, organizationId), ['find_qr_codes', 'save_style: CONFLICT'])
  })

  test('old calls and those beyond the bound are deleted, in each organization; changes stay', async () => {
    const db = await open()
    const one = await someOrganization(db)
    const other = await someOrganization(db)
    for (const { id: organizationId } of [one, other]) {
      await inTransaction(db, (tx) =>
        recordAudit(tx, organizationId, [
          { action: 'style.create', target: { id: 'sty_1', name: 'kept' }, origin: someOrigin, nowMs: 1 },
        ]),
      )
      for (const nowMs of [10, 20, 30, 40]) await record(db, organizationId, `tool ${nowMs}`, nowMs)
    }
    await record(db, other.id, 'tool 50', 50)
    assert.equal(await deleteOldMcpCalls(db, 20), 2)
    assert.deepEqual(await names(db, one.id), ['tool 40', 'tool 30', 'tool 20', 'kept'])
    assert.equal(await deleteOldMcpCalls(db, 20, { callsMax: 3 }), 1)
    assert.deepEqual(await names(db, one.id), ['tool 40', 'tool 30', 'tool 20', 'kept'])
    assert.deepEqual(await names(db, other.id), ['tool 50', 'tool 40', 'tool 30', 'kept'])
    assert.equal(await deleteOldMcpCalls(db, 100), 6)
    assert.deepEqual(await names(db, one.id), ['kept'])
  })
})
