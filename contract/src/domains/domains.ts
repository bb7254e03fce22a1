import { Type, type Static } from 'typebox'
import { Count, Id, Timestamp, Url, newObject, nullable, oneOf, strictObject } from '../schema/common.ts'
import { limits } from '../schema/limits.ts'
import { namedDetails } from '../schema/named-problems.ts'
import { Page } from '../schema/pages.ts'
import { codeForms } from './code-forms.ts'

export const domainStatuses = ['PENDING', 'ACTIVE', 'FAILING'] as const
export type DomainStatus = (typeof domainStatuses)[number]

export const certificateStatuses = ['NONE', 'PENDING', 'ISSUED', 'FAILING'] as const
export type CertificateStatus = (typeof certificateStatuses)[number]

/**
 * How a certificate is proved to an authority: over the ports 80 and 443, or by a TXT record that a
 * person sets.
 */
export const certificateProofs = ['automatic', 'dns'] as const
export type CertificateProof = (typeof certificateProofs)[number]

/** The label of the TXT record that proves a name to an authority (RFC 8555, 8.4). */
export const challengeLabel = '_acme-challenge'

/** The label below which the TXT record stands that proves a domain. */
export const proofLabel = '_everscan'

/** A record of the DNS. */
export const DnsRecord = strictObject({
  type: Type.String({ description: 'A, AAAA, CNAME or TXT.', examples: ['TXT'] }),
  name: Type.String({ description: 'The full name.', examples: ['_everscan.go.example.com'] }),
  value: Type.String({ description: 'The value.', examples: ['everscan=3kq9…'] }),
})
export type DnsRecord = Static<typeof DnsRecord>

const rootUrl = 'Where `/` of the domain leads. Null: a quiet page.'
const notFoundUrl = 'Where paths and codes lead that do not exist, instead of to our page.'
const goneUrl = 'Where archived and deleted codes lead, instead of to our page.'
const isDefault =
  'Whether new codes of the organization are on this domain unless they say otherwise. One domain at most; another one that becomes it ends this. It counts once the domain is proved.'

const codes =
  'How short codes on the domain are compared. `canonical`, the default: as everywhere, in any letter case. `exact`: case counts, and they may have 1 to 128 letters, digits or "-_.~+/": for a domain whose printed codes another product made. It cannot change once a code was created on the host name.'

const certificateProof =
  'How the certificate is proved, if the service has https of its own. `automatic`, the default: over port 80 or 443, once the host leads here. `dns`: by a TXT record that `certificate.record` shows, before the host leads here; as soon as it does, renewals are automatic.'

/** A host name of an organization (`/organizations/:orgId/domains`). */
export const Domain = strictObject({
  id: Id('dom'),
  hostname: Type.String({
    description: 'The host name, in lower case and punycode.',
    examples: ['go.example.com'],
  }),
  status: oneOf(domainStatuses, {
    description:
      'PENDING: not proved; the claim changes nothing, and nobody can create codes on it. ACTIVE: proved. FAILING: the proof was not found for 7 days; codes still answer.',
  }),
  verification: strictObject(
    {
      name: Type.String({ description: 'Name of the TXT record.', examples: ['_everscan.go.example.com'] }),
      value: Type.String({ description: 'Its value, that of this organization.' }),
    },
    { description: 'The TXT record that proves the domain. It must stay.' },
  ),
  dns: strictObject({
    expected: Type.Array(DnsRecord, { description: 'The records to set.' }),
    found: Type.Array(DnsRecord, { description: 'The records that were found at the last look.' }),
    problem: nullable(Type.String({ description: 'What is wrong, and what to set. Null: nothing.' })),
    details: namedDetails('The same problem with its name'),
    reachesUs: nullable(
      Type.Boolean({
        description:
          'Whether scans arrived here at the last look, which fetched a token over the name. Null: not looked yet, or it could not be found out, as when the name has a private address.',
      }),
    ),
    checkedAt: nullable(Timestamp('When the DNS was last asked.')),
  }),
  certificate: strictObject(
    {
      status: oneOf(certificateStatuses, {
        description:
          'NONE: this installation orders none for the name, because it has no https of its own, or the domain is not proved. PENDING: the first one is being ordered. ISSUED: one is in use. FAILING: the last order failed; one that is in use stays until it expires.',
      }),
      expiresAt: nullable(Timestamp('When the certificate in use expires. Null: there is none.')),
      problem: nullable(Type.String({ description: 'Why the last order failed. Null: it did not.' })),
      details: namedDetails('The same problem with its name'),
      record: nullable(DnsRecord, {
        description:
          'The TXT record that an order waits for. It may be removed when the certificate is issued. Null: none does.',
      }),
    },
    { description: 'The certificate of the name by ACME, if the service has https of its own.' },
  ),
  rootUrl: nullable(Type.String({ description: rootUrl })),
  notFoundUrl: nullable(Type.String({ description: notFoundUrl })),
  goneUrl: nullable(Type.String({ description: goneUrl })),
  isDefault: Type.Boolean({ description: isDefault }),
  codes: oneOf(codeForms, { description: codes }),
  certificateProof: oneOf(certificateProofs, { description: certificateProof }),
  formerCodes: Type.Optional(
    Count(
      'Only where a domain is read alone: active codes of organizations that had the host name before, which it goes on answering.',
    ),
  ),
  formerEndsAt: Type.Optional(
    nullable(
      Timestamp(
        'Only where a domain is read alone: when the last of these codes ends, by the notice that was given. Null: there is none, or not for all of them.',
      ),
    ),
  ),
  noticeEndsAt: nullable(
    Timestamp(
      'When the codes of this organization on the host name end, because the organization that has it now gave notice. Until then they can only be archived or deleted. Null: no notice was given.',
    ),
  ),
  createdAt: Timestamp('When the domain was added.'),
  updatedAt: Timestamp('When the domain was last changed.'),
})
export type Domain = Static<typeof Domain>

const changeable = {
  rootUrl: Type.Optional(nullable(Url(rootUrl))),
  notFoundUrl: Type.Optional(nullable(Url(notFoundUrl))),
  goneUrl: Type.Optional(nullable(Url(goneUrl))),
  isDefault: Type.Optional(Type.Boolean({ description: isDefault })),
  codes: Type.Optional(oneOf(codeForms, { description: codes })),
  certificateProof: Type.Optional(oneOf(certificateProofs, { description: certificateProof })),
}

/** The body that adds a domain. */
export const CreateDomain = newObject(
  {
    hostname: Type.String({
      description:
        'The host name, in any letter case, in Unicode or punycode. At least two labels; neither an IP address, a public suffix such as co.uk, nor the host of PUBLIC_URL. Names that end in .internal, .local or .lan only with PRIVATE_DOMAINS=true.',
      minLength: 1,
      maxLength: limits.hostnameCharsMax,
      'x-trim': true,
    }),
    ...changeable,
  },
  { examples: [{ hostname: 'go.example.com', rootUrl: 'https://example.com/' }] },
)
export type CreateDomain = Static<typeof CreateDomain>

/** The body that changes a domain: partial, null removes an address. */
export const UpdateDomain = strictObject(changeable, {
  examples: [{ notFoundUrl: 'https://example.com/not-found', isDefault: true }],
})
export type UpdateDomain = Static<typeof UpdateDomain>

/** The query of the deletion of a domain. */
export const DeleteDomainQuery = strictObject({
  codes: Type.Optional(
    oneOf(['archive'], {
      description:
        '`archive`: archive the codes on the domain before it is deleted, and delete those that wait for its proof.',
    }),
  ),
})
export type DeleteDomainQuery = Static<typeof DeleteDomainQuery>

export const DomainPage = Page(Domain)
export type DomainPage = Static<typeof DomainPage>
