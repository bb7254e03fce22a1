import { lookup } from 'node:dns/promises'
import { connect, type PeerCertificate } from 'node:tls'
import { BlockList, isIP } from 'node:net'
import { readDomainReview, type DomainReview } from '../catalogue/domains/domain-review.ts'
import { readHostReview, type HostReview } from '../catalogue/waiting/waiting-review.ts'
import { isPrivateHost, isPublicAddress } from '../public-hosts.ts'
import { isNearlyOneNetwork, readNetworkShare, type NetworkShare } from '../db/scans/network-shares.ts'
import { createProbe, probeHeader, type Arrival } from '../processes/probe.ts'
import { givenVisitorKey } from '../processes/visitor-key.ts'
import { countText, dayText, someOf } from '../amounts.ts'
import { failed, notice, ok, warning, type CheckGroup, type Finding } from './check.ts'
import { CannotTell } from './cannot-tell.ts'
import type { DoctorContext } from './context.ts'
import { reasonOf } from './own-paths.ts'

const dayMs = 86_400_000
const certificateDaysMin = 14
/** The worker looks at each domain once a day. */
const domainLooksMs = 2 * dayMs
const answerMsMax = 8_000
const setName = 'set PUBLIC_URL to the https:// name that phones can reach, before you print codes'

export const networkChecks: CheckGroup = {
  title: 'Network',
  checks: [
    {
      name: 'network.public-url',
      title: 'PUBLIC_URL',
      run: ({ config }) => judgePublicUrl(config.publicUrl),
    },
    {
      name: 'network.name',
      title: 'Name of PUBLIC_URL',
      run: async ({ config }) => {
        const host = hostOf(config.publicUrl)
        return judgeAddresses(host, await addressesOf(host))
      },
    },
    {
      name: 'network.reach',
      title: 'Route from PUBLIC_URL to here',
      run: async (context, signal) => {
        const { arrival, status } = await probePublicUrl(context, signal)
        return judgeReach(context.config.publicUrl, status, arrival !== undefined)
      },
    },
    {
      name: 'network.certificate',
      title: 'Certificate of PUBLIC_URL',
      run: async ({ config, nowMs }, signal) => {
        const { protocol } = new URL(config.publicUrl)
        if (protocol !== 'https:') return ok('http needs none')
        return judgeCertificate(await readCertificate(config.publicUrl, signal), nowMs)
      },
    },
    {
      name: 'network.proxy',
      title: 'TRUST_PROXY on the route',
      run: async (context, signal) => {
        const { arrival } = await probePublicUrl(context, signal)
        if (arrival === undefined)
          throw new CannotTell('a request to PUBLIC_URL did not reach this service', 'see network.reach')
        return judgeArrival(arrival, context.config)
      },
    },
    {
      name: 'network.domains',
      title: 'Domains of organizations',
      run: async ({ catalogue, nowMs }) =>
        judgeDomains(await readDomainReview(await catalogue(), { sinceMs: nowMs - domainLooksMs })),
    },
    {
      name: 'network.hosts',
      title: 'Codes on domains',
      run: async ({ catalogue }) => judgeHosts(await readHostReview(await catalogue())),
    },
    {
      name: 'network.scans',
      title: 'Networks of the latest scans',
      run: async ({ catalogue, config, nowMs }) =>
        judgeShare(await readNetworkShare(await catalogue(), nowMs), config.trustProxy),
    },
  ],
}

export function judgePublicUrl(publicUrl: string): Finding {
  const { protocol } = new URL(publicUrl)
  const host = hostOf(publicUrl)
  if (isPrivateHost(host))
    return warning(`${publicUrl} leads nowhere from a phone: printed codes contain it forever`, setName)
  if (isIP(host) !== 0)
    return warning(`${publicUrl} is an address, not a name: printed codes contain it forever`, setName)
  return protocol === 'https:'
    ? ok(publicUrl)
    : warning(`${publicUrl} is not encrypted: networks on the route can change where codes lead`, setName)
}

export function judgeAddresses(host: string, addresses: readonly string[]): Finding {
  if (addresses.length === 0)
    return failed(`${host} has no address`, `add an A or AAAA record for ${host}, or correct PUBLIC_URL`)
  const isPublic = addresses.some((address) => isPublicAddress(address))
  const says = `${host} resolves to ${someOf(addresses)}`
  return isPublic || isPrivateHost(host)
    ? ok(says)
    : notice(
        `${says}, which is private: phones outside this network cannot reach it`,
        `give ${host} a public address, if codes are for the public`,
      )
}

export function judgeReach(publicUrl: string, status: number, isOurs: boolean): Finding {
  const path = `${publicUrl}/healthz`
  if (isOurs) return ok(`${path} is answered by this installation`)
  return failed(
    `${path} answers ${status}, but not from this installation`,
    'point the name, the proxy or PUBLIC_URL to this service; a proxy must pass on paths, and the header X-Everscan-Probe in both directions',
  )
}

export type FoundCertificate = { validTo: string; problem: string | undefined }

export function judgeCertificate({ validTo, problem }: FoundCertificate, nowMs: number): Finding {
  const endMs = Date.parse(validTo)
  const days = Math.floor((endMs - nowMs) / dayMs)
  const renew = 'renew it, and set up automatic renewal (certbot, Caddy, the load balancer)'
  if (days < 0) return failed(`it expired on ${dayText(endMs)}: phones refuse it`, renew)
  if (problem !== undefined)
    return failed(
      `phones refuse it: ${problem}`,
      'use a certificate for this name from an authority that phones trust, with its full chain',
    )
  return days < certificateDaysMin
    ? warning(`it expires in ${countText(days, 'day')}`, renew)
    : ok(`valid for ${countText(days, 'day')}`)
}

/** Compares the headers of a request through PUBLIC_URL with TRUST_PROXY. */
export function judgeArrival(
  { peer, forwardedFor, forwardedProto }: Arrival,
  { trustProxy, publicUrl }: Pick<DoctorContext['config'], 'trustProxy' | 'publicUrl'>,
): Finding {
  const address = peer.replace(/^::ffff:/, '')
  const isTrusted = isIn(address, trustProxy)
  if (forwardedFor === undefined) {
    if (isTrusted)
      return warning(
        `${address} is trusted but names no client: every scan seems to come from it`,
        'configure the proxy to add X-Forwarded-For',
      )
    return publicUrl.startsWith('https:')
      ? warning(
          `requests come from ${address}, which ends TLS and names no client: every scan seems to come from it`,
          `configure the proxy to add X-Forwarded-For, and set TRUST_PROXY=${[...trustProxy, address].join(',')}`,
        )
      : ok('there is no proxy on the route')
  }
  if (!isTrusted)
    return warning(
      `requests come from ${address}, whose X-Forwarded-For is not trusted: every scan seems to come from it`,
      `set TRUST_PROXY=${[...trustProxy, address].join(',')}`,
    )
  return forwardedProto === undefined && publicUrl.startsWith('https:')
    ? notice(`${address} is trusted but does not send X-Forwarded-Proto`, 'nothing; most proxies can add it')
    : ok(`${address} is trusted and names the client`)
}

export function judgeShare(share: NetworkShare | undefined, trustProxy: readonly string[]): Finding {
  if (share === undefined) return ok('too few scans to judge')
  const percentage = share.scans === 0 ? 0 : Math.round((100 * share.largest) / share.scans)
  const says = `${percentage} % of the latest ${share.scans} came from one network`
  return isNearlyOneNetwork(share)
    ? warning(
        `${says}: probably that of a proxy; then countries and visitors are wrong`,
        `${trustProxy.length === 0 ? 'set' : 'correct'} TRUST_PROXY; the dashboard shows the value under Settings, Proxy check`,
      )
    : ok(says)
}

function hostOf(publicUrl: string): string {
  return new URL(publicUrl).hostname.replace(/^\[|\]$/g, '')
}

async function addressesOf(host: string): Promise<string[]> {
  const found = await lookup(host, { all: true }).catch((error: unknown) => {
    if (/ENOTFOUND|ENODATA/.test(reasonOf(error))) return []
    throw new CannotTell(
      `${host} could not be looked up (${reasonOf(error)})`,
      'check the name servers of this machine',
    )
  })
  return found.map(({ address }) => address)
}

/** Asks the public address whether this installation answers it. */
async function probePublicUrl(
  context: DoctorContext,
  signal: AbortSignal,
): Promise<{ status: number; arrival: Arrival | undefined }> {
  const { config, isRunning } = context
  if (!isRunning) throw new CannotTell('the service does not run', './everscan start')
  const key = givenVisitorKey(config)?.key
  if (key === undefined)
    throw new CannotTell('there is no visitor key for the request', 'see secrets.visitor-key')
  const { header, read } = createProbe(key).ask()
  try {
    const response = await fetch(`${config.publicUrl}/healthz`, {
      headers: { [probeHeader]: header },
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(answerMsMax)]),
    })
    await response.body?.cancel()
    return { status: response.status, arrival: read(response.headers.get(probeHeader)) }
  } catch (error) {
    throw new CannotTell(
      `${config.publicUrl}/healthz does not answer this machine (${reasonOf(error)})`,
      'try it with a phone outside this network: some routers do not route back into it. If the phone fails, check name, firewall and proxy',
      { cause: error },
    )
  }
}

async function readCertificate(publicUrl: string, signal: AbortSignal): Promise<FoundCertificate> {
  const { port } = new URL(publicUrl)
  const host = hostOf(publicUrl)
  const socket = connect({
    host,
    port: Number(port || 443),
    ...(isIP(host) === 0 && { servername: host }),
    // The check reports what is wrong with the certificate.
    rejectUnauthorized: false,
  })
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('secureConnect', resolve)
      socket.once('error', reject)
      signal.addEventListener('abort', () => reject(new Error('it took too long')), { once: true })
    })
    const certificate: Partial<PeerCertificate> = socket.getPeerCertificate()
    const problem = socket.authorizationError as Error | string | null
    return {
      validTo: certificate.valid_to ?? '',
      problem: problem instanceof Error ? problem.message : (problem ?? undefined),
    }
  } catch (error) {
    throw new CannotTell(
      `${host} shows no certificate to this machine (${reasonOf(error)})`,
      'see network.reach',
      { cause: error },
    )
  } finally {
    socket.destroy()
  }
}

function isIn(address: string, cidrs: readonly string[]): boolean {
  const list = new BlockList()
  for (const cidr of cidrs) {
    const [network = '', bits] = cidr.split('/')
    const isV4 = isIP(network) === 4
    list.addSubnet(network, Number(bits ?? (isV4 ? 32 : 128)), isV4 ? 'ipv4' : 'ipv6')
  }
  const family = isIP(address)
  return family !== 0 && list.check(address, family === 4 ? 'ipv4' : 'ipv6')
}

function judgeDomains({ proved, failing, withoutProof, overdue }: DomainReview): Finding {
  const mend = 'set the TXT record that the dashboard shows under Settings, Domains, then check it there'
  if (failing.length > 0)
    return warning(
      `${countText(failing.length, 'domain')} without proof for 7 days, which others can take over: ${someOf(failing)}`,
      mend,
    )
  if (withoutProof.length > 0) return notice(`the last look found no proof of ${someOf(withoutProof)}`, mend)
  if (overdue.length > 0)
    return warning(
      `nobody looked for the proof of ${someOf(overdue)} for 2 days`,
      'see whether the worker runs, and its log for lookAtDomains',
    )
  return ok(proved === 0 ? 'none' : `${countText(proved, 'domain')}, all proved`)
}

/** Lists host names with the organizations that have them, their codes, and codes that wait. */
export function judgeHosts(hosts: readonly HostReview[]): Finding {
  const waiting = hosts.filter((host) => host.waiting > 0)
  if (waiting.length > 0) {
    const named = waiting.map((host) => `${host.slug}/${host.hostname} (${host.waiting})`)
    const codes = waiting.reduce((sum, host) => sum + host.waiting, 0)
    return notice(
      `${countText(codes, 'code')} of archives or moves answer nothing until their organizations have proved the host name: ${someOf(named)}`,
      'ask these organizations to prove their domains, or to delete them',
    )
  }
  const answering = hosts.filter(({ isOwner, codes }) => isOwner || codes > 0)
  if (answering.length === 0) return ok('none')
  const named = answering.map(
    ({ hostname, slug, codes, isOwner }) =>
      `${hostname}: ${countText(codes, 'code')} of ${slug}${isOwner ? '' : ', which had the name before'}`,
  )
  return ok(named.join('; '))
}
