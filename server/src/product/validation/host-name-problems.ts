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
): string | undefined {
  const problem = hostnameProblem(hostname)
  if (problem !== undefined || hostname === undefined) return problem
  if (hostname === normalHostname(new URL(publicUrl).host)) return 'must not be the host of PUBLIC_URL'
  if (!privateDomains && privateEndings.some((ending) => hostname.endsWith(ending)))
    return 'must be a name that the internet knows; PRIVATE_DOMAINS=true allows .internal, .local and .lan'
  // Of the list of public suffixes, the part that registries of the internet keep.
  const { publicSuffix, isIcann } = parse(hostname, { allowPrivateDomains: false })
  if (isIcann === true && publicSuffix === hostname)
    return 'must be a name below a public suffix: nobody has a whole suffix'
  return undefined
}
