import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashPassword } from '../catalogue/accounts/passwords.ts'
import { PasswordThreads } from './password-threads.ts'

test('passwords are checked on threads, several at once, and each answer is that of its question', async (t) => {
  const threads = new PasswordThreads(2)
  t.after(() => threads.close())
  const passwords = ['open sesame', 'ouvre-toi', 'öffne dich']
  const hashes = await Promise.all(passwords.map((password) => hashPassword(password)))
  const asked = passwords.flatMap((password, i) => hashes.map((hash, j) => ({ password, hash, is: i === j })))
  const answers = await Promise.all(asked.map(({ password, hash }) => threads.verify(password, hash)))
  assert.deepEqual(
    answers,
    asked.map(({ is }) => is),
  )
  assert.equal(await threads.verify('open sesame', 'no hash'), false)
})

test('a question to threads that end is rejected, and the next one starts others', async (t) => {
  const threads = new PasswordThreads(1)
  t.after(() => threads.close())
  const hash = await hashPassword('open sesame')
  const asked = threads.verify('open sesame', hash)
  await Promise.all([threads.close(), assert.rejects(asked, /the thread that checks passwords ended/)])
  assert.equal(await threads.verify('open sesame', hash), true)
})
