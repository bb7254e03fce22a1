import { Type, type Static } from 'typebox'
import { Count, Id, Timestamp, nullable, oneOf, strictObject } from '../schema/common.ts'

export const copyStates = ['MAKING', 'CHECKED', 'VERIFIED', 'FAILED'] as const

/** How many copies, and how many notes, the installation shows. */
export const installationRowsMax = 20

/** A copy of the whole installation that its schedule made, or that failed. */
export const Copy = strictObject({
  id: Id('cpy'),
  state: oneOf(copyStates, {
    description:
      'MAKING: it is being made. CHECKED: the file is complete and was read back. VERIFIED: it was also restored and compared. FAILED: `problem` says why.',
  }),
  madeAt: Timestamp('When it was begun.'),
  machine: Type.String({ description: 'Name of the machine that made it.' }),
  path: Type.String({ description: 'The file; of one that was not made, its folder.' }),
  bytes: nullable(Type.Integer({ description: 'Size of the file; null when there is none.', minimum: 0 })),
  checkedAt: nullable(Timestamp('When the file was complete and had been read back.')),
  verifiedAt: nullable(Timestamp('When it was restored and compared.')),
  problem: nullable(Type.String({ description: 'Why it failed; null when it did not.' })),
  organizations: nullable(Count('Organizations in it.')),
  codes: nullable(Count('Codes in it.')),
  scans: nullable(Count('Scans in it.')),
})
export type Copy = Static<typeof Copy>

const orNull = (what: string) => nullable(Copy, { description: what })

const Copies = strictObject({
  isScheduled: Type.Boolean({ description: 'Whether `BACKUP_DIR` is set.' }),
  dir: nullable(Type.String({ description: 'The setting `BACKUP_DIR`.' })),
  everyHours: Type.Integer({ description: 'The setting `BACKUP_EVERY_HOURS`.', minimum: 1 }),
  keep: Type.Integer({ description: 'The setting `BACKUP_KEEP`.', minimum: 1 }),
  isEncrypted: Type.Boolean({ description: 'Whether copies are encrypted with a passphrase.' }),
  problem: nullable(
    Type.String({ description: 'What is wrong with the copies, in a sentence; null when nothing is.' }),
  ),
  last: orNull('The newest one that is complete.'),
  lastVerified: orNull('The newest one that was restored and compared.'),
  recent: Type.Array(Copy, {
    description: 'The newest, also those that failed.',
    maxItems: installationRowsMax,
  }),
})

const Note = strictObject({
  at: Timestamp('When it was found.'),
  kind: Type.String({ description: 'What happened, such as `scans-lost` or `catalogue-behind`.' }),
  detail: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    description: 'Its numbers and days, by kind.',
  }),
})

/** What whoever runs the installation should know of it. */
export const Installation = strictObject({
  release: Type.String({ description: 'The release that runs.' }),
  copies: Copies,
  notes: Type.Array(Note, {
    description: 'What happened to the installation, newest first.',
    maxItems: installationRowsMax,
  }),
  reservedCodes: Count(
    'Short codes that were printed after the copy that was restored and that only the scans know: they answer 410 and are never given out.',
  ),
})
export type Installation = Static<typeof Installation>
