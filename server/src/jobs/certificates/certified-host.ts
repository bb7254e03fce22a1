import { hostnameProblem } from '@everscan/contract/domains/host-names.ts'

/** Returns PUBLIC_URL's host name, or undefined if no authority can certify it. */
export function certifiedHost(publicUrl: string): string | undefined {
  const { hostname, protocol } = new URL(publicUrl)
  return protocol === 'https:' && hostnameProblem(hostname) === undefined ? hostname : undefined
}
