import { problem, type Problem } from '@everscan/contract/problems/problem.ts'
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
 * Problems that admins can act on. They reveal no more than that about the network behind the
 * receiver.
 */
const problems: Readonly<Record<string, Problem>> = {
  ENOTFOUND: problem('hostUnresolved'),
  ENODATA: problem('hostUnresolved'),
  ESERVFAIL: problem('hostUnresolved'),
  ETIMEOUT: problem('hostUnresolved'),
  ECONNREFUSED: problem('connectionRefused'),
  ECONNRESET: problem('connectionBroken'),
  EPIPE: problem('connectionBroken'),
  EHOSTUNREACH: problem('hostUnreachable'),
  ENETUNREACH: problem('hostUnreachable'),
  ETIMEDOUT: problem('hostUnreachable'),
  ABORT_ERR: problem('callBrokenOff'),
}

/** Returns why a call got no answer. */
export function callProblem(error: unknown): Problem {
  if (error instanceof PrivateAddress) return error.found
  const { code = '' } = error as NodeJS.ErrnoException
  const known = problems[code]
  if (known !== undefined) return known
  if (/^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/.test(code))
    return problem('tlsFailed', { code })
  if (code.startsWith('HPE_')) return problem('answerNotHttp')
  return problem('callFailed', { cause: code || errorMessage(error) })
}
