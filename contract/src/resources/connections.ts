import { Type, type Static } from 'typebox'
import { Count, nullable, strictObject } from '../schema/common.ts'

/** Headers by which proxies say whom they ask for; only the first is ever believed. */
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

/** How recent scans came: from where most of them did, by network (IPv4 /24, IPv6 /48), as no address is kept. */
const RecentScans = strictObject({
  scans: Count('Scans that were looked at, the last ones of each front.'),
  percentage: Type.Number({
    description: 'Share of the network that most of them came from, 0 to 100, one decimal.',
    minimum: 0,
    maximum: 100,
  }),
  nearlyOneNetwork: Type.Boolean({
    description: 'Whether nearly all came from one network, as when a proxy is taken for the scanner.',
  }),
})

/** How the caller comes to the service, for who sets up proxies. Nothing of it is kept. */
export const Connection = strictObject({
  address: Type.String({ description: 'What the service takes for the address of the caller.' }),
  peer: Type.String({
    description: 'Who is connected to the service: the caller, or the last proxy on the way.',
  }),
  proxies: Type.Array(Type.String(), {
    description: 'Proxies on the way that are trusted, the one next to the service first.',
  }),
  headers: Type.Array(
    strictObject({ name: Type.String(), value: Type.String({ description: 'At most 500 characters.' }) }),
    { description: 'What came of the headers by which proxies say whom they ask for.' },
  ),
  trustProxy: Type.Array(Type.String(), { description: 'The setting `TRUST_PROXY`.' }),
  suggestion: nullable(
    Type.String({
      description:
        'What `TRUST_PROXY` would be if `address` is that of a proxy too; null where nothing says that it is.',
    }),
  ),
  recentScans: nullable(RecentScans, { description: 'null as long as there are too few to tell.' }),
})
export type Connection = Static<typeof Connection>
