import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onSqlite } from '../../db/testing/databases.ts'
import { openTestApi, testAccountTools, testConfig } from '../testing/api.ts'

const mailer = async () => true

onSqlite('what people can do without an account', (open) => {
  test('is public: whether they can sign up, get mails and use passkeys, and how long scans are stored', async () => {
    const cases = [
      [{}, { signUp: false, mails: false, passkeys: true, retentionDays: null }],
      [{ signUp: 'open' }, { signUp: true, mails: false, passkeys: true, retentionDays: null }],
      [
        { signUp: ['example.com'], mailer },
        { signUp: true, mails: true, passkeys: true, retentionDays: null },
      ],
      [{ mailer }, { signUp: false, mails: true, passkeys: true, retentionDays: null }],
    ] as const
    for (const [tools, expected] of cases) {
      const api = await openTestApi(await open(), { accounts: testAccountTools(tools) })
      assert.deepEqual((await api.call('GET', '/auth/options')).json(), expected)
    }
    const config = { ...testConfig, retentionDays: 90 }
    const api = await openTestApi(await open(), { config })
    assert.equal((await api.call('GET', '/auth/options')).json().retentionDays, 90)
  })
})
