import { Type, type Static } from 'typebox'
import { ImportRowError, ImportStatus } from '../resources/bulk-imports.ts'
import { Count, Id, IdInput, Timestamp, nullable, oneOf, strictObject } from '../schema/common.ts'
import { limits } from '../schema/limits.ts'
import { namedDetails, namedProblem } from '../schema/named-problems.ts'
import { Pagination, pageParameters } from '../schema/pages.ts'
import { moveSources } from './move-sources.ts'
import type { VisitField } from './moved-visits.ts'

export const MoveSourceName = oneOf(moveSources, {
  description: 'The product that wrote the file; csv: any other.',
})

const columnsWith = (meaning: string) =>
  Type.Array(Type.String(), { description: `Columns with ${meaning}.` })

/** The columns of the file that have each field. */
export const MoveColumns = strictObject(
  {
    shortCode: columnsWith('the short code, or the short URL that ends with it'),
    destination: columnsWith('the destination'),
    title: columnsWith('the name of the code'),
    tags: columnsWith('tags, separated by |, ; or ,'),
    createdAt: columnsWith('the time of the creation'),
    clicks: columnsWith('the clicks so far'),
  },
  {
    description:
      'The columns of the file that have each field. Of several, the first cell that is not empty counts.',
  },
)

const chosenColumns = Type.Optional(
  Type.Array(Type.String({ minLength: 1 }), { maxItems: limits.moveColumnsPerFieldMax }),
)

/** A mapping that a client sends. Fields that it does not name are recognized. */
export const ChosenMoveColumns = strictObject({
  shortCode: chosenColumns,
  destination: chosenColumns,
  title: chosenColumns,
  tags: chosenColumns,
  createdAt: chosenColumns,
  clicks: chosenColumns,
})
export type ChosenMoveColumns = Static<typeof ChosenMoveColumns>

/** A link as it will be here. */
export const MovePreviewLink = strictObject({
  line: Type.Integer({ description: 'Number of its line in the file, from 1.', minimum: 1 }),
  shortCode: Type.String({
    description: 'The short code that the file has, also if it cannot be one here; empty if it has none.',
  }),
  destination: Type.String({ description: 'Where it leads.' }),
  title: Type.String({ description: 'The name of the code.' }),
  tags: Type.Array(Type.String(), { description: 'Tags of the code.' }),
  createdAt: nullable(Timestamp('When it was created; null if the file does not say it.')),
  scansBefore: Count('Clicks so far.'),
  problem: nullable(
    Type.String({
      description: 'Why the link cannot come, as far as its row shows it; null: nothing is wrong in the row.',
    }),
  ),
  details: namedDetails('The problems that `problem` tells, each with its field'),
})
export type MovePreviewLink = Static<typeof MovePreviewLink>

const summaryFields = {
  id: Id('job'),
  status: ImportStatus,
  source: MoveSourceName,
  fileName: nullable(Type.String({ description: 'Name of the uploaded file.' })),
  domainId: nullable(Type.String({ description: 'The domain of the codes; null: below PUBLIC_URL.' })),
  dryRun: Type.Boolean({ description: 'Whether the job only checks the file and writes nothing.' }),
  totalRows: Count('Links in the file.'),
  processedRows: Count('Links processed so far.'),
  successCount: Count('Links that became codes; in a dry run those that could.'),
  errorCount: Count('Links that could not.'),
  waitingCount: Count(
    'Codes among `successCount` on a domain that was not proved when the move began: they and their visits wait until it is. `GET …/qr-codes?waiting=true` lists them.',
  ),
  resolve: Type.Boolean({ description: 'Whether destinations are looked at first.' }),
  lookedRows: Count('Links whose destinations were looked at so far.'),
  warningCount: Count('Links that came although their destination gives no page.'),
  visitsFileName: nullable(Type.String({ description: 'Name of the file of visits; null: there was none.' })),
  totalVisits: Count('Visits in the file of visits.'),
  processedVisits: Count('Visits processed so far.'),
  movedScans: Count('Visits that became scans; in a dry run those that could.'),
  movedBots: Count('Visits by bots, previews and prefetches that came: they are no scans.'),
  skippedVisits: Count(
    'Visits that did not come: of links that did not, of a time that cannot be read, or older than scans are kept.',
  ),
  createdAt: Timestamp('When the job was created.'),
  completedAt: nullable(Timestamp('When the job ended; null until then.')),
  failureReason: nullable(Type.String({ description: 'Why the job FAILED, in a sentence; null otherwise.' })),
  ...namedProblem,
}

/** The columns of a file of visits that have each field. */
export const MoveVisitColumns = strictObject(
  {
    code: columnsWith('the short code, or the short URL that ends with it'),
    time: columnsWith('the time of the visit'),
    userAgent: columnsWith('the user agent'),
    referrer: columnsWith('the page that led there'),
    country: columnsWith('the country, as a code or by its English name'),
    region: columnsWith('the region'),
    city: columnsWith('the city'),
    bot: columnsWith('whether it was a bot'),
  } satisfies Record<VisitField, unknown>,
  {
    description:
      'The columns of the file of visits that have each field, recognized by their names. Of several, the first cell that is not empty counts.',
  },
)
export type MoveVisitColumns = Static<typeof MoveVisitColumns>

/** A visit that cannot be read. */
export const MoveVisitProblem = strictObject({
  line: Type.Integer({ description: 'Number of its line in the file of visits, from 1.', minimum: 1 }),
  message: Type.String({ description: 'Why it cannot be read.' }),
  ...namedProblem,
})
export type MoveVisitProblem = Static<typeof MoveVisitProblem>

/** A move in a list. */
export const MoveSummary = strictObject(summaryFields)
export type MoveSummary = Static<typeof MoveSummary>

/** The move of links from another product. */
export const Move = strictObject({
  ...summaryFields,
  columns: Type.Array(Type.String(), { description: 'The columns of the file.' }),
  mapping: MoveColumns,
  preview: Type.Array(MovePreviewLink, {
    description: `The first ${limits.movePreviewLinksMax} links, as they were read.`,
    maxItems: limits.movePreviewLinksMax,
  }),
  errors: Type.Array(ImportRowError, {
    description: `The first ${limits.importErrorsMax} links that could not become codes; errors.csv has all of them.`,
    maxItems: limits.importErrorsMax,
  }),
  errorsTruncated: Type.Boolean({ description: 'Whether there are more errors than `errors` contains.' }),
  warnings: Type.Array(ImportRowError, {
    description: `The first ${limits.importErrorsMax} links that came although their destination gives no page, with the reason.`,
    maxItems: limits.importErrorsMax,
  }),
  visitColumns: nullable(MoveVisitColumns),
  visitProblems: Type.Array(MoveVisitProblem, {
    description: `The first ${limits.moveVisitProblemsMax} visits that cannot be read; \`skippedVisits\` counts all of them.`,
    maxItems: limits.moveVisitProblemsMax,
  }),
})
export type Move = Static<typeof Move>

export const MovePage = strictObject({ data: Type.Array(MoveSummary), pagination: Pagination })
export type MovePage = Static<typeof MovePage>

export const ListMovesQuery = strictObject({ ...pageParameters, status: Type.Optional(ImportStatus) })
export type ListMovesQuery = Static<typeof ListMovesQuery>

/** The text fields of the multipart form that starts a move; the file is in `file`. */
export const StartMoveFields = strictObject({
  source: MoveSourceName,
  domainId: Type.Optional(
    IdInput(
      'A domain for the codes, which wait if it is not proved yet; `none`: below PUBLIC_URL. Default: the default domain of the organization, or PUBLIC_URL.',
    ),
  ),
  mapping: Type.Optional(
    Type.String({
      description:
        'JSON: the columns of fields that are not recognized by their names, such as {"destination": ["Target"]}. An empty list leaves a field out.',
      examples: ['{"destination":["Target"],"createdAt":[]}'],
    }),
  ),
  dryRun: Type.Optional(
    Type.Boolean({ description: 'Only check the file and write nothing.', default: false }),
  ),
  resolve: Type.Optional(
    Type.Boolean({
      description: `Look at each destination first, politely; one that gives no page is a warning. At most ${limits.resolvedLinksMax} links.`,
      default: false,
    }),
  ),
})
export type StartMoveFields = Static<typeof StartMoveFields>

/** The multipart form that starts a move, as the OpenAPI document describes it. */
export const StartMoveForm = strictObject({
  file: Type.String({
    description: `The export: CSV of at most ${limits.moveBytesMax / 1024 ** 2} MiB, or JSON of at most ${limits.moveJsonBytesMax / 1024 ** 2} MiB; at most ${limits.moveRowsMax} links.`,
    contentMediaType: 'text/csv',
  }),
  visits: Type.Optional(
    Type.String({
      description: `Visits one by one, as CSV or JSON of the same sizes; at most ${limits.moveVisitsMax} of them. Those of links that come become scans, which are never unique, and are no longer in \`scansBefore\`.`,
      contentMediaType: 'text/csv',
    }),
  ),
  ...StartMoveFields.properties,
})
