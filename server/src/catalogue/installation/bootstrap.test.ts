import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forEachDatabase } from '../../db/testing/databases.ts'
import { createApiKeyValue } from '../organizations/api-key-values.ts'
import { findApiKey } from '../organizations/api-keys.ts'
import { bootstrap } from './bootstrap.ts'
import { operatorOrganization } from './operator.ts'
import { listOrganizationsOfUser, readOrganization } from '../organizations/organizations.ts'
import { verifyPassword } from '../accounts/passwords.ts'
import { findUserByEmail } from '../accounts/users.ts'

const options = { organizationName: 'My organization', email: 'Admin@localhost' }

forEachDatabase('the first start', (open) => {
  test('creates a working organization, account and key; the second start creates nothing', async () => {
    const db = await open()
    const made = await bootstrap(db, options)
    assert.ok(made)
    assert.match(made.apiKey, /^evs_[0-9A-Za-z]{38}$/)
    const organization = await readOrganization(db, made.organizationId)
    assert.equal(organization?.slug, 'my-organization')
    assert.equal(await operatorOrganization(db), made.organizationId)
    const found = await findApiKey(db, made.apiKey)
    assert.equal(found?.state, 'VALID')
    assert.equal(found.key.role, 'ADMIN')
    assert.equal(found.key.organizationId, made.organizationId)
    const user = await findUserByEmail(db, ' ADMIN@LOCALHOST ')
    assert.equal(user?.id, made.userId)
    assert.equal(await verifyPassword(made.password, user.passwordHash ?? ''), true)
    assert.equal(await verifyPassword(`${made.password}x`, user.passwordHash ?? ''), false)
    const mine = await listOrganizationsOfUser(db, made.userId)
    assert.deepEqual(mine, [{ ...organization, role: 'ADMIN' }])
    assert.equal(await bootstrap(db, options), undefined)
  })

  test('uses the key and the password that the operator chose', async () => {
    const db = await open()
    const made = await bootstrap(db, {
      ...options,
      apiKey: 'operators-own-key-1-as-long-as-it-must-be',
      password: 'correct horse',
    })
    assert.equal(made?.password, 'correct horse')
    const found = await findApiKey(db, 'operators-own-key-1-as-long-as-it-must-be')
    assert.equal(found?.state, 'VALID')
    assert.equal(found.key.prefix, 'oper')
    assert.equal(await findApiKey(db, 'operators-own-key-2'), undefined)
  })

  test('rejects a short key and a password that is easy to guess, and creates nothing', async () => {
    const db = await open()
    await assert.rejects(bootstrap(db, { ...options, apiKey: 'changeme' }), /at least 32 characters, got 8/)
    await assert.rejects(
      bootstrap(db, { ...options, password: 'password12' }),
      /BOOTSTRAP_PASSWORD: must not be one of the most common/,
    )
    assert.notEqual(await bootstrap(db, options), undefined)
    // Once there is an installation, these settings are not used.
    assert.equal(await bootstrap(db, { ...options, apiKey: 'changeme' }), undefined)
  })

  test('rejects a key in our format with a wrong checksum, which could never be used', async () => {
    const value = createApiKeyValue()
    const apiKey = `${value.slice(0, -1)}${value.at(-1) === 'a' ? 'b' : 'a'}`
    await assert.rejects(bootstrap(await open(), { ...options, apiKey }), /BOOTSTRAP_API_KEY: must not look/)
  })

  test('creates one organization even if two processes start at once', async () => {
    const db = await open()
    const other = await open({ same: db })
    const made = await Promise.all([db, other, db, other].map((each) => bootstrap(each, options)))
    assert.equal(made.filter((each) => each !== undefined).length, 1)
    const rows = await db.kysely.selectFrom('organizations').select('id').execute()
    assert.equal(rows.length, 1)
  })
})
