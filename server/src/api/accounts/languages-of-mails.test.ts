import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DashboardLanguage } from '@everscan/contract/schema/dashboard-languages.ts'
import type { CreatedApiKey } from '@everscan/contract/resources/api-keys.ts'
import type { User } from '@everscan/contract/resources/users.ts'
import { findUserByEmail, updateUser } from '../../catalogue/accounts/users.ts'
import { onEitherDatabase } from '../../db/testing/databases.ts'
import type { Mail } from '../../product/mails/mailer.ts'
import { openTestApi, publicUrl, somePerson, testAccountTools } from '../testing/api.ts'

const newPassword = 'another long password'

onEitherDatabase('languages of mails', (open) => {
  const start = async () => {
    const db = await open()
    const mails: Mail[] = []
    const accounts = testAccountTools({ mailer: async (mail) => mails.push(mail) > 0, signUp: 'open' })
    const api = await openTestApi(db, { accounts })
    const ada = await somePerson(db, 'Ada', { organizationId: api.orgId, role: 'ADMIN' })
    const post = async (path: string, payload: object, { wanted = 'sv', session = '' } = {}) => {
      const headers = { 'accept-language': wanted }
      const answer = await api.call('POST', path, {
        payload,
        headers,
        ...(session !== '' && { session }),
      })
      assert.ok(answer.statusCode < 300, answer.body)
    }
    return {
      db,
      api,
      ada,
      mails,
      post,
      setLanguage: async (userId: string, language: DashboardLanguage) =>
        updateUser(db, userId, { language }),
      languageOf: async (email: string) => (await findUserByEmail(db, email))?.language,
      /** Waits for the next mail, and returns its subject. */
      nextSubject: async () => {
        for (const endMs = Date.now() + 10_000; mails.length === 0;) {
          assert.ok(Date.now() < endMs, 'no mail in 10 s')
          await sleep(5)
        }
        return mails.shift()?.subject
      },
    }
  }

  test('an account has no language until its owner chooses one, and keeps it when the name changes', async () => {
    const { api, ada } = await start()
    const put = (payload: object) => api.call('PUT', '/users/me', { session: ada.session, payload })
    const read = async () => {
      const { name, language } = (await api.call('GET', '/users/me', { session: ada.session })).json<User>()
      return [name, language]
    }
    assert.deepEqual(await read(), ['Ada', null])
    const { name, language } = (await put({ language: 'de' })).json<User>()
    assert.deepEqual([name, language], ['Ada', 'de'])
    assert.equal((await put({ name: 'Ada L.' })).statusCode, 200)
    assert.deepEqual(await read(), ['Ada L.', 'de'])
    for (const wrong of [{}, { language: 'sv' }, { language: null }, { language: 'fr', name: '' }])
      assert.equal((await put(wrong)).statusCode, 400, JSON.stringify(wrong))
    assert.deepEqual(await read(), ['Ada L.', 'de'])
  })

  test('a mail to an account is in its language, else in that of the browser, else in English', async () => {
    const { ada, post, setLanguage, nextSubject } = await start()
    const reset = { email: ada.email }
    const { session } = ada
    const confirmation = '/users/me/email-confirmation'
    await post('/auth/password-reset', reset)
    assert.equal(await nextSubject(), 'Your Everscan password')
    await post('/auth/password-reset', reset, { wanted: 'fr-CA, de;q=0.5' })
    assert.equal(await nextSubject(), 'Votre mot de passe Everscan')
    await post(confirmation, {}, { wanted: 'es', session })
    assert.equal(await nextSubject(), 'Confirme su correo electrónico')
    await setLanguage(ada.userId, 'de')
    await post('/auth/password-reset', reset, { wanted: 'fr' })
    assert.equal(await nextSubject(), 'Ihr Passwort bei Everscan')
    await post(confirmation, {}, { wanted: 'fr', session })
    assert.equal(await nextSubject(), 'Bestätigen Sie Ihre E-Mail-Adresse')
    await post('/users/me/password', { currentPassword: ada.password, newPassword }, { session })
    assert.equal(await nextSubject(), 'Sicherheit Ihres Everscan-Kontos')
  })

  test('an invitation is in the language of the invited account, else of who invites, else of the browser', async () => {
    const { db, api, ada, post, setLanguage, nextSubject } = await start()
    const grace = await somePerson(db, 'Grace')
    const path = `/organizations/${api.orgId}/invitations`
    const invite = async (email: string, wanted: string) => {
      await post(path, { email }, { wanted, session: ada.session })
      return nextSubject()
    }
    assert.equal(await invite('a@example.com', 'sv'), 'Invitation to qr.example.com')
    assert.equal(await invite('a@example.com', 'es'), 'Invitación a qr.example.com')
    await setLanguage(ada.userId, 'de')
    assert.equal(await invite('a@example.com', 'es'), 'Einladung zu qr.example.com')
    assert.equal(await invite(grace.email, 'es'), 'Einladung zu qr.example.com')
    await setLanguage(grace.userId, 'fr')
    assert.equal(await invite('GRACE@example.com', 'es'), 'Invitation à rejoindre qr.example.com')
    // A program invites for the person who made its key.
    const keys = `/organizations/${api.orgId}/api-keys`
    const payload = { name: 'Program', role: 'ADMIN' }
    const made = await api.call('POST', keys, { session: ada.session, payload })
    const { key } = made.json<CreatedApiKey>()
    await api.call('POST', path, { key, payload: { email: 'b@example.com' } })
    assert.equal(await nextSubject(), 'Einladung zu qr.example.com')
  })

  test('signing up and its mail are in the language of the browser, which the account keeps', async () => {
    const { db, mails, post, languageOf, setLanguage } = await start()
    const person = { email: 'zoe@example.com', name: 'Zoe', organizationName: 'Zoo' }
    const signUp = async (wanted: string) => {
      await post('/auth/sign-up', person, { wanted })
      const { subject = '', text = '' } = mails.shift() ?? {}
      return { subject, text, token: /\/app\/confirm-sign-up#(\S+)/.exec(text)?.[1] ?? '' }
    }
    const first = await signUp('de-AT')
    assert.equal(first.subject, 'Ihr Everscan-Konto')
    assert.ok(first.text.includes(`${publicUrl}/app/`) && first.text.includes('Der Link gilt 24 Stunden:'))
    await post('/auth/sign-up/confirm', { token: first.token, password: newPassword }, { wanted: 'fr' })
    assert.equal(await languageOf(person.email), 'fr')
    // The reader confirmed the address, so the language of the account is the reader's.
    assert.match((await signUp('de')).text, /^Quelqu’un, .* qui en a déjà un\./)

    // Anybody may have created this account.
    const eve = await somePerson(db, 'Eve')
    await setLanguage(eve.userId, 'es')
    person.email = eve.email
    const taking = await signUp('de')
    assert.match(taking.text, /^Jemand, .* niemand hat bestätigt/)
    await post('/auth/sign-up/confirm', { token: taking.token, password: newPassword }, { wanted: 'sv' })
    assert.equal(await languageOf(eve.email), null)
  })

  test('an account that an invitation creates or hands over has the language of the browser', async () => {
    const { db, api, ada, mails, post, languageOf, setLanguage } = await start()
    const accept = async (email: string, wanted: string, body: object) => {
      await post(`/organizations/${api.orgId}/invitations`, { email }, { session: ada.session })
      // The owner of an account is told of its new password meanwhile.
      const tokens = mails.map(({ text }) => /\/app\/invitations#(\S+)/.exec(text)?.[1])
      const token = tokens.findLast((found) => found !== undefined)
      await post('/invitations/accept', { token, ...body }, { wanted })
    }
    const person = { name: 'Zoe', password: newPassword }
    await accept('zoe@example.com', 'de', person)
    assert.equal(await languageOf('zoe@example.com'), 'de')
    const eve = await somePerson(db, 'Eve')
    await setLanguage(eve.userId, 'es')
    await accept(eve.email, 'fr', person)
    assert.equal(await languageOf(eve.email), 'fr')
    // Whoever signs in with the password changes nothing of the account.
    const bob = await somePerson(db, 'Bob')
    await accept(bob.email, 'fr', { password: bob.password })
    assert.equal(await languageOf(bob.email), null)
  })
})
