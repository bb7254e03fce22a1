import { createPrivateKey, X509Certificate } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { problem, type Problem } from '@everscan/contract/problems/problem.ts'
import { challengeLabel } from '@everscan/contract/domains/domains.ts'
import {
  addAlpnChallenge,
  addChallenge,
  deleteChallenges,
  endAlpnChallenges,
  pauseAuthority,
  readAcmeAccount,
  saveAcmeAccount,
} from '../../catalogue/certificates/acme-accounts.ts'
import {
  claimOrders,
  failOrder,
  postponeOrder,
  saveDnsOrder,
  storeCertificate,
  type OrderClaim,
} from '../../catalogue/certificates/certificates.ts'
import type { CertificateProofKind } from '../../db/certificate-tables.ts'
import type { Database } from '../../db/database.ts'
import { errorCode } from '../../db/errors.ts'
import { LeaseLost } from '../../db/lease.ts'
import { errorMessage } from '../../errors.ts'
import type { Log } from '../../log.ts'
import type { SecretBox } from '../../secret-box.ts'
import type { Chore } from '../start-jobs.ts'
import type { LookUpTxt } from '../../dns-looks.ts'
import {
  OrderFailed,
  OrderOver,
  RateLimited,
  type Authority,
  type Challenge,
  type NewAccount,
  type OpenWay,
  type Ordered,
} from './acme.ts'

type Options = {
  authority: Authority
  directoryUrl: string
  /** PUBLIC_URL's host name, if an authority can certify it. */
  publicHost: string | undefined
  box: SecretBox
  log: Log
  /** For proofs by TXT records. */
  lookUpTxt: LookUpTxt
  /** How long one order may take. */
  orderMs?: number
  /** How long fronts may take to learn of a challenge of tls-alpn-01. */
  noticeMs?: number
}

const minuteMs = 60_000
const dayMs = 86_400_000
/** Orders of one host that fail are repeated after these times, then once a day. */
const waitsMinutes = [1, 5, 20, 60, 180, 720]
/** An order in progress holds up no other: this many are placed at once. */
const ordersAtOnce = 4
const challengeMs = dayMs
/** How often a TXT record is looked for. */
const txtEveryMs = minuteMs
/** Authorities keep an order that is not proved for a week. */
const dnsOrderMsMax = 6 * dayMs
/** An order that fails is logged as an error if the certificate in use ends so soon. */
const urgentMs = 14 * dayMs

/** Orders certificates that are due, also renewals. One worker at a time orders for a host. */
export function orderCertificates(options: Options): Chore {
  return {
    name: 'orderCertificates',
    everyMs: 10_000,
    run: async (db, nowMs) => {
      const { directoryUrl, publicHost, orderMs = 180_000, noticeMs = 1_500 } = options
      const known = await readAcmeAccount(db, directoryUrl)
      if (known !== undefined && known.pausedUntilMs > nowMs) return
      const claims = await claimOrders(db, { publicHost, nowMs, leaseMs: 2 * orderMs, limit: ordersAtOnce })
      if (claims.length === 0) return
      await deleteChallenges(db, nowMs - challengeMs)
      const account = accountOf(db, options)
      account.catch(() => undefined)
      await Promise.all(
        claims.map((claim) => order(db, claim, { ...options, account, orderMs, noticeMs, nowMs })),
      )
    },
  }
}

type Order = Required<Options> & { account: Promise<NewAccount>; nowMs: number }

async function order(db: Database, claim: OrderClaim, options: Order): Promise<void> {
  try {
    await orderOrFail(db, claim, options)
  } catch (error) {
    if (!(error instanceof LeaseLost)) throw error
    options.log.warn({ hostname: claim.hostname }, 'another worker has taken over an order')
  }
}

async function orderOrFail(db: Database, claim: OrderClaim, options: Order): Promise<void> {
  const { directoryUrl, box, log, nowMs, orderMs } = options
  const { hostname } = claim
  try {
    const ways = waysOf(claim)
    const placed = claim.isByDns ? placeByDns(db, claim, options) : place(db, hostname, { ...options, ways })
    const ordered = await within(orderMs, placed)
    // It waits for a TXT record.
    if (ordered === undefined) return
    const { chain, privateKey, provedBy } = ordered
    const { validFromMs, expiresAtMs } = checkIssued({ chain, privateKey, hostname, nowMs })
    const sealed = box.seal(privateKey, hostname)
    await storeCertificate(db, claim, { chain, privateKey: sealed, validFromMs, expiresAtMs, provedBy })
    log.info({ hostname, expires: new Date(expiresAtMs).toISOString() }, 'a certificate was issued')
  } catch (error) {
    if (error instanceof LeaseLost) throw error
    const isLimited = error instanceof RateLimited
    const waitMs = isLimited ? error.retryAfterMs : waitAfter(claim.attempts)
    if (isLimited) await pauseAuthority(db, directoryUrl, nowMs + waitMs)
    const found = problemOf(error)
    const attempts = isLimited ? claim.attempts : claim.attempts + 1
    const isOver = !claim.isByDns || error instanceof OrderOver
    await failOrder(db, claim, { attempts, nextOrderAtMs: nowMs + waitMs, problem: found, isOver })
    const isUrgent = claim.expiresAtMs !== null && claim.expiresAtMs - nowMs < urgentMs
    const facts = { hostname, problem: found.message, nextOrder: new Date(nowMs + waitMs).toISOString() }
    if (isUrgent) log.error(facts, 'a certificate that ends soon was not renewed')
    else log.warn(facts, 'an order of a certificate failed')
  }
}

/** The words of an authority are quoted; what the system says is not. */
function problemOf(error: unknown): Problem {
  if (error instanceof OrderFailed) return error.found
  const code = errorCode(error)
  if (code !== '') return problem('authorityUnreachable', { code })
  return problem('orderRefused', { reason: errorMessage(error) })
}

function waitAfter(attempts: number): number {
  const minutes = waitsMinutes[attempts]
  return minutes === undefined ? dayMs : minutes * minuteMs
}

type Ways = readonly [OpenWay, ...OpenWay[]]

/** The way that worked last comes first, and every other attempt is in the other one. */
function waysOf({ provedBy, attempts }: OrderClaim): Ways {
  const isFirst = attempts % 2 === 0
  return (provedBy === 'tls-alpn-01') === isFirst ? ['tls-alpn-01', 'http-01'] : ['http-01', 'tls-alpn-01']
}

type Proved = Ordered & { provedBy: CertificateProofKind }

async function place(
  db: Database,
  hostname: string,
  { authority, account, box, nowMs, noticeMs, ways }: Order & { ways: Ways },
): Promise<Proved> {
  let provedBy: OpenWay = ways[0]
  const answer = async (challenge: Challenge): Promise<void> => {
    const { way, token } = challenge
    provedBy = way
    if (way === 'http-01') return addChallenge(db, { token, answer: challenge.answer, nowMs })
    const sealed = box.seal(JSON.stringify(challenge.pair), hostname)
    await addAlpnChallenge(db, { hostname, token, answer: sealed, nowMs })
    // Unlike those of http-01, fronts have these challenges in memory.
    await sleep(noticeMs)
  }
  const end = async ({ way }: Challenge): Promise<void> => {
    // The authority may ask for a file again; old ones are deleted later.
    if (way === 'tls-alpn-01') await endAlpnChallenges(db, hostname)
  }
  return { ...(await authority.order(await account, hostname, { ways, answer, end })), provedBy }
}

/**
 * Goes on with an order that a TXT record proves: places it, or ends it once the record is there.
 * Returns undefined while it waits.
 */
async function placeByDns(
  db: Database,
  claim: OrderClaim,
  { authority, account, lookUpTxt, nowMs }: Order,
): Promise<Proved | undefined> {
  const { hostname, expiresAtMs } = claim
  const isOld = claim.dnsOrder === null || nowMs - claim.dnsOrder.orderedAtMs > dnsOrderMsMax
  const placed = isOld ? await authority.placeByDns(await account, hostname) : undefined
  const dnsOrder = placed === undefined ? claim.dnsOrder : { ...placed, orderedAtMs: nowMs }
  if (dnsOrder === null) return undefined
  if (placed !== undefined) await saveDnsOrder(db, claim, { ...placed, orderedAtMs: nowMs })
  const { orderUrl, value } = dnsOrder
  const name = `${challengeLabel}.${hostname}`
  if (value !== '' && !(await lookUpTxt(name)).includes(value)) {
    // The first certificate waits, and nothing has failed.
    const found = expiresAtMs === null ? null : problem('renewalWaitsForTxt', { name, value })
    await postponeOrder(db, claim, { nextOrderAtMs: nowMs + txtEveryMs, problem: found })
    return undefined
  }
  return { ...(await authority.finishByDns(await account, hostname, orderUrl)), provedBy: 'dns-01' }
}

/** Returns the account at the authority, which the first order creates. */
async function accountOf(
  db: Database,
  { authority, directoryUrl, box }: Pick<Options, 'authority' | 'directoryUrl' | 'box'>,
): Promise<NewAccount> {
  const known = await readAcmeAccount(db, directoryUrl)
  const privateKey = known === undefined ? undefined : box.open(known.privateKey, directoryUrl)
  if (known !== undefined) {
    if (privateKey === undefined) throw new OrderFailed(problem('accountKeySealed'))
    return { accountUrl: known.accountUrl, privateKey }
  }
  const made = await authority.createAccount()
  const sealed = box.seal(made.privateKey, directoryUrl)
  await saveAcmeAccount(db, directoryUrl, { accountUrl: made.accountUrl, privateKey: sealed })
  return made
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const waiting = new AbortController()
  const late = sleep(ms, undefined, { signal: waiting.signal }).then(() => {
    throw new OrderFailed(problem('authorityLate', { seconds: ms / 1000 }))
  })
  late.catch(() => undefined)
  work.catch(() => undefined)
  try {
    return await Promise.race([work, late])
  } finally {
    waiting.abort()
  }
}

/** Returns when a certificate is valid. Throws `OrderFailed` if it is not the one that was
 * ordered. */
export function checkIssued({
  chain,
  privateKey,
  hostname,
  nowMs,
}: {
  chain: string
  privateKey: string
  hostname: string
  nowMs: number
}): { validFromMs: number; expiresAtMs: number } {
  const certificate = new X509Certificate(chain)
  const validFromMs = Date.parse(certificate.validFrom)
  const expiresAtMs = Date.parse(certificate.validTo)
  if (certificate.checkHost(hostname) === undefined) throw new OrderFailed(problem('certificateOfOtherHost'))
  if (!certificate.checkPrivateKey(createPrivateKey(privateKey)))
    throw new OrderFailed(problem('certificateOfOtherKey'))
  if (expiresAtMs <= nowMs || expiresAtMs <= validFromMs) throw new OrderFailed(problem('certificateOver'))
  return { validFromMs, expiresAtMs }
}
