import { errorMessage } from '../../errors.ts'
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
  ENOTFOUND: 'The name of the host cannot be resolved.',
  ENODATA: 'The name of the host cannot be resolved.',
  ESERVFAIL: 'The name of the host cannot be resolved.',
  ETIMEOUT: 'The name of the host cannot be resolved.',
  ECONNREFUSED: 'The host refused the connection.',
  ECONNRESET: 'The receiver broke the connection off.',
  EPIPE: 'The receiver broke the connection off.',
  EHOSTUNREACH: 'The host cannot be reached.',
  ENETUNREACH: 'The host cannot be reached.',
  ETIMEDOUT: 'The host cannot be reached.',
  ABORT_ERR: 'The call was broken off, as the service is stopping.',
}

/** Returns why a call got no answer, as a sentence. */
export function callProblem(error: unknown): string {
  if (error instanceof PrivateAddress) return error.message
  const { code = '' } = error as NodeJS.ErrnoException
  const known = problems[code]
  if (known !== undefined) return known
  if (/^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/.test(code))
    return `The TLS connection failed: ${code}.`
  return code.startsWith('HPE_')
    ? 'The answer was not HTTP.'
    : `The call failed: ${code || errorMessage(error)}.`
}
