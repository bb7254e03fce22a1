import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readInstallationNotes, ensureInstallation } from '../../db/installation.ts'
import { forEachDatabase } from '../../db/testing/databases.ts'
import { createApiKey, findApiKey, revokeApiKey } from '../organizations/api-keys.ts'
import { listAuditLog } from '../ledger/audit-log.ts'
import { someOrganization, someOrigin } from '../testing/catalogue.ts'
import { keysSince, latestKeys } from './known-keys.ts'
import { afterOlderCatalogue } from './older-catalogue.ts'
import { recordFoundScans } from '../ledger/system-entries.ts'

const hourMs = 3_600_000
const everyEntry = { page: 1, limit: 50 }

forEachDatabase('a restored older catalogue', (open) => {
  test('has no valid key that was revoked since, and lists the key changes that it lacks', async () => {
    const db = await open()
    await ensureInstallation(db)
    const { id: organizationId } = await someOrganization(db)
    const { id: otherId } = await someOrganization(db, 'Other')
    const make = (name: string, organization = organizationId) =>
      createApiKey(db, organization, { name, role: 'EDITOR', origin: someOrigin })
    const leaked = await make('Leaked')
    const leakedToo = await make('Leaked too', otherId)
    const used = await make('Used')
    const idle = await make('Idle')
    const copy = await db.kysely.selectFrom('api_keys').selectAll().execute()
    for (const { key } of [leaked, leakedToo]) await revokeApiKey(db, key, { origin: someOrigin, nowMs: 50 })
    await findApiKey(db, used.value, { nowMs: 90_000 })
    const made = await make('Made since')
    await findApiKey(db, made.value, { nowMs: 90_000 })
    const madeAndRevoked = await make('Made and revoked since')
    await revokeApiKey(db, madeAndRevoked.key, { origin: someOrigin })
    // Uses are recorded in the background.
    const isNoted = async () =>
      (await latestKeys(db, 100)).filter((key) => key.lastUsedAtMs === 90_000).length === 2
    for (const endMs = Date.now() + 30_000; !(await isNoted());) assert.ok(Date.now() < endMs)
    const known = await latestKeys(db, 100)
    assert.equal((await latestKeys(db, 1)).length, 2)
    assert.deepEqual(await keysSince(db, known), { revokedAgain: [], usedSince: [], madeSince: [] })

    await db.kysely.deleteFrom('api_keys').execute()
    await db.kysely.insertInto('api_keys').values(copy).execute()
    const entriesBefore = (await listAuditLog(db, otherId, everyEntry)).total
    const { epoch, ...keys } = await afterOlderCatalogue(db, { known, nowMs: 1000 })

    assert.equal(epoch, 2)
    const named = ({ key: { organizationId: of, id, prefix, name } }: typeof used) => {
      return { organizationId: of, id, prefix, name }
    }
    const sorted = keys.revokedAgain.toSorted((a, b) => (a.id < b.id ? -1 : 1))
    assert.deepEqual(sorted, [named(leaked), named(leakedToo)])
    assert.deepEqual(keys.usedSince, [named(used)])
    const { name: _, ...unnamed } = named(made)
    assert.deepEqual(keys.madeSince, [unnamed])
    const [note] = await readInstallationNotes(db)
    assert.deepEqual([note?.kind, note?.detail], ['keys-since', keys])

    for (const { value } of [leaked, leakedToo])
      assert.equal((await findApiKey(db, value, { nowMs: 2000 }))?.state, 'REVOKED')
    for (const { value } of [used, idle])
      assert.equal((await findApiKey(db, value, { nowMs: 2000 }))?.state, 'VALID')
    const { rows, total } = await listAuditLog(db, otherId, everyEntry)
    assert.equal(total, entriesBefore + 2)
    const bySystem = rows.filter(({ origin }) => origin.via === 'system')
    assert.deepEqual(bySystem.map(({ action, target }) => `${action} ${target.name}`).toSorted(), [
      'api-key.revoke Leaked too',
      'catalogue.restore Other',
    ])
  })

  test('is recorded once in every audit log when it is found twice within the hour', async () => {
    const db = await open()
    await ensureInstallation(db)
    const organizations = [await someOrganization(db), await someOrganization(db, 'Other')]
    for (const nowMs of [hourMs, 1.5 * hourMs, 2.5 * hourMs])
      await afterOlderCatalogue(db, { known: [], nowMs })
    for (const { id } of organizations) {
      const { rows } = await listAuditLog(db, id, { ...everyEntry, action: 'catalogue.restore' })
      assert.deepEqual(
        rows.map(({ target, createdAtMs }) => [target.id, createdAtMs]),
        [
          [id, 2.5 * hourMs],
          [id, hourMs],
        ],
      )
    }
    assert.deepEqual(await readInstallationNotes(db), [])
  })

  test('the result of a comparison is in the audit log of each organization with its own number', async () => {
    const db = await open()
    const { id: one } = await someOrganization(db)
    const { id: other } = await someOrganization(db, 'Other')
    const found = {
      recounted: [
        { organizationId: one, scans: 7 },
        { organizationId: other, scans: -2 },
        { organizationId: 'org_deleted', scans: 9 },
      ],
      putBack: [{ organizationId: one, scans: 5 }],
      lost: [{ organizationId: other, scans: 3 }],
    }
    await recordFoundScans(db, found, 1000)
    const entriesOf = async (organizationId: string) =>
      (await listAuditLog(db, organizationId, everyEntry)).rows
        .filter(({ action }) => action.startsWith('scans.'))
        .map(({ action, target, origin }) => `${action} ${target.id} ${target.name} ${origin.actor.kind}`)
        .toSorted()
    assert.deepEqual(await entriesOf(one), [
      `scans.put-back ${one} 5 system`,
      `scans.recount ${one} +7 system`,
    ])
    assert.deepEqual(await entriesOf(other), [
      `scans.lost ${other} 3 system`,
      `scans.recount ${other} -2 system`,
    ])
  })
})
