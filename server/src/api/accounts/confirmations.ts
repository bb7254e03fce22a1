import { confirmations } from '@everscan/contract/endpoints/accounts/confirmations.ts'
import type { ConfirmSession } from '@everscan/contract/resources/confirmations.ts'
import { problem } from '@everscan/contract/problems/problem.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { confirmSession } from '../../catalogue/accounts/confirmations.ts'
import { hasTwoFactor } from '../../catalogue/accounts/second-factors.ts'
import { ApiError } from '../../errors.ts'
import { timestamp } from '../../product/records/timestamps.ts'
import type { ApiContext } from '../http/api-context.ts'
import type { SessionCaller } from '../../catalogue/organizations/callers.ts'
import { handler, type EndpointInput } from '../http/handler.ts'
import { accountSource } from '../../product/accounts/request-sources.ts'
import { reportFailure, reportOutcome } from '../../product/accounts/account-outcomes.ts'
import type { ChallengePurpose } from '../../product/accounts/passkey-challenges.ts'
import { factorDetails, verifySecondFactor } from '../../product/accounts/passkey-second-factor.ts'

const confirmationMs = limits.confirmationMinutes * 60_000

export const confirm = handler(confirmations.confirm, {
  handle: async (context, caller, request) => {
    if (!(await hasTwoFactor(context.db, caller.userId)))
      throw new ApiError(409, 'CONFLICT', problem('noSecondFactor'))
    const { code, recoveryCode, passkey } = request.body
    if ((code ?? recoveryCode ?? passkey) === undefined) throw await confirmationRequired(context, caller)
    await confirmWith(context, { caller, request }, request.body)
    return { confirmedUntil: timestamp(context.clock() + confirmationMs) }
  },
})

/**
 * Throws ApiError 403 if the account of a session has a second factor, and the session did not show
 * one lately. The clock of the machine where it did may be ahead of this one.
 */
export async function requireConfirmation(context: ApiContext, caller: SessionCaller): Promise<void> {
  const { userId, confirmedAtMs } = caller
  if (confirmedAtMs !== null && Math.abs(context.clock() - confirmedAtMs) < confirmationMs) return
  if (await hasTwoFactor(context.db, userId)) throw await confirmationRequired(context, caller)
}

/**
 * Confirms the session of a request with a second factor. Throws ApiError 400 if it is wrong or was
 * used before, and 429 after many failed attempts.
 */
export async function confirmWith(
  context: ApiContext,
  { caller, request }: { caller: SessionCaller; request: EndpointInput },
  { code, recoveryCode, passkey: assertion }: ConfirmSession,
): Promise<void> {
  const { db, accounts, clock } = context
  const { userId, sessionId } = caller
  await accounts.attempts.begin(confirmationTry(userId), clock())
  const purpose = purposeOf(caller)
  const passkey = assertion && (await verifySecondFactor(context, request, { userId, assertion, purpose }))
  const from = { source: accountSource(request), nowMs: clock() }
  const factor = { userId, sessionId, code, recoveryCode, passkey, ...from }
  const isRefused = assertion !== undefined && passkey === undefined
  if (isRefused || !(await confirmSession(db, accounts.twoFactorBox, factor))) {
    const isPasskey = isRefused || (code === undefined && passkey !== undefined)
    const action = isPasskey ? 'confirmation.wrong-passkey' : 'confirmation.wrong-code'
    reportFailure(context, request, { accountId: userId, action })
    throw wrongFactor(isPasskey ? 'passkey' : code === undefined ? 'recoveryCode' : 'code')
  }
  await accounts.attempts.succeed(confirmationTry(userId))
  if (code === undefined && passkey === undefined)
    reportOutcome(context, request, { accountId: userId, action: 'recovery-code.use' })
}

/**
 * Attempts of all sessions of an account count together, because an intruder may have several of
 * them. They do not count as attempts to sign in: a session can be stolen without the password, and
 * must not make the owner wait there. A sign-in with a second factor confirms its session, too.
 */
export function confirmationTry(userId: string): string {
  return `confirmation ${userId}`
}

async function confirmationRequired(context: ApiContext, caller: SessionCaller): Promise<ApiError> {
  const details = await factorDetails(context, caller.userId, purposeOf(caller))
  const fields = details.map(({ path }) => path).join(', ')
  return new ApiError(403, 'CONFIRMATION_REQUIRED', problem('confirmationRequired', { fields }), { details })
}

function purposeOf({ userId, sessionId }: SessionCaller): ChallengePurpose {
  return `confirmation of ${userId} in ${sessionId}`
}

function wrongFactor(path: 'code' | 'recoveryCode' | 'passkey'): ApiError {
  const [told, ofField] =
    path === 'passkey'
      ? [problem('passkeyNotChecked'), problem('passkeyFieldNotChecked')]
      : [problem('codeWrong'), problem('codeFieldWrong')]
  return new ApiError(400, 'VALIDATION_ERROR', told, { details: [{ path, ...ofField }] })
}
