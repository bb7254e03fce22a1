import { Type, type Static } from 'typebox'
import { Count, IdInput, Timestamp, nullable, oneOf, strictObject } from '../schema/common.ts'

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

export const addressProblems = ['PRIVATE', 'INSECURE', 'NOT_REACHED'] as const
export type AddressProblem = (typeof addressProblems)[number]

/** The address that printed codes contain, and whether phones reach it. */
export const PublicAddress = strictObject({
  url: Type.String({
    description: 'The setting `PUBLIC_URL`, which short URLs begin with.',
    examples: ['https://qr.example.com'],
  }),
  ready: Type.Boolean({
    description: 'Whether codes can be printed: there is no problem, or `localOnly` is set.',
  }),
  problem: nullable(
    oneOf(addressProblems, {
      description:
        'PRIVATE: only this machine or network has this address. INSECURE: it is not https. NOT_REACHED: nothing from outside has opened it yet.',
    }),
  ),
  reachedAt: nullable(Timestamp('When something from outside first opened this address.')),
  localOnly: Type.Boolean({
    description: 'Whether an admin said that codes are only for phones in the own network.',
  }),
})
export type PublicAddress = Static<typeof PublicAddress>

/** The body that changes whether codes are only for phones in the own network. */
export const UpdatePublicAddress = strictObject({
  localOnly: Type.Boolean({ description: 'Whether codes are only for phones in the own network.' }),
})
export type UpdatePublicAddress = Static<typeof UpdatePublicAddress>

/** A check with a phone: the phone opens `url`, and the check tells that it arrived. */
export const AddressCheck = strictObject({
  id: Type.String({ description: 'Identifier of the check.' }),
  url: Type.String({ description: 'An address for the phone, valid for an hour.' }),
  seenAt: nullable(Timestamp('When a phone opened the address.')),
  fromOutside: nullable(
    Type.Boolean({ description: 'Whether the phone came from outside of the own network.' }),
  ),
})
export type AddressCheck = Static<typeof AddressCheck>

export const AddressCheckParams = strictObject({
  orgId: IdInput('Organization identifier.'),
  id: IdInput('Identifier of the check.'),
})
export type AddressCheckParams = Static<typeof AddressCheckParams>
