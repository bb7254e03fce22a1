import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limits } from '@everscan/contract/schema/limits.ts'
import type { AddedPasskey, PasskeyPage } from '@everscan/contract/resources/passkeys.ts'
import type { ErrorBody } from '@everscan/contract/schema/errors.ts'
import type { User } from '@everscan/contract/resources/users.ts'
import { seededRandom } from '@everscan/contract/testing/random.ts'
import { deleteUser } from '../../catalogue/organizations/delete-user.ts'
import { commandOrigin } from '../../catalogue/rows/change-origins.ts'
import { noSource } from '../../catalogue/accounts/account-log.ts'
import { addPasskey, listPasskeys } from '../../catalogue/accounts/passkeys.ts'
import { createSession, endSession, noteConfirmation } from '../../catalogue/accounts/sessions.ts'
import { insertPasskeys } from '../../catalogue/testing/passkeys.ts'
import { onEitherDatabase, onSqlite } from '../../db/testing/databases.ts'
import { createLog } from '../../log.ts'
import { openTestApi, publicUrl, somePerson, testConfig } from '../testing/api.ts'
import { callsOf, openPasskeyApi } from '../testing/passkeys.ts'
import { createPasskey, encodeCbor, type Deviation } from '../testing/software-authenticator.ts'

const hourMs = 3_600_000

onEitherDatabase('passkeys of an account', (open) => {
  test('adding: options need the password; the first passkey comes with recovery codes, later ones without', async () => {
    const { db, api, ada, clock, me, begin, add } = await openPasskeyApi(await open())
    const wrong = await me('POST', '/options', { currentPassword: 'wrong wrong wrong' })
    assert.deepEqual([wrong.statusCode, wrong.json<ErrorBody>().details?.[0]?.path], [400, 'currentPassword'])
    const options = await begin()
    assert.deepEqual(options.rp, { id: 'qr.example.com', name: 'Everscan' })
    assert.deepEqual([options.user.name, options.user.displayName], [ada.email, 'Ada'])
    assert.equal(options.authenticatorSelection.userVerification, 'required')
    assert.deepEqual(options.excludeCredentials, [])
    const made = createPasskey(options, { backedUp: true })
    const answer = await add(made.registration)
    assert.equal(answer.statusCode, 201, answer.body)
    const { passkey, recoveryCodes } = answer.json<AddedPasskey>()
    assert.deepEqual(passkey, {
      id: passkey.id,
      name: 'Phone',
      backedUp: true,
      createdAt: new Date(clock.nowMs).toISOString(),
      lastUsedAt: null,
    })
    assert.equal(new Set(recoveryCodes).size, limits.recoveryCodes)

    const again = await begin()
    const [known, ...others] = again.excludeCredentials
    assert.deepEqual(
      [known?.id, known?.transports, others],
      [made.registration.id, ['internal', 'hybrid'], []],
    )
    const second = await add(createPasskey(again).registration, { name: 'Key' })
    assert.equal(second.json<AddedPasskey>().recoveryCodes, null, second.body)
    const stored = await db.kysely.selectFrom('recovery_codes').selectAll().execute()
    assert.equal(stored.length, limits.recoveryCodes)
    const user = (await api.call('GET', '/users/me', { session: ada.session })).json<User>()
    assert.deepEqual([user.twoFactor, user.authenticator], [true, false])
  })

  test('a slow request adds no passkey after its session has ended', async () => {
    const { db, ada, clock } = await openPasskeyApi(await open())
    const { userId, sessionId } = ada
    const add = (challengeId: string) =>
      addPasskey(db, {
        userId,
        sessionId,
        name: 'Phone',
        credentialId: challengeId,
        publicKey: 'p',
        counter: 0,
        transports: [],
        backedUp: false,
        challenge: { id: challengeId, expiresAtMs: clock.nowMs + hourMs },
        source: noSource,
        nowMs: clock.nowMs,
      })
    assert.equal(typeof (await add('a')), 'object')
    await endSession(db, { userId, id: sessionId }, { source: noSource, nowMs: clock.nowMs })
    assert.equal(await add('b'), 'SESSION_ENDED')
    assert.equal((await listPasskeys(db, userId)).length, 1)
  })

  test('passkeys with keys of every offered algorithm sign in', async () => {
    const { begin, added, signIn, signInOptions } = await openPasskeyApi(await open())
    assert.deepEqual(
      (await begin()).pubKeyCredParams.map(({ alg }) => alg),
      [-8, -7, -257],
    )
    for (const algorithm of ['ES256', 'EdDSA', 'RS256'] as const) {
      const passkey = await added({ algorithm })
      const answer = await signIn(passkey.use(await signInOptions()))
      assert.equal(answer.statusCode, 200, `${algorithm}: ${answer.body}`)
    }
  })

  test('400: what a hostile browser or authenticator sends when adding; nothing is stored', async () => {
    const { db, api, ada, clock, begin, add, signInOptions, secondFactorOptions, added } =
      await openPasskeyApi(await open())
    const eve = await somePerson(db, 'Eve')
    const other = await createSession(db, ada.userId, { userAgent: null, nowMs: clock.nowMs })
    const elsewhere = { ...ada, session: other.token }
    const refused = async (what: string, body: object, by = ada) => {
      const answer = await callsOf(api, by).me('POST', '', { name: 'Phone', passkey: body })
      const details = answer.json<ErrorBody>().details ?? []
      assert.deepEqual([answer.statusCode, details.map(({ path }) => path)], [400, ['passkey']], what)
    }
    const deviations: Record<string, Deviation> = {
      'another origin': { origin: 'https://qr.example.com.evil.example' },
      'plain http': { origin: 'http://qr.example.com' },
      'a subdomain': { origin: 'https://sub.qr.example.com' },
      'another RP ID': { rpId: 'example.com' },
      'a challenge of its own': { challenge: Buffer.alloc(32, 1).toString('base64url') },
      'an empty challenge': { challenge: '' },
      'the other ceremony': { type: 'webauthn.get' },
      'no user presence': { userPresent: false },
      'no user verification': { userVerified: false },
      'an unknown attestation': { attestation: { format: 'unknown', statement: new Map() } },
      'a statement without attestation': {
        attestation: { format: 'none', statement: new Map([['sig', 'a']]) },
      },
      'certificates in place of none': {
        attestation: { format: 'packed', statement: new Map([['x5c', [Buffer.alloc(8)]]]) },
      },
      'an attestation of Apple': {
        attestation: { format: 'apple', statement: new Map([['x5c', [Buffer.alloc(8)]]]) },
      },
      'a wrong self attestation': {
        attestation: { format: 'packed', statement: new Map([['sig', Buffer.alloc(64)]]) },
      },
    }
    for (const [what, deviation] of Object.entries(deviations))
      await refused(what, createPasskey(await begin(), deviation).registration)
    const { registration } = createPasskey(await begin())
    await refused('the id of another credential', { ...registration, id: 'b3RoZXI', rawId: 'b3RoZXI' })
    await refused('a rawId that differs', { ...registration, rawId: 'b3RoZXI' })
    await refused('the options of another account', createPasskey(await begin()).registration, eve)
    await refused('the options of another session', createPasskey(await begin()).registration, elsewhere)
    await refused('a challenge for signing in', createPasskey(await signInOptions()).registration)
    const late = createPasskey(await begin()).registration
    clock.nowMs += limits.passkeyChallengeMinutes * 60_000
    await refused('a challenge that has expired', late)
    assert.deepEqual(await db.kysely.selectFrom('passkeys').selectAll().execute(), [])
    assert.deepEqual(await db.kysely.selectFrom('used_challenges').selectAll().execute(), [])

    await added()
    await refused(
      'a challenge for the second factor',
      createPasskey(await secondFactorOptions()).registration,
    )
    assert.equal((await add(createPasskey(await begin()).registration)).statusCode, 201)
  })

  test('a challenge adds one passkey, also in several processes; a credential belongs to one account', async () => {
    const { db, api, ada, clock, begin, add } = await openPasskeyApi(await open())
    const again = await openTestApi(await open({ same: db }), { clock: () => clock.nowMs })
    const options = await begin()
    // Otherwise the first passkey would end the rest with 403: a second factor changes only in a
    // session that showed one lately.
    await noteConfirmation(db, ada, clock.nowMs)
    const statuses = await Promise.all(
      [api, again, api, again].map(async (process) => {
        const { registration } = createPasskey(options)
        return (await callsOf(process, ada).add(registration)).statusCode
      }),
    )
    assert.deepEqual(
      statuses.sort((a, b) => a - b),
      [201, 400, 400, 400],
    )
    const [stored] = await db.kysely.selectFrom('passkeys').select('credential_id as id').execute()
    const credentialId = Buffer.from(stored?.id ?? '', 'base64url')
    const same = await add(createPasskey(await begin(), { credentialId }).registration)
    assert.equal(same.statusCode, 409)
    const eve = await somePerson(db, 'Eve')
    const stolen = createPasskey(await callsOf(api, eve).begin(), { credentialId })
    assert.equal((await callsOf(api, eve).add(stolen.registration)).statusCode, 409)
    const owners = await db.kysely.selectFrom('passkeys').select('user_id as userId').execute()
    assert.deepEqual(owners, [{ userId: ada.userId }])
  })

  test(`an account has at most ${limits.passkeysMax} passkeys, also with simultaneous requests`, async () => {
    const { db, ada, clock, me, begin, add } = await openPasskeyApi(await open())
    await insertPasskeys(db, ada.userId, limits.passkeysMax - 1)
    await noteConfirmation(db, ada, clock.nowMs)
    const made = [createPasskey(await begin()), createPasskey(await begin())]
    const answers = await Promise.all(made.map(({ registration }) => add(registration)))
    assert.deepEqual(new Set(answers.map(({ statusCode }) => statusCode)), new Set([201, 409]))
    assert.equal((await me('POST', '/options', { currentPassword: ada.password })).statusCode, 409)
    const page = (await me('GET', '?limit=15&page=2')).json<PasskeyPage>()
    assert.deepEqual([page.data.length, page.pagination.total], [5, limits.passkeysMax])
  })

  test('renaming and removing concern only own passkeys; removing needs the password', async () => {
    const { db, api, ada, me, added } = await openPasskeyApi(await open())
    const eve = await somePerson(db, 'Eve')
    const { passkey } = await added()
    const path = `/${passkey.id}`
    const currentPassword = ada.password
    const renamed = await me('PUT', path, { name: 'Work phone' })
    assert.deepEqual([renamed.statusCode, renamed.json<{ name: string }>().name], [200, 'Work phone'])
    assert.equal((await me('PUT', path, { name: '\n' })).statusCode, 400)
    assert.equal((await me('PUT', path, { name: 'x' }, eve)).statusCode, 404)
    assert.equal((await me('DELETE', path, { currentPassword: eve.password }, eve)).statusCode, 404)
    assert.deepEqual((await me('GET', '', undefined, eve)).json<PasskeyPage>().data, [])
    assert.equal((await me('DELETE', path, { currentPassword: 'wrong wrong wrong' })).statusCode, 400)
    assert.equal((await me('DELETE', path, {})).statusCode, 400)
    assert.equal((await me('GET', '')).json<PasskeyPage>().data[0]?.name, 'Work phone')
    assert.equal((await me('DELETE', path, { currentPassword })).statusCode, 200)
    assert.equal((await me('DELETE', path, { currentPassword })).statusCode, 404)
    assert.deepEqual(await db.kysely.selectFrom('recovery_codes').selectAll().execute(), [])
    const user = (await api.call('GET', '/users/me', { session: ada.session })).json<User>()
    assert.equal(user.twoFactor, false)
  })

  test('recovery codes stay until the last second factor is removed', async () => {
    const { db, ada, me, added } = await openPasskeyApi(await open())
    const [first, second] = [await added(), await added()]
    const confirmed = { secret: 's', last_step: 0, created_at_ms: 1, confirmed_at_ms: 1 }
    await db.kysely
      .insertInto('two_factors')
      .values({ ...confirmed, user_id: ada.userId })
      .execute()
    const codes = async () => (await db.kysely.selectFrom('recovery_codes').selectAll().execute()).length
    const remove = (id: string) => me('DELETE', `/${id}`, { currentPassword: ada.password })
    await remove(first.passkey.id)
    await remove(second.passkey.id)
    assert.equal(await codes(), limits.recoveryCodes)
    const { recoveryCodes, passkey } = await added()
    assert.equal(recoveryCodes, null)
    await db.kysely.deleteFrom('two_factors').execute()
    await remove(passkey.id)
    assert.equal(await codes(), 0)
  })

  test('passkeys are deleted with the account', async () => {
    const { db, added } = await openPasskeyApi(await open())
    const eve = await somePerson(db, 'Eve')
    await added({}, eve)
    await deleteUser(db, eve.userId, { origin: commandOrigin, nowMs: Date.now() + hourMs })
    assert.deepEqual(await db.kysely.selectFrom('passkeys').selectAll().execute(), [])
  })
})

onSqlite('passkeys where browsers refuse them', (open) => {
  test('403 says what PUBLIC_URL must be; passkeys of earlier times can still be listed and removed', async () => {
    const db = await open()
    const { ada, added } = await openPasskeyApi(db)
    const { passkey } = await added()
    for (const wrong of ['http://qr.example.com', 'https://192.0.2.1']) {
      const api = await openTestApi(db, { config: { ...testConfig, publicUrl: wrong } })
      const name = wrong.startsWith('https') ? '__Host-everscan_session' : 'everscan_session'
      const call = (method: 'GET' | 'POST' | 'DELETE', path: string, payload?: object) =>
        api.call(method, path, {
          headers: { cookie: `${name}=${ada.session}`, origin: wrong },
          ...(payload === undefined ? {} : { payload }),
        })
      const { registration, use } = createPasskey({ challenge: 'a' })
      for (const answer of [
        await call('POST', '/users/me/passkeys/options', { currentPassword: ada.password }),
        await call('POST', '/users/me/passkeys', { name: 'a', passkey: registration }),
        await call('POST', '/auth/passkey/options'),
        await call('POST', '/auth/passkey/sign-in', { passkey: use({ challenge: 'a' }) }),
      ]) {
        assert.equal(answer.statusCode, 403, answer.body)
        assert.match(answer.json<ErrorBody>().message, /PUBLIC_URL must be https with a host name/)
      }
      assert.equal((await call('GET', '/auth/options')).json().passkeys, false)
      assert.equal((await call('GET', '/users/me/passkeys')).json<PasskeyPage>().data[0]?.id, passkey.id)
      // A second factor stays required: only recovery codes remain.
      const bare = await call('POST', '/auth/sign-in', { email: ada.email, password: ada.password })
      const { code, details = [] } = bare.json<ErrorBody>()
      assert.deepEqual([code, details.map(({ path }) => path)], ['TWO_FACTOR_REQUIRED', ['recoveryCode']])
    }
    assert.equal(new URL(publicUrl).protocol, 'https:')
  })

  test('certificates of an attestation are never evaluated', async () => {
    const lines: string[] = []
    const log = createLog({ level: 'info', role: 'api' }, { write: (line) => lines.push(line) })
    const { begin, add } = await openPasskeyApi(await open(), { log })
    for (const format of ['packed', 'apple', 'tpm', 'android-key', 'android-safetynet', 'fido-u2f']) {
      const attestation = { format, statement: new Map([['x5c', [Buffer.alloc(8)]]]) }
      assert.equal((await add(createPasskey(await begin(), { attestation }).registration)).statusCode, 400)
    }
    const refusals = lines
      .map((line) => JSON.parse(line) as { msg: string; reason?: string; requestId?: string })
      .filter(({ msg }) => msg === 'a passkey was refused')
    assert.deepEqual(
      refusals.map(({ reason }) => reason),
      Array.from({ length: 6 }, () => 'the attestation has certificates'),
    )
    assert.ok(
      refusals.every(({ requestId }) => requestId !== undefined),
      'in the log of the request',
    )
  })

  test('malformed and over-long bodies are a 400 that names the field, never a 500', async () => {
    const { begin, add, me } = await openPasskeyApi(await open())
    const { registration } = createPasskey(await begin())
    const { response } = registration
    const bodies: readonly [string, object][] = [
      ['name', { passkey: registration }],
      ['name', { name: 'a'.repeat(limits.nameCharsMax + 1), passkey: registration }],
      ['passkey', { name: 'a', passkey: 'text' }],
      ['passkey.id', { name: 'a', passkey: { ...registration, id: 'a'.repeat(1_365) } }],
      ['passkey.id', { name: 'a', passkey: { ...registration, id: '' } }],
      ['passkey.id', { name: 'a', passkey: { ...registration, id: 'a+/=' } }],
      ['passkey.type', { name: 'a', passkey: { ...registration, type: 'password' } }],
      ['passkey.response', { name: 'a', passkey: { ...registration, response: null } }],
      ...['clientDataJSON', 'attestationObject'].flatMap((field) =>
        [undefined, null, 7, '', 'a b', 'a'.repeat(20_000)].map((wrong): [string, object] => [
          `passkey.response.${field}`,
          { name: 'a', passkey: { ...registration, response: { ...response, [field]: wrong } } },
        ]),
      ),
      [
        'passkey.response.transports',
        {
          name: 'a',
          passkey: { ...registration, response: { ...response, transports: Array(11).fill('usb') } },
        },
      ],
    ]
    for (const [path, body] of bodies) {
      const answer = await me('POST', '', body)
      const details = answer.json<ErrorBody>().details ?? []
      assert.equal(answer.statusCode, 400, answer.body)
      assert.ok(
        details.some((one) => one.path === path),
        `${path}: ${answer.body}`,
      )
    }

    // Well-formed, but not what an authenticator sends.
    const random = seededRandom()
    const attestation = Buffer.from(response.attestationObject, 'base64url')
    const changed = Array.from({ length: 150 }, () => {
      const bytes = Buffer.from(attestation)
      for (let i = 0; i < 3; i++)
        bytes.writeUInt8(Math.floor(random() * 256), Math.floor(random() * bytes.length))
      return random() < 0.3 ? bytes.subarray(0, Math.floor(random() * bytes.length) + 1) : bytes
    })
    const objects = [
      ...changed,
      encodeCbor([]),
      encodeCbor(new Map([['fmt', 'none']])),
      encodeCbor(new Map([['fmt', 7]])),
      Buffer.alloc(8_000, 0x81),
      Buffer.from([0x9b, 255, 255, 255, 255, 255, 255, 255, 255]),
    ].map((bytes) => ({ attestationObject: encoded(bytes) }))
    const clients = ['null', '[]', '7', '"text"', '{', '{"challenge":7}', '{"challenge":{}}', '\u0000'].map(
      (text) => ({ clientDataJSON: encoded(text) }),
    )
    for (const wrong of [...objects, ...clients]) {
      const answer = await add({ ...registration, response: { ...response, ...wrong } })
      assert.ok([201, 400, 409].includes(answer.statusCode), `${JSON.stringify(wrong)}: ${answer.body}`)
    }
  })
})

function encoded(bytes: Buffer | string): string {
  return Buffer.from(bytes).toString('base64url')
}
