import { countOf, lastOf, periodOf, spanOf, type AboutLast } from './english.ts'

type Lacking = {
  readonly hits: number
  readonly firstDay: string
  readonly lastDay: string
  readonly writer: string
  readonly scans: number
  readonly machines: string
  readonly damagedBytes: number
}
type Age = { readonly hours: number }
type Fewer = { readonly hits: number; readonly before: string }

/** Why a copy was not made or not verified. */
const causes = {
  backupDirMissing: 'BACKUP_DIR {dir} does not exist: mount or create it, for the user of the service',
  backupDirNoFolder: 'BACKUP_DIR {dir} is not a folder: set it to a folder',
  backupDirUnwritable:
    'BACKUP_DIR {dir} cannot be written by the user of the service: let that user write it',
  passphraseFileUnreadable:
    'BACKUP_PASSPHRASE_FILE {path} cannot be read: no copies are made until it can, because they would not be encrypted',
  copyAbandoned:
    'the process that was at it on {machine} ended before it finished: read the log, and check the memory of the machine',
  /** `difference` is the first one. */
  copyDiffers: 'the restored copy differs: {difference}',
  /** `reason` is what the command says. */
  copyCommandFailed: '{reason}',
} as const

/** Problems of the copies of an installation. */
export const copyProblems = {
  ...causes,
  copyNotMade: (about: AboutLast) => `no copy could be made: ${lastOf(causes, about)}`,
  copyNotVerified: ({ copy, ...about }: AboutLast & { readonly copy: string }) =>
    `${copy} could not be verified: ${lastOf(causes, about)}`,
  copyFailed: 'the last copy failed: see the log of the worker',
  /**
   * `hits` of a period that were counted; `writer` is empty if they are of several. `scans` did not
   * arrive from other machines, of which `machines` has the names.
   */
  copyLacksScans: (lacking: Lacking) =>
    `the last copy lacks ${lacksOf(lacking).join(', ')}: make sure that every machine runs and reaches the scan store; for hits that are lost, see ./everscan doctor`,
  copyMissing: ({ hours }: Age) => `no copy was created for ${spanOf(hours)}: see the log of the worker`,
  copyOld: ({ hours, everyHours }: Age & { readonly everyHours: number }) =>
    `the last copy is ${spanOf(hours)} old, and one is due every ${spanOf(everyHours)}: see the log of the worker`,
  copyUnverified: ({ hours }: Age) => `no copy was verified for ${spanOf(hours)}: see the log of the worker`,
  copyHasFewer: ({ hits, before }: Fewer) =>
    `the copy has ${countOf(hits, 'hit')} fewer than ${before}, and RETENTION_DAYS did not delete them. Keep that one until you know why`,
  copiesNotScheduled: 'no scheduled copies: set BACKUP_DIR',
} as const

function lacksOf({ hits, firstDay, lastDay, writer, scans, machines, damagedBytes }: Lacking): string[] {
  return [
    ...(hits > 0
      ? [
          `${countOf(hits, 'hit')} ${periodOf(firstDay, lastDay)}${writer === '' ? '' : ` of the writer ${writer}`}`,
        ]
      : []),
    ...(scans > 0 ? [`up to ${countOf(scans, 'scan')} of other machines`] : []),
    ...(machines === '' ? [] : [`perhaps scans of ${machines}`]),
    ...(damagedBytes > 0
      ? [`the scans in ${countOf(damagedBytes, 'damaged byte')} of the journals of this machine`]
      : []),
  ]
}
