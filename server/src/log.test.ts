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

test('a line is one JSON object with its time in UTC, whatever a text contains', () => {
  const lines: string[] = []
  const log = createLog({ level: 'info', role: 'tests' }, { write: (line) => void lines.push(line) })
  const forged = 'a\n{"level":"info","msg":"forged"}\r\u2028\u001b[31m'
  log.info({ route: forged }, forged)
  assert.equal(lines.length, 1)
  assert.equal(lines[0]?.trimEnd().includes('\n'), false)
  const { route, msg, role, time } = JSON.parse(lines[0] ?? '') as Record<string, string>
  assert.deepEqual([route, msg, role], [forged, forged, 'tests'])
  assert.equal(new Date(time ?? '').toISOString(), time)
})
