import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createApiKey, revokeApiKey } from '../catalogue/organizations/api-keys.ts'
import { someOrganization, someOrigin } from '../catalogue/testing/catalogue.ts'
import { createSession } from '../catalogue/accounts/sessions.ts'
import { createUser, saveMember } from '../catalogue/accounts/users.ts'
import { insertPasskeys } from '../catalogue/testing/passkeys.ts'
import { forEachDatabase } from '../db/testing/databases.ts'
import { contextFor, findingOf, scratchDir, textOf } from './testing/doctor.ts'

const dayMs = 86_400_000
const nowMs = Date.UTC(2026, 10, 23)

forEachDatabase('checks of accounts and keys', (open) => {
  test('keys without expiry or use, ADMINs without a second factor, organizations without an ADMIN are reported', async () => {
    const db = await open()
    const context = contextFor({ DATA_DIR: scratchDir() }, { catalogue: async () => db, nowMs })
    const of = async (name: string) => textOf(await findingOf(name, context))
    const acme = await someOrganization(db, 'Acme')
    const made = { origin: someOrigin, nowMs: nowMs - 200 * dayMs }
    const admin = await createApiKey(db, acme.id, { name: 'Everything', role: 'ADMIN', ...made })
    await createApiKey(db, acme.id, {
      name: 'Ends',
      role: 'ADMIN',
      ...made,
      expiresAtMs: nowMs + dayMs,
      nowMs,
    })
    await createApiKey(db, acme.id, { name: 'Ended', role: 'EDITOR', ...made, expiresAtMs: nowMs - dayMs })
    const scopes = ['codes:write', 'imports'] as const
    await createApiKey(db, acme.id, { name: 'Some', role: 'ADMIN', scopes, origin: someOrigin, nowMs })
    await createApiKey(db, acme.id, { name: 'Fresh', role: 'VIEWER', origin: someOrigin, nowMs })
    assert.match(
      await of('people.admin-keys'),
      /^notice: 1 key .*forever: acme\/Everything -> \.\/everscan keys create/,
    )
    assert.match(
      await of('people.unused-keys'),
      /^notice: 1 key not used for 180 days: acme\/Everything -> .*keys revoke/,
    )
    await db.kysely
      .updateTable('api_keys')
      .set({ last_used_at_ms: nowMs - dayMs })
      .where('id', '=', admin.key.id)
      .execute()
    assert.match(await of('people.unused-keys'), /^ok/)
    await revokeApiKey(db, { organizationId: acme.id, id: admin.key.id }, { origin: someOrigin, nowMs })
    assert.equal(await of('people.admin-keys'), 'ok: none')

    assert.match(
      await of('people.admins'),
      /^warning: no account can manage acme -> \.\/everscan users create/,
    )
    const [ada, bob] = await Promise.all(
      ['ada', 'bob'].map((name) => createUser(db, { email: `${name}@example.com`, name })),
    )
    for (const [user, role] of [
      [ada, 'ADMIN'],
      [bob, 'VIEWER'],
    ] as const)
      await saveMember(db, acme.id, { userId: user?.id ?? '', role })
    assert.match(await of('people.admins'), /^ok/)
    assert.match(
      await of('people.two-factor'),
      /^notice: 1 ADMIN without one: ada@example\.com -> .*in the dashboard/,
    )
    const factor = { user_id: ada?.id ?? '', secret: 'sealed', last_step: 0, created_at_ms: 1 }
    await db.kysely
      .insertInto('two_factors')
      .values({ ...factor, confirmed_at_ms: null })
      .execute()
    assert.match(await of('people.two-factor'), /^notice/, 'an unconfirmed factor does not count')
    await db.kysely.updateTable('two_factors').set({ confirmed_at_ms: 1 }).execute()
    assert.match(await of('people.two-factor'), /^ok/)
    await db.kysely.deleteFrom('two_factors').execute()
    await insertPasskeys(db, ada?.id ?? '')
    assert.match(await of('people.two-factor'), /^ok/, 'a passkey is one')

    await createSession(db, ada?.id ?? '', { userAgent: null, nowMs: nowMs - 3 * dayMs })
    assert.equal(await of('people.sessions'), 'ok: 1 session of 2 accounts, the oldest since 2026-11-20')
  })
})

const signUpOf = async (env: Record<string, string>) =>
  textOf(await findingOf('people.sign-up', contextFor({ DATA_DIR: scratchDir(), ...env })))

test('sign-up without confirmed addresses is a warning', async () => {
  assert.equal(await signUpOf({}), 'ok: off')
  assert.match(
    await signUpOf({ SIGN_UP: 'open' }),
    /^warning: open without SMTP_URL.* -> set SMTP_URL, or SIGN_UP=off/,
  )
  assert.match(await signUpOf({ SIGN_UP: 'open', SMTP_URL: 'smtp://mail' }), /^ok: open/)
  assert.match(await signUpOf({ SIGN_UP: 'example.com', SMTP_URL: 'smtp://mail' }), /^ok: for example\.com/)
})
