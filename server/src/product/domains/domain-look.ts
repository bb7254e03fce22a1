import { createDnsLook, type LookAtDns } from '../../dns-looks.ts'
import { createReachLook } from './reach-looks.ts'
import { createReachCodes } from '../../reach-codes.ts'
import type { Config } from '../../settings/settings.ts'

type Needed = Pick<Config, 'dnsServers' | 'publicUrl' | 'visitorKey' | 'webhookAllowPrivate'>

/** Creates a look at a domain: its records in the DNS, and whether its scans arrive here. */
export function createDomainLook({
  dnsServers,
  publicUrl,
  visitorKey = '',
  webhookAllowPrivate: allowPrivate,
}: Needed): LookAtDns {
  const lookAtDns = createDnsLook(dnsServers)
  const lookForReach = createReachLook({ publicUrl, codes: createReachCodes(visitorKey), allowPrivate })
  return async (hostname) => {
    const look = await lookAtDns(hostname)
    const addresses = look.found.flatMap(({ type, value }) => (type === 'A' || type === 'AAAA' ? value : []))
    // A DNS that does not answer says nothing about scans.
    if (addresses.length === 0 && look.failure !== undefined) return look
    return { ...look, reach: await lookForReach(hostname, addresses) }
  }
}
