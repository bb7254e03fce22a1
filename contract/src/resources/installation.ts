import { Type, type Static } from 'typebox'
import { Count, Id, Timestamp, nullable, oneOf, strictObject } from '../schema/common.ts'
import { namedDetails, ProblemField, ValuesField } from '../schema/named-problems.ts'

export const copyStates = ['MAKING', 'CHECKED', 'VERIFIED', 'PARTIAL', 'FAILED'] as const

/** The maximum number of copies, and of notes, in an installation's record. */
export const installationRowsMax = 20

/** A scheduled copy of the whole installation, made or attempted. */
export const Copy = strictObject({
  id: Id('cpy'),
  state: oneOf(copyStates, {
    description:
      'MAKING: in progress. CHECKED: the file is complete and was read back. VERIFIED: it was also restored and compared. PARTIAL: the file was read back, but lacks scans; `problem` names them. FAILED: `problem` states why.',
  }),
  madeAt: Timestamp('When the copy was started.'),
  machine: Type.String({ description: 'Name of the machine that made the copy.' }),
  path: Type.String({ description: 'Path of the file, or of its folder if no file was made.' }),
  bytes: nullable(
    Type.Integer({ description: 'Size of the file in bytes; null if there is none.', minimum: 0 }),
  ),
  checkedAt: nullable(Timestamp('When the file was complete and had been read back.')),
  verifiedAt: nullable(Timestamp('When the copy was restored and compared.')),
  problem: nullable(
    Type.String({ description: 'Why the copy failed, or what it lacks; null if nothing is wrong.' }),
  ),
  problemDetails: namedDetails('The same problem with its name'),
  organizations: nullable(Count('Organizations in the copy.')),
  codes: nullable(Count('Codes in the copy.')),
  scans: nullable(Count('Scans in the copy.')),
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
    Type.String({ description: 'What is wrong with the copies, in a sentence; null if nothing is.' }),
  ),
  problemDetails: namedDetails('The same problem with its name'),
  notice: nullable(
    Type.String({
      description:
        'What is worth knowing of the newest copy although nothing is wrong with it, in a sentence: it has fewer scans than the one before.',
    }),
  ),
  noticeDetails: namedDetails('The same notice with its name'),
  last: orNull('The newest complete copy.'),
  lastVerified: orNull('The newest copy that was restored and compared.'),
  recent: Type.Array(Copy, {
    description: 'The newest copies, including failed ones.',
    maxItems: installationRowsMax,
  }),
})

const Note = strictObject({
  at: Timestamp('When it was noticed.'),
  kind: Type.String({ description: 'What happened, such as `scans-lost` or `catalogue-behind`.' }),
  detail: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    description: 'Figures and dates; the fields depend on the kind.',
  }),
})

const Geography = strictObject({
  ipv4BuiltAt: nullable(
    Timestamp('When the city database for IPv4 networks was built; null if its file cannot be read.'),
  ),
  ipv6BuiltAt: nullable(
    Timestamp('When the city database for IPv6 networks was built; null if its file cannot be read.'),
  ),
})

export const machineStates = ['LIVE', 'SILENT', 'STOPPED'] as const

/** A machine on which the service of the installation runs, or ran within the last day. */
export const Machine = strictObject({
  name: Type.String({ description: 'Host name and data directory.' }),
  state: oneOf(machineStates, {
    description:
      'LIVE: it reports. SILENT: it has not reported for 90 s and was not stopped. STOPPED: it was stopped in order.',
  }),
  release: Type.String({ description: 'The release that runs there.' }),
  startedAt: Timestamp('When its service was started.'),
  seenAt: Timestamp('When it reported last; machines report every 15 s.'),
  waitingBytes: nullable(
    Type.Integer({
      description:
        'Bytes of its journals that are not in the scan store; null if that is unknown. At 0, the machine can be removed.',
      minimum: 0,
    }),
  ),
  problem: nullable(Type.String({ description: 'What is wrong there, in a sentence; null if nothing is.' })),
  problemDetails: namedDetails('The same problem with its name'),
})
export type Machine = Static<typeof Machine>

const LostScans = strictObject({
  hits: Count('Hits that the catalogue had counted and that the scan store lacks.'),
  firstDay: Type.String({ description: 'The first of their days (UTC).', examples: ['2026-03-01'] }),
  lastDay: Type.String({ description: 'The last of their days (UTC).', examples: ['2026-03-04'] }),
})

/** The rewrite of old rows of the scan store after an upgrade. */
const Upgrade = strictObject({
  rows: Count('Rows of the scan store.'),
  rowsDone: Count('Rows that need no rewrite, or have been rewritten.'),
  endsAt: nullable(Timestamp('Estimate from the speed so far; null if there is none yet.')),
  problem: nullable(
    Type.String({ description: 'Why the scan store cannot go on, in its own words; null if it can.' }),
  ),
  problemDetails: namedDetails('The same problem with its name'),
})

/** The maximum number of machines, and of settings that differ, in an installation's record. */
export const machinesMax = 100

/** `notice`: worth knowing. `degraded`: works, and should be mended. `failing`: does not work. */
export const severities = ['notice', 'degraded', 'failing'] as const
export type Severity = (typeof severities)[number]

/** Something that is wrong with the installation now, as `/readyz` and metrics tell it. */
const PresentProblem = strictObject({
  part: Type.String({ description: 'The part of `/readyz` that has it.', examples: ['scanStore'] }),
  severity: oneOf(severities, {
    description:
      'notice: worth knowing. degraded: it works, and should be mended. failing: it does not work, or loses data.',
  }),
  problem: ProblemField,
  values: ValuesField,
  message: Type.String({ description: 'The problem in a sentence that follows the name of the part.' }),
})

/** The state of the installation, for its operator. */
export const Installation = strictObject({
  release: Type.String({ description: 'The running release.' }),
  problems: Type.Array(PresentProblem, {
    description:
      'What is wrong with the machine that answers, as its `/readyz` tells it. What is wrong with others is in `machines`.',
    maxItems: machinesMax,
  }),
  copies: Copies,
  lostScans: nullable(LostScans, {
    description:
      'Scans that are lost; null if none are. They are listed until they return, until the retention passes their days, or until the operator accepts the loss with `./everscan adopt losses`. No copy has them meanwhile.',
  }),
  geography: Geography,
  upgrade: nullable(Upgrade, {
    description:
      'How far the upgrade of old rows in the scan store is, while codes redirect and figures stay right. Null if all rows are upgraded, or if the scan store does not answer.',
  }),
  machines: Type.Array(Machine, { description: 'The machines, by name.', maxItems: machinesMax }),
  differences: Type.Array(Type.String(), {
    description: 'A sentence for each setting of which live machines have different values.',
    maxItems: machinesMax,
  }),
  differenceDetails: namedDetails('The same sentences with their names'),
  notes: Type.Array(Note, {
    description: 'What happened to the installation, newest first.',
    maxItems: installationRowsMax,
  }),
  reservedCodes: Count(
    'Short codes that were created after the restored copy and that only the scans know. They return 410 and are never reused.',
  ),
})
export type Installation = Static<typeof Installation>
