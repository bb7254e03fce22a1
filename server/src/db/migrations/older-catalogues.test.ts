// Migrations that give rows of an older catalogue a meaning.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { noSource } from '../../catalogue/accounts/account-log.ts'
import { hashOfToken } from '../../catalogue/accounts/tokens.ts'
import { readAccount } from '../../catalogue/accounts/users.ts'
import { changeOperator, readOperator } from '../../catalogue/installation/operator.ts'
import { hashApiKey } from '../../catalogue/organizations/api-key-values.ts'
import { findApiKey, listApiKeys } from '../../catalogue/organizations/api-keys.ts'
import { findInvitation } from '../../catalogue/organizations/invitations.ts'
import { usePasswordReset } from '../../catalogue/organizations/password-resets.ts'
import { systemActor } from '../../catalogue/rows/change-origins.ts'
import { someOrigin } from '../../catalogue/testing/catalogue.ts'
import type { Database } from '../database.ts'
import { migrateDatabase, migrations } from './migrate.ts'
import { openDatabase } from '../open-database.ts'
import { silentLog, testPostgres } from '../testing/databases.ts'

const organizationId = 'org_1'

for (const databaseUrlOf of [async () => undefined, async () => (await testPostgres()).createDatabase()]) {
  /** Runs a test on a catalogue with an organization, and only the migrations before this one. */
  const withCatalogueBefore = async (
    migration: string,
    work: (db: Database) => Promise<void>,
  ): Promise<void> => {
    const dataDir = mkdtempSync(join(tmpdir(), 'everscan-older-catalogue-'))
    const databaseUrl = await databaseUrlOf()
    const db = await openDatabase({ dataDir, databaseUrl, role: 'writer', log: silentLog })
    try {
      await migrateDatabase(
        db,
        migrations.filter(({ name }) => name < migration),
      )
      await sql`
        insert into organizations (id, name, slug, created_at_ms, updated_at_ms)
        values (${organizationId}, 'Acme', 'acme', 1, 1)
      `.execute(db.kysely)
      await work(db)
    } finally {
      await db.close()
      rmSync(dataDir, { recursive: true })
    }
  }

  test('the operator is the oldest organization that did not come by an archive, and is no demo', () =>
    withCatalogueBefore('0064', async (db) => {
      const { kysely } = db
      const organization = async (id: string, createdAtMs: number, demo: string | null = null) =>
        sql`
          insert into organizations (id, name, slug, demo, created_at_ms, updated_at_ms)
          values (${id}, ${id}, ${id}, ${demo}, ${createdAtMs}, ${createdAtMs})
        `.execute(kysely)
      const joins = async (id: string, atMs: number) => {
        await sql`
          insert into users (id, email, name, password_hash, created_at_ms)
          values (${`usr_${id}`}, ${`${id}@example.com`}, ${id}, 'x', ${atMs})
        `.execute(kysely)
        await sql`
          insert into members (organization_id, user_id, role, created_at_ms)
          values (${id}, ${`usr_${id}`}, 'ADMIN', ${atMs})
        `.execute(kysely)
      }
      const imports = async (id: string, atMs: number) =>
        sql`
          insert into jobs (organization_id, id, kind, status, input, progress, attempts, run_at_ms,
            lease_number, created_at_ms, updated_at_ms, completed_at_ms)
          values (${id}, ${`job_${id}`}, 'archive', 'COMPLETED', '{}', '{}', 0, ${atMs}, 0, ${atMs}, ${atMs}, ${atMs})
        `.execute(kysely)
      // The one of the set-up has the time 1. It came by an archive, like its first ADMIN.
      await joins(organizationId, 9_000)
      await imports(organizationId, 9_000)
      await organization('org_demo', 2, '{}')
      // It was here before an archive filled it.
      await organization('org_filled', 3_000)
      await joins('org_filled', 3_000)
      await imports('org_filled', 5_000)
      await organization('org_later', 4_000)
      await joins('org_later', 4_000)
      await migrateDatabase(db)
      assert.deepEqual(await readOperator(db), { id: 'org_filled', name: 'org_filled', slug: 'org_filled' })
      await changeOperator(db, { id: 'org_later', name: 'Later' }, { origin: someOrigin, nowMs: 10_000 })
      assert.equal((await readOperator(db))?.id, 'org_later')
      const audited = await kysely.selectFrom('audit_log').select(['organization_id', 'fields']).execute()
      assert.deepEqual(audited.map((entry) => `${entry.organization_id} ${entry.fields}`).toSorted(), [
        'org_filled operator',
        'org_later operator',
      ])
    }))

  test('if every organization came by an archive, none is the operator', () =>
    withCatalogueBefore('0064', async (db) => {
      await sql`
        insert into jobs (organization_id, id, kind, status, input, progress, attempts, run_at_ms,
          lease_number, created_at_ms, updated_at_ms, completed_at_ms)
        values (${organizationId}, 'job_1', 'archive', 'COMPLETED', '{}', '{}', 0, 5, 0, 5, 5, 5)
      `.execute(db.kysely)
      await migrateDatabase(db)
      assert.equal(await readOperator(db), undefined)
    }))

  test('keys of an older catalogue get their makers from the audit log', () =>
    withCatalogueBefore('0020', async (db) => {
      const { kysely } = db
      for (const [id, atMs] of [
        ['key_1', 3],
        ['key_2', 2],
        ['key_3', 1],
      ])
        await sql`
          insert into api_keys (organization_id, id, name, role, prefix, hash, created_at_ms)
          values (${organizationId}, ${id}, 'x', 'ADMIN', 'evs_', ${id}, ${atMs})
        `.execute(kysely)
      const name = 'O\'Neil "CI" \\ Ä'
      for (const [id, action, kind, actorId, target] of [
        ['aud_1', 'api-key.create', 'api-key', 'key_0', 'key_1'],
        ['aud_2', 'api-key.create', 'system', null, 'key_2'],
        ['aud_3', 'api-key.revoke', 'user', 'usr_1', 'key_1'],
      ])
        await sql`
          insert into audit_log
            (organization_id, id, action, actor_kind, actor_id, actor_name, target_id, fields, via, country, created_at_ms)
          values
            (${organizationId}, ${id}, ${action}, ${kind}, ${actorId}, ${name}, ${target}, '', 'api', 'XX', 1)
        `.execute(kysely)
      await migrateDatabase(db)
      const { rows } = await listApiKeys(db, organizationId, { page: 1, limit: 10 })
      assert.deepEqual(
        rows.map(({ madeBy }) => madeBy),
        // The creation of the third is not in the log.
        [{ kind: 'api-key', id: 'key_0', name }, { kind: 'system', id: null, name }, systemActor],
      )
    }))

  test('keys of an older catalogue keep working, everywhere and for all that their role allows', () =>
    withCatalogueBefore('0021', async (db) => {
      const value = 'a-key-of-an-older-release-with-any-form'
      await sql`
        insert into api_keys (organization_id, id, name, role, prefix, hash, created_at_ms)
        values (${organizationId}, 'key_1', 'x', 'EDITOR', 'evs_', ${hashApiKey(value)}, 1)
      `.execute(db.kysely)
      await migrateDatabase(db)
      const found = await findApiKey(db, value)
      assert.deepEqual(
        [found?.state, found?.key.role, found?.key.scopes, found?.key.networks],
        ['VALID', 'EDITOR', null, null],
      )
    }))

  test('accounts of an older catalogue with an active second factor count as confirmed, and its links prove nothing', () =>
    withCatalogueBefore('0025', async (db) => {
      const { kysely } = db
      const token = 'a-link-of-an-older-release'
      const tokenHash = hashOfToken(token)
      for (const id of ['usr_plain', 'usr_begun', 'usr_app', 'usr_key'])
        await sql`
          insert into users (id, email, name, created_at_ms) values (${id}, ${id}, 'Ada', 1)
        `.execute(kysely)
      for (const [id, confirmedAtMs] of [
        ['usr_begun', null],
        ['usr_app', 2],
      ])
        await sql`
          insert into two_factors (user_id, secret, last_step, created_at_ms, confirmed_at_ms)
          values (${id}, 's', 0, 1, ${confirmedAtMs})
        `.execute(kysely)
      await sql`
        insert into passkeys
          (id, user_id, credential_id, public_key, counter, transports, backed_up, name, created_at_ms)
        values ('psk_1', 'usr_key', 'c', 'p', 0, '[]', 0, 'Phone', 1)
      `.execute(kysely)
      await sql`
        insert into password_resets (token_hash, user_id, made_by, created_at_ms, expires_at_ms)
        values (${tokenHash}, 'usr_plain', null, 1, 10)
      `.execute(kysely)
      await sql`
        insert into invitations
          (organization_id, id, email, role, token_hash, invited_by, created_at_ms, expires_at_ms)
        values (${organizationId}, 'inv_1', 'usr_plain', 'VIEWER', ${tokenHash}, '{}', 1, 10)
      `.execute(kysely)

      const beforeMs = Date.now()
      await migrateDatabase(db)
      const confirmedAtMs = async (id: string) => (await readAccount(db, id))?.emailConfirmedAtMs
      assert.deepEqual([await confirmedAtMs('usr_plain'), await confirmedAtMs('usr_begun')], [null, null])
      for (const id of ['usr_app', 'usr_key']) {
        const atMs = await confirmedAtMs(id)
        // SQLite counts whole seconds here.
        assert.ok(typeof atMs === 'number' && Math.abs(atMs - beforeMs) < 60_000, `${id}: ${atMs}`)
      }
      assert.equal((await findInvitation(db, token, 2))?.isMailed, false)
      const used = { token, newPassword: 'another long password', source: noSource, nowMs: 2 }
      assert.deepEqual((await usePasswordReset(db, used))?.actions, ['password-reset.use'])
      assert.equal(await confirmedAtMs('usr_plain'), null)
    }))
}
