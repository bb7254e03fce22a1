import { connections } from '@everscan/contract/endpoints/organizations/connections.ts'
import type { Connection } from '@everscan/contract/resources/connections.ts'
import { proxyHeaders } from '@everscan/contract/resources/connections.ts'
import type { IncomingHttpHeaders } from 'node:http'
import { isNearlyOneNetwork, readNetworkShare, type NetworkShare } from '../../db/scans/network-shares.ts'
import { handler } from '../http/handler.ts'

const headerCharsMax = 500

export const read = handler(connections.read, {
  handle: async ({ db, config, clock }, _caller, { headers, ip }) => {
    // Set by `front`, which alone sees the peer of the connection.
    const trail = textOf(headers['x-everscan-trail'])?.split(',') ?? [ip]
    const forwardedFor = textOf(headers['x-everscan-forwarded-for'])
    const share = await readNetworkShare(db, clock())
    return {
      address: trail.at(-1) ?? ip,
      peer: trail[0] ?? ip,
      proxies: trail.slice(0, -1),
      headers: shownHeaders(headers, forwardedFor),
      trustProxy: [...config.trustProxy],
      suggestion: suggestionOf(trail, { forwardedFor, trustProxy: config.trustProxy }),
      recentScans: share === undefined ? null : recentScansOf(share),
    }
  },
})

/**
 * An untrusted peer that names an address in `X-Forwarded-For` may be a proxy. A value that is not
 * an address is ignored.
 */
function suggestionOf(
  trail: readonly string[],
  { forwardedFor, trustProxy }: { forwardedFor: string | undefined; trustProxy: readonly string[] },
): string | null {
  const next = forwardedFor?.split(',').at(-trail.length)?.trim() ?? ''
  const address = trail.at(-1)
  return /^[\da-f.:[\]]+$/i.test(next) && address !== undefined ? [...trustProxy, address].join(',') : null
}

function shownHeaders(headers: IncomingHttpHeaders, forwardedFor: string | undefined): Connection['headers'] {
  return proxyHeaders.flatMap((name) => {
    // `front` sets its own `x-forwarded-for`; show the value that it received.
    const value = name === 'x-forwarded-for' ? forwardedFor : textOf(headers[name])
    return value === undefined ? [] : [{ name, value: value.slice(0, headerCharsMax) }]
  })
}

function recentScansOf(share: NetworkShare): NonNullable<Connection['recentScans']> {
  return {
    scans: share.scans,
    percentage: Math.round((1000 * share.largest) / share.scans) / 10,
    nearlyOneNetwork: isNearlyOneNetwork(share),
  }
}

function textOf(value: string | string[] | undefined): string | undefined {
  return value === undefined ? undefined : String(value)
}
