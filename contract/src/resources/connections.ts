import { Type, type Static } from 'typebox'
import { Count, nullable, strictObject } from '../schema/common.ts'

/**
 * Headers in which proxies name the original client; the service trusts only the first,
 * X-Forwarded-For.
 */
export const proxyHeaders = [
  'x-forwarded-for',
  'forwarded',
  'x-real-ip',
  'cf-connecting-ip',
  'true-client-ip',
  'x-forwarded-proto',
  'x-forwarded-host',
  'via',
  'host',
] as const

/** The networks of recent scans (IPv4 /24, IPv6 /48): no address is stored. */
const RecentScans = strictObject({
  scans: Count('Number of scans examined: the latest ones of each front.'),
  percentage: Type.Number({
    description: 'Share of scans from the most frequent network, 0 to 100, with one decimal.',
    minimum: 0,
    maximum: 100,
  }),
  nearlyOneNetwork: Type.Boolean({
    description:
      'Whether nearly all scans came from one network, as when a proxy is mistaken for the scanner.',
  }),
})

/** How the caller reaches the service, for admins who set up proxies. Nothing of it is stored. */
export const Connection = strictObject({
  address: Type.String({
    description: "The address that the service takes for the caller's.",
    examples: ['203.0.113.7'],
  }),
  peer: Type.String({
    description: 'The address connected to the service: that of the caller, or of the last proxy on the way.',
    examples: ['10.0.0.2'],
  }),
  proxies: Type.Array(Type.String(), {
    description: 'Trusted proxies on the way, starting with the one next to the service.',
  }),
  headers: Type.Array(
    strictObject({ name: Type.String(), value: Type.String({ description: 'At most 500 characters.' }) }),
    { description: 'The received headers in which proxies name the original client.' },
  ),
  trustProxy: Type.Array(Type.String(), { description: 'The setting `TRUST_PROXY`.' }),
  suggestion: nullable(
    Type.String({
      description: 'The value of `TRUST_PROXY` if `address` is also a proxy; null if nothing indicates that.',
    }),
  ),
  recentScans: nullable(RecentScans, { description: 'null while there are too few scans to tell.' }),
})
export type Connection = Static<typeof Connection>
