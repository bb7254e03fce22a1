import {
  BeginTwoFactor,
  BegunTwoFactor,
  ConfirmTwoFactor,
  EndTwoFactor,
  RecoveryCodes,
  RenewRecoveryCodes,
} from '@everscan/contract/resources/two-factor.ts'
import { User } from '@everscan/contract/resources/users.ts'
import {
  beginTwoFactor,
  confirmTwoFactor,
  endTwoFactor,
  renewRecoveryCodes,
} from '../../catalogue/accounts/two-factor.ts'
import { readSecondFactors } from '../../catalogue/accounts/second-factors.ts'
import { ApiError } from '../../errors.ts'
import { requireOwner, requirePassword } from './account.ts'
import { endpoint } from '../http/endpoint.ts'
import { accountSource } from '../../product/accounts/request-sources.ts'
import { validationError } from '../../request-errors.ts'
import { reportOutcome } from '../../product/accounts/account-outcomes.ts'
import { confirmationNote, confirmationTry, confirmWith, requireConfirmation } from './confirmations.ts'
import { readOwnAccount } from './sign-in.ts'

const tag = 'Signing in'
const path = '/users/me/two-factor'

export const begin = endpoint({
  id: 'beginTwoFactor',
  method: 'POST',
  path,
  role: 'session',
  tag,
  summary: 'Start setting up two-factor sign-in with an authenticator app.',
  description: `The response has the secret for an authenticator. Sign-in does not require a code until one is confirmed. 409 if an authenticator is already in use. ${confirmationNote}`,
  body: BeginTwoFactor,
  status: 201,
  response: BegunTwoFactor,
  errors: [409],
  handle: async (context, caller, request) => {
    await requireOwner(context, { caller, request }, request.body.currentPassword)
    const { db, accounts, clock } = context
    const { userId } = caller
    const { email } = await readOwnAccount(db, userId)
    const begun = await beginTwoFactor(db, accounts.twoFactorBox, { userId, email, nowMs: clock() })
    if (begun === undefined)
      throw new ApiError(409, 'CONFLICT', 'Two-factor sign-in with an authenticator is already on.')
    return begun
  },
})

export const confirm = endpoint({
  id: 'confirmTwoFactor',
  method: 'POST',
  path: `${path}/confirm`,
  role: 'session',
  tag,
  summary: 'Turn two-factor sign-in on with a code from the authenticator.',
  description: `Only this response contains the recovery codes. They replace those of an account that has passkeys. ${confirmationNote}`,
  body: ConfirmTwoFactor,
  status: 200,
  response: RecoveryCodes,
  handle: async (context, caller, request) => {
    const { db, accounts, clock } = context
    const { userId, sessionId } = caller
    // The account may have got a second factor after its owner, or an intruder, began.
    await requireConfirmation(context, caller)
    await accounts.attempts.begin(confirmationTry(userId), clock())
    const { code } = request.body
    const confirmed = { userId, sessionId, code, source: accountSource(request), nowMs: clock() }
    const recoveryCodes = await confirmTwoFactor(db, accounts.twoFactorBox, confirmed)
    if (recoveryCodes === undefined)
      throw validationError([{ path: 'code', message: 'is wrong or was already used' }])
    await accounts.attempts.succeed(confirmationTry(userId))
    reportOutcome(context, request, { accountId: userId, action: 'two-factor.on' })
    return { recoveryCodes }
  },
})

export const renewCodes = endpoint({
  id: 'renewRecoveryCodes',
  method: 'POST',
  path: `${path}/recovery-codes`,
  role: 'session',
  tag,
  summary: 'Replace the recovery codes.',
  description: `Only this response contains the new codes; the earlier ones become invalid. 409 if the account has no second factor. ${confirmationNote}`,
  body: RenewRecoveryCodes,
  status: 200,
  response: RecoveryCodes,
  errors: [409],
  handle: async (context, caller, request) => {
    const { userId, sessionId } = caller
    await requireOwner(context, { caller, request }, request.body.currentPassword)
    const from = { source: accountSource(request), nowMs: context.clock() }
    const recoveryCodes = await renewRecoveryCodes(context.db, { userId, sessionId }, from)
    if (recoveryCodes === undefined) throw isOff()
    reportOutcome(context, request, { accountId: userId, action: 'recovery-codes.renew' })
    return { recoveryCodes }
  },
})

export const end = endpoint({
  id: 'endTwoFactor',
  method: 'DELETE',
  path,
  role: 'session',
  tag,
  summary: 'Turn two-factor sign-in with an authenticator app off.',
  description: `Requires the password, and a code or a recovery code unless the session is confirmed. Passkeys stay. 409 if it is already off. ${confirmationNote}`,
  body: EndTwoFactor,
  status: 200,
  response: User,
  errors: [409],
  handle: async (context, caller, request) => {
    const { db, clock } = context
    const { userId, sessionId } = caller
    const { currentPassword, ...factor } = request.body
    await requirePassword(context, { caller, request }, currentPassword)
    if (!(await readSecondFactors(db, userId)).authenticator) throw isOff()
    if ((factor.code ?? factor.recoveryCode) === undefined) await requireConfirmation(context, caller)
    else await confirmWith(context, { caller, request }, factor)
    const from = { source: accountSource(request), nowMs: clock() }
    if (!(await endTwoFactor(db, { userId, sessionId }, from))) throw isOff()
    reportOutcome(context, request, { accountId: userId, action: 'two-factor.off' })
    return readOwnAccount(db, userId)
  },
})

function isOff(): ApiError {
  return new ApiError(409, 'CONFLICT', 'Two-factor sign-in with an authenticator is off.')
}
