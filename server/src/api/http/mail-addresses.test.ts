import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ErrorBody } from '@everscan/contract/schema/errors.ts'
import { onEitherDatabase } from '../../db/testing/databases.ts'
import { openTestApi, somePerson, testAccountTools } from '../testing/api.ts'

onEitherDatabase('addresses of mails', (open) => {
  test('400 for an address that mail cannot reach, wherever one is taken; the field is named', async () => {
    const db = await open()
    const accounts = testAccountTools({ mailer: async () => true, signUp: 'open' })
    const api = await openTestApi(db, { accounts })
    const { session } = await somePerson(db, 'Ada', { organizationId: api.orgId, role: 'ADMIN' })
    const paths = {
      [`/organizations/${api.orgId}/invitations`]: (email: string) => ({ email }),
      [`/organizations/${api.orgId}/views`]: (email: string) => ({
        name: 'Posters',
        mail: { to: [email], every: 'week' },
      }),
      '/auth/sign-up': (email: string) => ({ email, name: 'Bob', organizationName: 'B' }),
    }
    for (const [path, bodyOf] of Object.entries(paths))
      for (const address of ['<a@b>', 'root@[127.0.0.1]', 'root@127.0.0.1', 'a@b,c@d', 'a..b@example.com']) {
        const answer = await api.call('POST', path, { session, payload: bodyOf(address) })
        assert.equal(answer.statusCode, 400, `${path} ${address}`)
        const [detail] = answer.json<ErrorBody>().details ?? []
        assert.equal(detail?.message, 'must be an e-mail address')
        assert.match(detail?.path ?? '', /^email$|^mail\.to\[0\]$/)
      }
  })

  test('an account with an address of an earlier release can still sign in', async () => {
    const db = await open()
    const api = await openTestApi(db)
    const { userId, password } = await somePerson(db, 'Ada', { organizationId: api.orgId, role: 'ADMIN' })
    await db.kysely.updateTable('users').set({ email: '<a@b>' }).where('id', '=', userId).execute()
    const answer = await api.call('POST', '/auth/sign-in', { payload: { email: '<a@b>', password } })
    assert.equal(answer.statusCode, 200, answer.body)
  })
})
