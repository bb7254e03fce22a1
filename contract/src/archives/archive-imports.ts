import { Type, type Static } from 'typebox'
import { Count, Id, IdInput, Timestamp, nullable, oneOf, strictObject } from '../schema/common.ts'
import { limits } from '../schema/limits.ts'
import { namedDetails, namedProblem } from '../schema/named-problems.ts'

/** The parts of an archive of an organization, in the order in which they are imported. */
export const archiveSections = [
  'folders',
  'styles',
  'domains',
  'utmTemplates',
  'qrCodes',
  'versions',
  'hits',
  'views',
  'webhooks',
] as const
export type ArchiveSection = (typeof archiveSections)[number]

const counts = (what: string) =>
  strictObject(
    {
      folders: Count('Folders.'),
      styles: Count('Saved styles.'),
      domains: Count('Domains, which are not proved here.'),
      utmTemplates: Count('UTM templates.'),
      qrCodes: Count('QR codes.'),
      versions: Count('Older versions of codes.'),
      hits: Count('Hits of every class; those of the class human are scans.'),
      views: Count('Saved views.'),
      webhooks: Count('Webhooks.'),
    },
    { description: what },
  )
export type ArchiveCounts = Readonly<Record<ArchiveSection, number>>

export const archiveImportStatuses = ['CHECKED', 'PENDING', 'PROCESSING', 'COMPLETED'] as const
export type ArchiveImportStatus = (typeof archiveImportStatuses)[number]

/**
 * Whether the records of an archive get new ids, or keep theirs where these were never used. Only
 * the operator's command keeps ids.
 */
export const archiveIdsKinds = ['new', 'kept'] as const
export type ArchiveIdsKind = (typeof archiveIdsKinds)[number]

/** The columns of the file that says which id each record of an archive got. */
export const archivedIdColumns = ['archived', 'here'] as const

/** A line of an archive that is not imported. */
export const ArchiveLineLeftOut = strictObject({
  file: Type.String({ description: 'File of the archive.', examples: ['qr-codes.jsonl'] }),
  line: Type.Integer({ description: 'Number of the line, from 1.', minimum: 1 }),
  shortCode: nullable(Type.String({ description: 'The short code, if the line is a code.' })),
  reason: Type.String({ description: 'Why it cannot be taken, in a sentence.' }),
  path: Type.String({ description: 'The field that the problem is about; empty for the whole line.' }),
  ...namedProblem,
})
export type ArchiveLineLeftOut = Static<typeof ArchiveLineLeftOut>

/** The import of an archive, or with `dryRun` what it would do. */
export const ArchiveImport = strictObject({
  id: nullable(Id('job', 'Identifier of the job; null for a dry run.')),
  organizationId: nullable(
    Type.String({ description: 'The organization that is filled; null for a dry run that would make one.' }),
  ),
  status: oneOf(archiveImportStatuses, {
    description: 'CHECKED: a dry run, which wrote nothing. A job ends as COMPLETED.',
  }),
  fileName: nullable(Type.String({ description: 'Name of the uploaded file.' })),
  ids: oneOf(archiveIdsKinds, {
    description:
      'new: every record gets a new identifier, which `ids.csv` maps from that of the archive. kept: identifiers that were never used here stay; only the command of the operator asks for it.',
  }),
  organizationName: Type.String({ description: 'Name of the organization in the archive.' }),
  publicUrl: Type.String({ description: 'Public URL of the installation that made the archive.' }),
  exportedAt: Timestamp('When the archive was made.'),
  samePictures: Type.Boolean({
    description:
      'Whether the codes keep their pictures: only if this installation has the same public URL. Otherwise they are drawn anew.',
  }),
  total: counts('What is imported.'),
  done: counts('What was imported so far.'),
  waitingCount: Count(
    'Codes among `total` on domains: they wait until the organization has proved their host name here. `GET …/qr-codes?waiting=true` lists them.',
  ),
  leftOutCount: Count('Lines that cannot be taken.'),
  leftOut: Type.Array(ArchiveLineLeftOut, {
    description:
      'These lines, each with its reason; of the hits of codes that are not in the archive only the first one of a file.',
    maxItems: limits.archiveRefusalsMax,
  }),
  problem: nullable(
    Type.String({ description: 'What holds the job up, while it tries again; null if nothing does.' }),
  ),
  details: namedDetails('What holds the job up, with its name'),
  createdAt: nullable(Timestamp('When the job was created; null for a dry run.')),
  completedAt: nullable(Timestamp('When the job ended; null until then.')),
})
export type ArchiveImport = Static<typeof ArchiveImport>

export const StartArchiveImportQuery = strictObject({
  organizationId: Type.Optional(
    IdInput(
      'The empty organization to fill, of which the caller is ADMIN. Absent: a session makes a new organization; an API key must name its own.',
    ),
  ),
  dryRun: Type.Optional(
    Type.Boolean({ description: 'Only check the archive and write nothing.', default: false }),
  ),
  leaveOut: Type.Optional(
    Type.Boolean({
      description: 'Import without the lines that cannot be taken. Default: 409 if there are any.',
      default: false,
    }),
  ),
})
export type StartArchiveImportQuery = Static<typeof StartArchiveImportQuery>

/** The multipart form that starts an import, as the OpenAPI document describes it. */
export const StartArchiveImportForm = strictObject({
  file: Type.String({
    description: `The archive, at most ${limits.archiveBytesMax / 1024 ** 2} MiB.`,
    contentMediaType: 'application/zip',
  }),
})
