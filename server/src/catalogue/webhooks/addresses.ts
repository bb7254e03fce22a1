import { problem, type Problem } from '@everscan/contract/problems/problem.ts'
import { destinationProblem } from '@everscan/contract/code-types/destinations.ts'
import { isPrivateHost } from '../../public-hosts.ts'

/**
 * Returns why a webhook may not use a URL, or undefined if it may. The URL must be a valid
 * destination with https and a host that is not private in any spelling. The addresses of a host
 * name are checked on connection. `allowPrivate` allows http and private hosts.
 */
export function webhookUrlProblem(
  url: string,
  { allowPrivate }: { allowPrivate: boolean },
): Problem | undefined {
  const found = destinationProblem(url)
  if (found !== undefined || allowPrivate) return found
  // The parser of the URL standard has converted all other spellings of IPv4 to dotted decimals.
  const { protocol, hostname } = new URL(url)
  if (protocol !== 'https:') return problem('notHttps')
  if (isPrivateHost(hostname)) return problem('hostIsPrivate', { hostname })
  return undefined
}
