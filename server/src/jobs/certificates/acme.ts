// The one file that knows the library of ACME (RFC 8555).
import { Agent } from 'node:https'
import { problem, type Problem } from '@everscan/contract/problems/problem.ts'
import acme from 'acme-client'

export type NewAccount = { accountUrl: string; privateKey: string }

export type Authority = {
  /** Creates an account. It agrees to the terms of the authority. */
  createAccount: () => Promise<NewAccount>
  /**
   * Orders a certificate for one host name and returns it with its new private key, both PEM. It
   * proves the name in the first way of `ways` that the authority offers. Throws
   * `OrderFailed`, or an Error with the authority's reason.
   */
  order: (
    account: NewAccount,
    hostname: string,
    proof: {
      ways: readonly [OpenWay, ...OpenWay[]]
      answer: (challenge: Challenge) => Promise<void>
      end: (challenge: Challenge) => Promise<void>
    },
  ) => Promise<Ordered>
  /**
   * Places an order for one host name that a TXT record proves (dns-01). An empty value: the
   * authority has proved the name already.
   */
  placeByDns: (account: NewAccount, hostname: string) => Promise<{ orderUrl: string; value: string }>
  /** Ends an order whose TXT record is set, as `order` does. Throws `OrderOver` as well. */
  finishByDns: (account: NewAccount, hostname: string, orderUrl: string) => Promise<Ordered>
}

/** A certificate with those of its issuers, and its private key, both PEM. */
export type Ordered = { chain: string; privateKey: string }

/** Ways to prove a name over its ports: 80 (RFC 8555, 8.3) and 443 (RFC 8737). */
export type OpenWay = 'http-01' | 'tls-alpn-01'

/** The answer of fronts to the authority. */
export type Challenge =
  | { way: 'http-01'; token: string; answer: string }
  | { way: 'tls-alpn-01'; token: string; pair: { cert: string; key: string } }

/** An order failed for a reason that has a name. The authority tells other reasons itself. */
export class OrderFailed extends Error {
  readonly found: Problem

  constructor(found: Problem) {
    super(found.message)
    this.found = found
  }
}

/** The authority takes no orders for a while. */
export class RateLimited extends OrderFailed {
  readonly retryAfterMs: number
  constructor(retryAfterMs: number) {
    super(problem('authorityBusy'))
    this.retryAfterMs = retryAfterMs
  }
}

/** An order cannot go on: it must be placed again, with another TXT record. */
export class OrderOver extends OrderFailed {}

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
  setConnections({ ca, requestMs })
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
    order: (account, hostname, proof) =>
      orderByPorts(clientOf(account.privateKey, account.accountUrl), hostname, proof),
    placeByDns: async (account, hostname) => {
      const client = clientOf(account.privateKey, account.accountUrl)
      const order = await client.createOrder({ identifiers: [{ type: 'dns', value: hostname }] })
      const challenge = await dnsChallenge(client, order)
      const value = challenge === undefined ? '' : await client.getChallengeKeyAuthorization(challenge)
      return { orderUrl: order.url, value }
    },
    finishByDns: (account, hostname, orderUrl) =>
      finishByDns(clientOf(account.privateKey, account.accountUrl), hostname, orderUrl),
  }
}

/** Sets what holds for every connection of the library. */
function setConnections({ ca, requestMs }: { ca: string | undefined; requestMs: number }): void {
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
}

async function orderByPorts(
  client: acme.Client,
  hostname: string,
  { ways, answer, end }: Parameters<Authority['order']>[2],
): Promise<Ordered> {
  const { privateKey, csr } = await newRequest(hostname)
  let answered: Challenge | undefined
  const chain = await client.auto({
    csr,
    challengePriority: [...ways],
    // The host may not reach itself under its public name.
    skipChallengeVerification: true,
    challengeCreateFn: async (authorization, challenge, keyAuthorization) => {
      answered = await challengeOf(authorization, challenge, keyAuthorization)
      await answer(answered)
    },
    challengeRemoveFn: async () => (answered === undefined ? undefined : end(answered)),
  })
  return { chain, privateKey }
}

async function finishByDns(client: acme.Client, hostname: string, orderUrl: string): Promise<Ordered> {
  const order = await client.getOrder({ url: orderUrl } as acme.Order)
  // Refused, or ended for a key that this process never had.
  if (order.status !== 'pending' && order.status !== 'ready') throw new OrderOver(problem('orderEnded'))
  const challenge = await dnsChallenge(client, order)
  if (challenge !== undefined) {
    await client.completeChallenge(challenge)
    await client.waitForValidStatus(challenge)
  }
  const { privateKey, csr } = await newRequest(hostname)
  const chain = await client.getCertificate(await client.finalizeOrder(order, csr))
  return { chain, privateKey }
}

async function newRequest(hostname: string): Promise<{ privateKey: string; csr: Buffer }> {
  const ecKey = await acme.crypto.createPrivateEcdsaKey()
  const [privateKey, csr] = await acme.crypto.createCsr({ altNames: [hostname] }, ecKey)
  return { privateKey: privateKey.toString(), csr }
}

async function challengeOf(
  authorization: acme.Authorization,
  { type, token }: { type: string; token: string },
  keyAuthorization: string,
): Promise<Challenge> {
  if (type === 'http-01') return { way: 'http-01', token, answer: keyAuthorization }
  if (type !== 'tls-alpn-01') throw new OrderFailed(problem('noProofByPorts'))
  const ecKey = await acme.crypto.createPrivateEcdsaKey()
  const [key, cert] = await acme.crypto.createAlpnCertificate(authorization, keyAuthorization, ecKey)
  return { way: type, token, pair: { cert: String(cert), key: String(key) } }
}

/** Returns the challenge of dns-01, or undefined if the authority has proved the name already. */
async function dnsChallenge(client: acme.Client, order: acme.Order) {
  const [authorization] = await client.getAuthorizations(order)
  if (authorization?.status === 'valid') return undefined
  const challenge = authorization?.challenges.find(({ type }) => type === 'dns-01')
  if (challenge === undefined) throw new OrderFailed(problem('noProofByTxt'))
  return challenge
}

/** Reads `Retry-After` (RFC 9110, 10.2.3): seconds or a date. */
function readRetryAfter(value: unknown): number {
  const text = typeof value === 'string' ? value : ''
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now()
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 1_000), 24 * hourMs) : hourMs
}
