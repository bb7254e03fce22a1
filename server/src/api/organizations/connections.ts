import { OrganizationParams } from '@everscan/contract/schema/common.ts'
import { Connection, proxyHeaders } from '@everscan/contract/resources/connections.ts'
import type { IncomingHttpHeaders } from 'node:http'
import { isNearlyOneNetwork, readNetworkShare, type NetworkShare } from '../../db/scans/network-shares.ts'
import { endpoint } from '../http/endpoint.ts'

const headerCharsMax = 500

export const read = endpoint({
  id: 'readConnection',
  method: 'GET',
  path: '/organizations/:orgId/connection',
  role: 'ADMIN',
  tag: 'Organizations',
  summary: 'How the caller comes to the service: through which proxies, with which headers.',
  description:
    'For who sets up proxies: the address must be that of the caller, or the countries, cities and unique visitors of all scans are wrong. Nothing of it is kept; of scans only the share of the most frequent network is.',
  params: OrganizationParams,
  status: 200,
  response: Connection,
  handle: async ({ db, config, clock }, _caller, { headers, ip }) => {
    // Made by `front`, which alone sees who is connected.
    const trail = textOf(headers['x-everscan-trail'])?.split(',') ?? [ip]
    const said = textOf(headers['x-everscan-forwarded-for'])
    const share = await readNetworkShare(db, clock())
    return {
      address: trail.at(-1) ?? ip,
      peer: trail[0] ?? ip,
      proxies: trail.slice(0, -1),
      headers: shownHeaders(headers, said),
      trustProxy: [...config.trustProxy],
      suggestion: suggestionOf(trail, { said, trustProxy: config.trustProxy }),
      recentScans: share === undefined ? null : recentScansOf(share),
    }
  },
})

/** Who is not trusted and yet names an address in `X-Forwarded-For` may be a proxy; what is no address is believed of nobody. */
function suggestionOf(
  trail: readonly string[],
  { said, trustProxy }: { said: string | undefined; trustProxy: readonly string[] },
): string | null {
  const next = said?.split(',').at(-trail.length)?.trim() ?? ''
  const address = trail.at(-1)
  return /^[\da-f.:[\]]+$/i.test(next) && address !== undefined ? [...trustProxy, address].join(',') : null
}

function shownHeaders(headers: IncomingHttpHeaders, said: string | undefined): Connection['headers'] {
  return proxyHeaders.flatMap((name) => {
    // The one that comes from `front` is its own.
    const value = name === 'x-forwarded-for' ? said : textOf(headers[name])
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
