import { AccountRecordParams, Deleted } from '@everscan/contract/schema/common.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { PageQuery, paginationOf } from '@everscan/contract/schema/pages.ts'
import {
  AddedPasskey,
  AddPasskey,
  BeginPasskey,
  Passkey,
  PasskeyCreationOptions,
  PasskeyPage,
  RemovePasskey,
  RenamePasskey,
} from '@everscan/contract/resources/passkeys.ts'
import {
  addPasskey,
  listPasskeys,
  removePasskey,
  renamePasskey,
  type PasskeyRow,
} from '../../catalogue/accounts/passkeys.ts'
import { ApiError } from '../../errors.ts'
import { timestamp } from '../../product/records/timestamps.ts'
import { endpoint } from '../http/endpoint.ts'
import { accountSource } from '../../product/accounts/request-sources.ts'
import { pageOf } from '../http/pages.ts'
import { validationError } from '../../request-errors.ts'
import { requireOwner } from './account.ts'
import { reportOutcome } from '../../product/accounts/account-outcomes.ts'
import { confirmationNote, requireConfirmation } from './confirmations.ts'
import { createChallenge, type ChallengePurpose } from '../../product/accounts/passkey-challenges.ts'
import { creationOptions } from '../../product/accounts/passkey-options.ts'
import { requireRelyingParty, verifyRegistration } from '../../product/accounts/passkey-verification.ts'
import { readOwnAccount } from './sign-in.ts'

const tag = 'Signing in'
const collection = '/users/me/passkeys'

export const begin = endpoint({
  id: 'beginPasskey',
  method: 'POST',
  path: `${collection}/options`,
  role: 'session',
  tag,
  summary: 'Get the options for adding a passkey.',
  description: `They are for the session of this request. 409 if the account has ${limits.passkeysMax} passkeys already; 403 if browsers do not allow passkeys at PUBLIC_URL. ${confirmationNote}`,
  body: BeginPasskey,
  status: 200,
  response: PasskeyCreationOptions,
  errors: [409],
  handle: async (context, caller, request) => {
    const { userId, sessionId } = caller
    const relyingParty = requireRelyingParty(context)
    await requireOwner(context, { caller, request }, request.body.currentPassword)
    const user = await readOwnAccount(context.db, userId)
    const known = await listPasskeys(context.db, userId)
    if (known.length >= limits.passkeysMax) throw tooMany()
    const challenge = createChallenge(context, purposeOf(userId, sessionId))
    return creationOptions(relyingParty, { user, challenge, known })
  },
})

export const add = endpoint({
  id: 'addPasskey',
  method: 'POST',
  path: collection,
  role: 'session',
  tag,
  summary: 'Add a passkey to the signed-in account.',
  description: `Requires what the browser returned for the options. From now on, sign-in with the password also requires a second factor. Only this response contains the recovery codes. 409 if an account has this passkey already. ${confirmationNote}`,
  body: AddPasskey,
  status: 201,
  response: AddedPasskey,
  errors: [409],
  handle: async (context, caller, request) => {
    const { userId, sessionId } = caller
    const { name, passkey } = request.body
    // The account may have got its first second factor after the options were made.
    await requireConfirmation(context, caller)
    const required = { purpose: purposeOf(userId, sessionId), log: request.log }
    const verified = await verifyRegistration(context, passkey, required)
    if (verified === undefined) throw refused()
    const by = { source: accountSource(request), nowMs: context.clock() }
    const added = await addPasskey(context.db, { userId, sessionId, name, ...verified, ...by })
    if (added === 'TOO_MANY') throw tooMany()
    if (added === 'KNOWN') throw new ApiError(409, 'CONFLICT', 'This passkey was added before.')
    if (added === 'SESSION_ENDED') throw new ApiError(401, 'UNAUTHORIZED', 'Your session has ended.')
    if (added === 'CHALLENGE_USED') throw refused()
    reportOutcome(context, request, { accountId: userId, action: 'passkey.add' })
    return { passkey: passkeyRecord(added.passkey), recoveryCodes: added.recoveryCodes }
  },
})

export const list = endpoint({
  id: 'listPasskeys',
  method: 'GET',
  path: collection,
  role: 'session',
  tag,
  summary: 'List the passkeys of the signed-in account, oldest first.',
  query: PageQuery,
  status: 200,
  response: PasskeyPage,
  handle: async ({ db }, { userId }, { query }) => {
    const page = pageOf(query)
    const all = await listPasskeys(db, userId)
    const from = (page.page - 1) * page.limit
    return {
      data: all.slice(from, from + page.limit).map(passkeyRecord),
      pagination: paginationOf(all.length, page),
    }
  },
})

export const rename = endpoint({
  id: 'renamePasskey',
  method: 'PUT',
  path: `${collection}/:id`,
  role: 'session',
  tag,
  summary: 'Rename a passkey of the signed-in account.',
  params: AccountRecordParams,
  body: RenamePasskey,
  status: 200,
  response: Passkey,
  handle: async ({ db }, { userId }, { params, body }) => {
    const renamed = await renamePasskey(db, { userId, id: params.id, name: body.name })
    if (renamed === undefined) throw unknown()
    return passkeyRecord(renamed)
  },
})

export const remove = endpoint({
  id: 'removePasskey',
  method: 'DELETE',
  path: `${collection}/:id`,
  role: 'session',
  tag,
  summary: 'Remove a passkey of the signed-in account.',
  description: `With the last second factor, the recovery codes become invalid, too. ${confirmationNote}`,
  params: AccountRecordParams,
  body: RemovePasskey,
  status: 200,
  response: Deleted,
  handle: async (context, caller, request) => {
    const { userId, sessionId } = caller
    const { params, body } = request
    await requireOwner(context, { caller, request }, body.currentPassword)
    const by = { source: accountSource(request), nowMs: context.clock() }
    if (!(await removePasskey(context.db, { userId, sessionId, id: params.id, ...by }))) throw unknown()
    reportOutcome(context, request, { accountId: userId, action: 'passkey.remove' })
    return { id: params.id, deleted: true as const }
  },
})

function purposeOf(userId: string, sessionId: string): ChallengePurpose {
  return `passkey for ${userId} in ${sessionId}`
}

function passkeyRecord({ id, name, backedUp, createdAtMs, lastUsedAtMs }: PasskeyRow): Passkey {
  return {
    id,
    name,
    backedUp: backedUp === 1,
    createdAt: timestamp(createdAtMs),
    lastUsedAt: lastUsedAtMs === null ? null : timestamp(lastUsedAtMs),
  }
}

function refused(): ApiError {
  const message = `could not be checked, or took longer than ${limits.passkeyChallengeMinutes} minutes: get new options and try again`
  return validationError([{ path: 'passkey', message }])
}

function tooMany(): ApiError {
  const message = `An account can have at most ${limits.passkeysMax} passkeys. Remove one first.`
  return new ApiError(409, 'CONFLICT', message)
}

function unknown(): ApiError {
  return new ApiError(404, 'NOT_FOUND', 'Your account has no passkey with this id.')
}
