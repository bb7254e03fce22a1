import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BegunTwoFactor, RecoveryCodes } from '@everscan/contract/resources/two-factor.ts'
import { Secret, TOTP } from 'otpauth'
import { createPasswordReset } from '../../catalogue/organizations/password-resets.ts'
import { systemActor } from '../../catalogue/rows/change-origins.ts'
import { onEitherDatabase } from '../../db/testing/databases.ts'
import { createLog } from '../../log.ts'
import type { Mail, Mailer } from '../../product/mails/mailer.ts'
import { openTestApi, publicUrl, somePerson, testAccountTools } from '../testing/api.ts'

const atMs = Date.parse('2026-03-01T09:30:00.000Z')
const newPassword = 'another long password'

onEitherDatabase('mails to the owner of an account', (open) => {
  const start = async (mailer?: Mailer) => {
    const db = await open()
    const clock = { nowMs: atMs }
    const lines: string[] = []
    const log = createLog({ level: 'info', role: 'api' }, { write: (line) => lines.push(line) })
    const accounts = testAccountTools({ mailer })
    const api = await openTestApi(db, { accounts, log, clock: () => clock.nowMs })
    const ada = await somePerson(db, 'Ada')
    // The session has to live at the time of this clock.
    const times = { created_at_ms: atMs, last_used_at_ms: atMs, expires_at_ms: atMs + 86_400_000 }
    await db.kysely.updateTable('sessions').set(times).execute()
    const currentPassword = ada.password
    const call = (method: 'POST' | 'DELETE', path: string, payload: object) => {
      const headers = { 'x-forwarded-for': '203.0.113.77', 'user-agent': 'Call 555-1234 now' }
      const session = path.startsWith('/auth') ? {} : { session: ada.session }
      return api.call(method, path, { payload, headers, ...session })
    }
    const turnOn = async () => {
      const begun = await call('POST', '/users/me/two-factor', { currentPassword })
      const { secret } = begun.json<BegunTwoFactor>()
      const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.nowMs })
      const answer = await call('POST', '/users/me/two-factor/confirm', { code })
      assert.equal(answer.statusCode, 200, answer.body)
      return answer.json<RecoveryCodes>().recoveryCodes
    }
    return { db, api, ada, clock, lines, call, turnOn, currentPassword }
  }

  test('each change that only the owner should make is mailed, once, with time, network and advice', async () => {
    const mails: Mail[] = []
    const { db, ada, call, clock, turnOn, currentPassword } = await start(
      async (mail) => mails.push(mail) > 0,
    )
    const [first, second] = await turnOn()
    const twoFactor = '/users/me/two-factor'
    const signIn = { email: ada.email, password: ada.password }
    assert.equal((await call('POST', '/auth/sign-in', { ...signIn, recoveryCode: first })).statusCode, 200)
    assert.equal((await call('POST', '/auth/sign-in', { ...signIn, recoveryCode: first })).statusCode, 401)
    const renewed = await call('POST', `${twoFactor}/recovery-codes`, { currentPassword })
    const [recoveryCode] = renewed.json<RecoveryCodes>().recoveryCodes
    const off = (code = '') => call('DELETE', twoFactor, { currentPassword, recoveryCode: code })
    assert.deepEqual([(await off(second)).statusCode, (await off(recoveryCode)).statusCode], [400, 200])
    assert.equal((await call('POST', '/auth/sign-in', signIn)).statusCode, 200)
    const reset = { userId: ada.userId, actor: systemActor, nowMs: clock.nowMs }
    const { token } = await createPasswordReset(db, reset)
    const change = { currentPassword, newPassword }
    assert.equal((await call('POST', '/users/me/password', change)).statusCode, 200)
    assert.equal((await call('POST', '/auth/password-reset/confirm', { token, newPassword })).statusCode, 404)
    const again = await createPasswordReset(db, reset)
    const used = { token: again.token, newPassword: ada.password }
    assert.equal((await call('POST', '/auth/password-reset/confirm', used)).statusCode, 200)
    await until(() => mails.length >= 7)
    await sleep(50)
    assert.deepEqual(mails.map(({ text }) => text.replace(/\n[^]*/, '')).toSorted(), [
      'A recovery code was used to confirm a change of your Everscan account.',
      'A recovery code was used to sign in to your Everscan account.',
      'The password of your Everscan account was changed.',
      'The password of your Everscan account was replaced, through a link.',
      'The recovery codes of your Everscan account were replaced.',
      'Two-factor sign-in was turned off for your Everscan account.',
      'Two-factor sign-in was turned on for your Everscan account.',
    ])
    for (const { to, text } of mails) {
      assert.equal(to, ada.email)
      assert.match(
        text,
        /\nIt happened on 1 March 2026 at 09:30 \(UTC\), from the network 203\.0\.113\.0\/24\.\n/,
      )
      assert.ok(text.includes(`\n${publicUrl}/app\n`) && text.includes('set a new password now'))
      assert.ok(!text.includes('203.0.113.77') && !text.includes('555-1234'), text)
    }
  })

  test('a mail server that refuses, breaks or hangs never fails the change or delays it; the log says so', async () => {
    for (const mailer of [refuses, breaks, hangs]) {
      const { lines, turnOn } = await start(mailer)
      assert.equal((await turnOn()).length, 10)
      if (mailer !== hangs)
        await until(() => lines.join('').includes('the owner of an account was not mailed'))
      assert.ok(!lines.join('').includes('ada@example.com'))
    }
  })

  test('without a mail server nothing is sent or missed', async () => {
    const { lines, turnOn } = await start()
    assert.equal((await turnOn()).length, 10)
    await sleep(20)
    assert.ok(!lines.join('').includes('mailed'))
  })

  test('at most 20 mails a minute go to one account, and the log says that others are missing', async () => {
    const mails: Mail[] = []
    const { call, lines, clock, turnOn, currentPassword } = await start(async (mail) => mails.push(mail) > 0)
    await turnOn()
    const renew = () => call('POST', '/users/me/two-factor/recovery-codes', { currentPassword })
    for (let i = 0; i < 21; i++) assert.equal((await renew()).statusCode, 200)
    await until(() => mails.length >= 20)
    await sleep(20)
    assert.equal(mails.length, 20)
    assert.equal(lines.filter((line) => line.includes('too many mails')).length, 2)
    clock.nowMs += 60_000
    await renew()
    await until(() => mails.length === 21)
  })
})

const refuses: Mailer = async () => false
const breaks: Mailer = async () => {
  throw new Error('broken')
}
const hangs: Mailer = () => new Promise(() => undefined)

async function until(isTrue: () => boolean): Promise<void> {
  for (const endMs = Date.now() + 10_000; !isTrue();) {
    assert.ok(Date.now() < endMs, 'not within 10 s')
    await sleep(5)
  }
}
