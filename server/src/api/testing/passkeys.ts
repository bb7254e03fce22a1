import assert from 'node:assert/strict'
import type {
  AddedPasskey,
  PasskeyAssertion,
  PasskeyCreationOptions,
  PasskeyRegistration,
  PasskeyRequestOptions,
} from '@everscan/contract/resources/passkeys.ts'
import type { ErrorBody } from '@everscan/contract/schema/errors.ts'
import type { Database } from '../../db/database.ts'
import { silentLog } from '../../db/testing/databases.ts'
import type { Log } from '../../log.ts'
import type { ApiOptions } from '../create-api.ts'
import { openTestApi, somePerson, type Person, type TestApi } from './api.ts'
import { createPasskey, type SoftwarePasskey } from './software-authenticator.ts'

/** An API with a person, and the calls that a browser makes for passkeys. */
export async function openPasskeyApi(db: Database, options: Partial<ApiOptions> = {}) {
  const clock = { nowMs: Date.now() }
  const api = await openTestApi(db, { clock: () => clock.nowMs, ...options })
  const ada = await somePerson(db, 'Ada', { organizationId: api.orgId, role: 'ADMIN' })
  return { db, api, clock, ada, ...callsOf(api, ada) }
}

/** The calls of one person, to one of several `api` processes. */
export function callsOf({ call }: TestApi, ada: Person) {
  const currentPassword = ada.password
  const me = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, payload?: object, by = ada) =>
    call(method, `/users/me/passkeys${path}`, {
      session: by.session,
      ...(payload === undefined ? {} : { payload }),
    })
  const begin = async (by = ada) => {
    const answer = await me('POST', '/options', { currentPassword }, by)
    assert.equal(answer.statusCode, 200, answer.body)
    return answer.json<PasskeyCreationOptions>()
  }
  const add = (passkey: PasskeyRegistration, { name = 'Phone', by = ada } = {}) =>
    me('POST', '', { name, passkey }, by)
  const password = (body: object = {}, rest: { headers?: Record<string, string> } = {}) =>
    call('POST', '/auth/sign-in', {
      payload: { email: ada.email, password: ada.password, ...body },
      ...rest,
    })
  return {
    me,
    begin,
    add,
    /** Adds a passkey as a browser does. */
    added: async (
      deviation: Parameters<typeof createPasskey>[1] = {},
      by = ada,
    ): Promise<SoftwarePasskey & AddedPasskey> => {
      const made = createPasskey(await begin(by), deviation)
      const answer = await add(made.registration, { by })
      assert.equal(answer.statusCode, 201, answer.body)
      return { ...made, ...answer.json<AddedPasskey>() }
    },
    /** Signs in with the password, and possibly with a second factor. */
    password,
    /** The options for a passkey as second factor. */
    secondFactorOptions: async () => optionsIn((await password()).json<ErrorBody>()),
    signInOptions: async () => (await call('POST', '/auth/passkey/options')).json<PasskeyRequestOptions>(),
    /** Signs in with a passkey alone. */
    signIn: (passkey: PasskeyAssertion, rest: { headers?: Record<string, string>; session?: string } = {}) =>
      call('POST', '/auth/passkey/sign-in', { payload: { passkey }, ...rest }),
  }
}

/** A log that passes the fields of its warnings on. */
export function warningsTo(note: (fields: Record<string, unknown>) => void): Log {
  return Object.assign(Object.create(silentLog) as Log, { warn: note })
}

function optionsIn({ code, details = [] }: ErrorBody): PasskeyRequestOptions {
  assert.equal(code, 'TWO_FACTOR_REQUIRED')
  const options = details.find(({ path }) => path === 'passkey')?.options
  assert.ok(options, 'no options for a passkey')
  return options as PasskeyRequestOptions
}
