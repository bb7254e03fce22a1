import { passkeys } from '@everscan/contract/endpoints/accounts/passkeys.ts'
import { problem } from '@everscan/contract/problems/problem.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { paginationOf } from '@everscan/contract/schema/pages.ts'
import type { Passkey } from '@everscan/contract/resources/passkeys.ts'
import {
  addPasskey,
  listPasskeys,
  removePasskey,
  renamePasskey,
  type PasskeyRow,
} from '../../catalogue/accounts/passkeys.ts'
import { ApiError } from '../../errors.ts'
import { timestamp } from '../../product/records/timestamps.ts'
import { handler } from '../http/handler.ts'
import { accountSource } from '../../product/accounts/request-sources.ts'
import { pageOf } from '../http/pages.ts'
import { validationError } from '../../request-errors.ts'
import { requireOwner } from './account.ts'
import { reportOutcome } from '../../product/accounts/account-outcomes.ts'
import { requireConfirmation } from './confirmations.ts'
import { createChallenge, type ChallengePurpose } from '../../product/accounts/passkey-challenges.ts'
import { creationOptions } from '../../product/accounts/passkey-options.ts'
import { requireRelyingParty, verifyRegistration } from '../../product/accounts/passkey-verification.ts'
import { readOwnAccount } from './sign-in.ts'

export const begin = handler(passkeys.begin, {
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

export const add = handler(passkeys.add, {
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
    if (added === 'KNOWN') throw new ApiError(409, 'CONFLICT', problem('passkeyKnown'))
    if (added === 'SESSION_ENDED') throw new ApiError(401, 'UNAUTHORIZED', problem('sessionEnded'))
    if (added === 'CHALLENGE_USED') throw refused()
    reportOutcome(context, request, { accountId: userId, action: 'passkey.add' })
    return { passkey: passkeyRecord(added.passkey), recoveryCodes: added.recoveryCodes }
  },
})

export const list = handler(passkeys.list, {
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

export const rename = handler(passkeys.rename, {
  handle: async ({ db }, { userId }, { params, body }) => {
    const renamed = await renamePasskey(db, { userId, id: params.id, name: body.name })
    if (renamed === undefined) throw unknown()
    return passkeyRecord(renamed)
  },
})

export const remove = handler(passkeys.remove, {
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
  const minutes = limits.passkeyChallengeMinutes
  return validationError([{ path: 'passkey', ...problem('passkeyTooLate', { minutes }) }])
}

function tooMany(): ApiError {
  return new ApiError(409, 'CONFLICT', problem('tooManyPasskeys', { max: limits.passkeysMax }))
}

function unknown(): ApiError {
  return new ApiError(404, 'NOT_FOUND', problem('noSuchPasskey'))
}
