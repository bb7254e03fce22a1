import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onSqlite } from '../db/testing.ts'
import { openTestApi, testAccountTools } from './testing.ts'

const mailer = async () => true

onSqlite('what people can do by themselves', (open) => {
  test('is told to everybody: sign up, get mails', async () => {
    const cases = [
      [{}, { signUp: false, mails: false }],
      [{ signUp: 'open' }, { signUp: true, mails: false }],
      [
        { signUp: ['example.com'], mailer },
        { signUp: true, mails: true },
      ],
      [{ mailer }, { signUp: false, mails: true }],
    ] as const
    for (const [tools, expected] of cases) {
      const api = await openTestApi(await open(), { accounts: testAccountTools(tools) })
      assert.deepEqual((await api.call('GET', '/auth/options')).json(), expected)
    }
  })
})
