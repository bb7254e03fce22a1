import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from './log.ts'

test('keys, cookies, passwords and tokens never reach a log, at any depth', () => {
  const lines: string[] = []
  const log = createLog({ level: 'info', role: 'tests' }, { write: (line) => void lines.push(line) })
  const marked = 'canary-of-this-test'
  const headers = { cookie: marked, 'set-cookie': marked, 'x-api-key': marked, authorization: marked }
  const body = {
    password: marked,
    currentPassword: marked,
    newPassword: marked,
    recoveryCode: marked,
    token: marked,
    secret: marked,
  }
  log.info({ headers, password: marked, token: marked, secret: marked }, 'top')
  log.info({ request: { headers }, body }, 'below')
  assert.equal(lines.length, 2)
  assert.ok(!lines.join('').includes(marked), lines.join(''))
})
