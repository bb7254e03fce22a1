import { problem, type Problem } from '@everscan/contract/problems/problem.ts'
import { hostnameProblem, normalHostname } from '@everscan/contract/domains/host-names.ts'
import { parse } from 'tldts'

/** Endings of names that only one network knows, so that nobody can prove them (RFC 9476). */
const privateEndings = ['.internal', '.local', '.lan']

type Place = {
  publicUrl: string
  /** Whether names that only one network knows can be domains. */
  privateDomains: boolean
}

/**
 * Returns why a host name, as `normalHostname` returns it, cannot become a domain here, or
 * undefined if it can. Existing domains stay.
 */
export function newHostnameProblem(
  hostname: string | undefined,
  { publicUrl, privateDomains }: Place,
): Problem | undefined {
  const found = hostnameProblem(hostname)
  if (found !== undefined || hostname === undefined) return found
  if (hostname === normalHostname(new URL(publicUrl).host)) return problem('hostnameOfPublicUrl')
  if (!privateDomains && privateEndings.some((ending) => hostname.endsWith(ending)))
    return problem('hostnameOfOneNetwork')
  // Of the list of public suffixes, the part that registries of the internet keep.
  const { publicSuffix, isIcann } = parse(hostname, { allowPrivateDomains: false })
  if (isIcann === true && publicSuffix === hostname) return problem('hostnameIsSuffix')
  return undefined
}
