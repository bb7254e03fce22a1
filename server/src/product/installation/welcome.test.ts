import assert from 'node:assert/strict'
import { test } from 'node:test'
import { welcome } from './welcome.ts'

const made = {
  organizationId: 'org_1',
  email: 'ada@example.com',
  password: 'made password',
  apiKey: 'made key',
}
const publicUrl = 'https://go.example.com'
const set = { bootstrapPassword: undefined, bootstrapApiKey: undefined, publicUrl }

test('generated credentials are printed once, with a working curl command; those of the operator are not', () => {
  const all = welcome(set, made)
  assert.match(
    all,
    /Password +made password\n.*API key +made key\n.*The password and key are shown only this once/s,
  )
  assert.match(all, /-H 'X-API-Key: made key'/)

  const own = welcome({ ...set, bootstrapPassword: 'made password', bootstrapApiKey: 'made key' }, made)
  assert.ok(
    !own.includes('made password') && !own.includes('made key') && !own.includes('shown only this once'),
  )
  assert.match(own, /-H "X-API-Key: \$BOOTSTRAP_API_KEY"/)

  const ownPassword = welcome({ ...set, bootstrapPassword: 'made password' }, made)
  assert.ok(!ownPassword.includes('made password'))
  assert.match(ownPassword, /API key +made key\n.*The key is shown only this once: store it/s)
  const ownKey = welcome({ ...set, bootstrapApiKey: 'made key' }, made)
  assert.ok(!ownKey.includes('made key'))
  assert.match(ownKey, /The password is shown only this once: store it/)
})

test('the first start of a trial has a code: its picture in a terminal, its address in a log', () => {
  const example = { url: 'http://192.168.178.20:3000/7K3QX9A', drawing: '█▀▄\n' }
  const inTerminal = welcome(set, made, { example, isTerminal: true })
  assert.match(
    inTerminal,
    /Scan this with a phone .*\n\n█▀▄\n\n {2}http:\/\/192\.168\.178\.20:3000\/7K3QX9A\n/,
  )
  const inLog = welcome(set, made, { example })
  assert.match(inLog, /Open http:\/\/192\.168\.178\.20:3000\/7K3QX9A on a phone/)
  assert.ok(!inLog.includes('█'))
})

test('later starts print only the address of the dashboard', () => {
  assert.equal(welcome(set, undefined), `\nEverscan is starting.\n\n  Dashboard    ${publicUrl}/app\n\n`)
})
