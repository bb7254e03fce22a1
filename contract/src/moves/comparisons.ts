import { Type, type Static } from 'typebox'
import { Count, Timestamp, Url, nullable, oneOf, strictObject } from '../schema/common.ts'
import { limits } from '../schema/limits.ts'
import { namedDetails, namedProblem } from '../schema/named-problems.ts'

export const comparisonStatuses = ['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED'] as const

/** A link that answers differently here and at the old service. */
export const ComparedLink = strictObject({
  shortCode: Type.String({ description: 'The short code here.' }),
  url: Type.String({ description: 'The old short URL that was asked.' }),
  oldStatus: nullable(
    Type.Integer({ description: 'The status of the old service; null: it gave no answer.' }),
  ),
  oldLocation: nullable(
    Type.String({ description: 'Where the old service leads; null: it does not redirect.' }),
  ),
  location: nullable(Type.String({ description: 'Where a scan leads here; null: it does not redirect.' })),
  problem: nullable(Type.String({ description: 'Why the old service gave no answer; null otherwise.' })),
  details: namedDetails('The same problem with its name'),
})
export type ComparedLink = Static<typeof ComparedLink>

/** The comparison of links of a move with the service that they come from. */
export const Comparison = strictObject({
  status: oneOf(comparisonStatuses, {
    description: 'FAILED: the old service could not be asked; see `failureReason`.',
  }),
  baseUrl: nullable(
    Type.String({ description: 'Where the old service was asked; null: at the short URLs of the file.' }),
  ),
  totalLinks: Count('Links to compare.'),
  comparedLinks: Count('Links compared so far.'),
  sameCount: Count('Links that lead to the same address in both services.'),
  differences: Type.Array(ComparedLink, {
    description: 'The links that do not.',
    maxItems: limits.comparedLinksMax,
  }),
  createdAt: Timestamp('When the comparison was started.'),
  completedAt: nullable(Timestamp('When it ended; null until then.')),
  failureReason: nullable(Type.String({ description: 'Why it FAILED, in a sentence; null otherwise.' })),
  ...namedProblem,
})
export type Comparison = Static<typeof Comparison>

/** The body that starts a comparison. */
export const StartComparison = strictObject(
  {
    baseUrl: Type.Optional(
      Url(
        'Where the old service answers, such as `https://go.example.com`; short codes are added to it. Default: the short URLs of the file, or else the host name of the domain.',
      ),
    ),
  },
  { examples: [{ baseUrl: 'https://go.example.com' }] },
)
export type StartComparison = Static<typeof StartComparison>
