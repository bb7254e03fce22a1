import { twoFactor } from '@everscan/contract/endpoints/accounts/two-factor.ts'
import { problem } from '@everscan/contract/problems/problem.ts'
import {
  beginTwoFactor,
  confirmTwoFactor,
  endTwoFactor,
  renewRecoveryCodes,
} from '../../catalogue/accounts/two-factor.ts'
import { readSecondFactors } from '../../catalogue/accounts/second-factors.ts'
import { ApiError } from '../../errors.ts'
import { requireOwner, requirePassword } from './account.ts'
import { handler } from '../http/handler.ts'
import { accountSource } from '../../product/accounts/request-sources.ts'
import { validationError } from '../../request-errors.ts'
import { reportOutcome } from '../../product/accounts/account-outcomes.ts'
import { confirmationTry, confirmWith, requireConfirmation } from './confirmations.ts'
import { readOwnAccount } from './sign-in.ts'

export const begin = handler(twoFactor.begin, {
  handle: async (context, caller, request) => {
    await requireOwner(context, { caller, request }, request.body.currentPassword)
    const { db, accounts, clock } = context
    const { userId } = caller
    const { email } = await readOwnAccount(db, userId)
    const begun = await beginTwoFactor(db, accounts.twoFactorBox, { userId, email, nowMs: clock() })
    if (begun === undefined) throw new ApiError(409, 'CONFLICT', problem('authenticatorOn'))
    return begun
  },
})

export const confirm = handler(twoFactor.confirm, {
  handle: async (context, caller, request) => {
    const { db, accounts, clock } = context
    const { userId, sessionId } = caller
    // The account may have got a second factor after its owner, or an intruder, began.
    await requireConfirmation(context, caller)
    await accounts.attempts.begin(confirmationTry(userId), clock())
    const { code } = request.body
    const confirmed = { userId, sessionId, code, source: accountSource(request), nowMs: clock() }
    const recoveryCodes = await confirmTwoFactor(db, accounts.twoFactorBox, confirmed)
    if (recoveryCodes === undefined) throw validationError([{ path: 'code', ...problem('codeFieldWrong') }])
    await accounts.attempts.succeed(confirmationTry(userId))
    reportOutcome(context, request, { accountId: userId, action: 'two-factor.on' })
    return { recoveryCodes }
  },
})

export const renewCodes = handler(twoFactor.renewCodes, {
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

export const end = handler(twoFactor.end, {
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
  return new ApiError(409, 'CONFLICT', problem('authenticatorOff'))
}
