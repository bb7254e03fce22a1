// The one file that knows the library of ACME (RFC 8555).
import { Agent } from 'node:https'
import acme from 'acme-client'

export type NewAccount = { accountUrl: string; privateKey: string }

export type Authority = {
  /** Creates an account. It agrees to the terms of the authority. */
  createAccount: () => Promise<NewAccount>
  /**
   * Orders a certificate for one host name and returns it with its new private key, both PEM. It
   * proves the name by http-01. Throws `RateLimited`, or an Error with the authority's reason.
   */
  order: (
    account: NewAccount,
    hostname: string,
    answer: (challenge: { token: string; answer: string }) => Promise<void>,
  ) => Promise<{ chain: string; privateKey: string }>
}

/** The authority takes no orders for a while. */
export class RateLimited extends Error {
  readonly retryAfterMs: number
  constructor(retryAfterMs: number) {
    super('The authority takes no more orders for now.')
    this.retryAfterMs = retryAfterMs
  }
}

type Options = {
  directoryUrl: string
  email: string | undefined
  /** PEM of the issuer of the authority's own https; undefined: the usual issuers. */
  ca: string | undefined
  /** How long one request may take. */
  requestMs?: number
  /** The first wait between looks at an order; later ones are longer. */
  pollMs?: number
}

const hourMs = 3_600_000
/** An answer of an authority is some kilobytes. */
const answerBytesMax = 1 << 20
const looksMax = 10

/** The library's number of our look at every response. */
let refusesLimits = -1

/** Opens an authority. The settings of its connections hold for the whole process. */
export function openAuthority({
  directoryUrl,
  email,
  ca,
  requestMs = 20_000,
  pollMs = 2_000,
}: Options): Authority {
  const { defaults, interceptors } = acme.axios
  // Repeating is up to us: the library would repeat what a limit refused.
  Object.assign(defaults, {
    timeout: requestMs,
    maxContentLength: answerBytesMax,
    acmeSettings: { retryMaxAttempts: 0, retryDefaultDelay: 1 },
    ...(ca !== undefined && { httpsAgent: new Agent({ ca, keepAlive: false }) }),
  })
  interceptors.response.eject(refusesLimits)
  refusesLimits = interceptors.response.use((response) => {
    const { type } = (response.data ?? {}) as { type?: unknown }
    if (response.status === 429 || type === 'urn:ietf:params:acme:error:rateLimited')
      throw new RateLimited(readRetryAfter(response.headers['retry-after']))
    return response
  })
  const clientOf = (accountKey: string, accountUrl?: string) =>
    new acme.Client({
      directoryUrl,
      accountKey,
      ...(accountUrl !== undefined && { accountUrl }),
      backoffAttempts: looksMax,
      backoffMin: pollMs,
      backoffMax: 10 * pollMs,
    })
  return {
    createAccount: async () => {
      const privateKey = (await acme.crypto.createPrivateEcdsaKey()).toString()
      const client = clientOf(privateKey)
      const contact = email === undefined ? {} : { contact: [`mailto:${email}`] }
      await client.createAccount({ termsOfServiceAgreed: true, ...contact })
      return { accountUrl: client.getAccountUrl(), privateKey }
    },
    order: async (account, hostname, answer) => {
      const ecKey = await acme.crypto.createPrivateEcdsaKey()
      const [privateKey, csr] = await acme.crypto.createCsr({ altNames: [hostname] }, ecKey)
      const chain = await clientOf(account.privateKey, account.accountUrl).auto({
        csr,
        challengePriority: ['http-01'],
        // The host may not reach itself under its public name.
        skipChallengeVerification: true,
        challengeCreateFn: (_authorization, { token }, keyAuthorization) =>
          answer({ token, answer: keyAuthorization }),
        // The authority may ask again; old ones are deleted later.
        challengeRemoveFn: async () => undefined,
      })
      return { chain, privateKey: privateKey.toString() }
    },
  }
}

/** Reads `Retry-After` (RFC 9110, 10.2.3): seconds or a date. */
function readRetryAfter(value: unknown): number {
  const text = typeof value === 'string' ? value : ''
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now()
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 1_000), 24 * hourMs) : hourMs
}
