import { callProblems } from '@everscan/contract/schema/call-problems.ts'
import { errorMessage } from '../errors.ts'
import { PrivateAddress } from './checked-connections.ts'

const retryAfterMsMax = 24 * 3_600_000

/** Reads the header `Retry-After`: seconds or a date (RFC 9110, section 10.2.3). */
export function retryAfterMs(header: string | undefined): number | undefined {
  if (header === undefined) return undefined
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), retryAfterMsMax)
}

/**
 * Messages that admins can act on. They reveal no more than that about the network behind the
 * receiver.
 */
const problems: Readonly<Record<string, string>> = {
  ENOTFOUND: callProblems.unresolved,
  ENODATA: callProblems.unresolved,
  ESERVFAIL: callProblems.unresolved,
  ETIMEOUT: callProblems.unresolved,
  ECONNREFUSED: callProblems.refused,
  ECONNRESET: callProblems.brokenOff,
  EPIPE: callProblems.brokenOff,
  EHOSTUNREACH: callProblems.unreachable,
  ENETUNREACH: callProblems.unreachable,
  ETIMEDOUT: callProblems.unreachable,
  ABORT_ERR: callProblems.stopping,
}

/** Returns why a call got no answer, as a sentence. */
export function callProblem(error: unknown): string {
  if (error instanceof PrivateAddress) return error.message
  const { code = '' } = error as NodeJS.ErrnoException
  const known = problems[code]
  if (known !== undefined) return known
  if (/^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/.test(code)) return callProblems.tls(code)
  return code.startsWith('HPE_') ? callProblems.notHttp : callProblems.failed(code || errorMessage(error))
}
