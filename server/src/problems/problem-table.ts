import type { Problem, ProblemName, ValuesOf } from '@everscan/contract/problems/problem.ts'
import type { Severity } from '@everscan/contract/resources/installation.ts'
import { dayText, daysBefore } from '../amounts.ts'
import type { Facts, PartKind } from './facts.ts'

/** Something that can be wrong with an installation. */
export type KnownProblem<Kind extends PartKind = PartKind, Name extends ProblemName = ProblemName> = {
  readonly name: Name
  readonly severity: Severity
  /** The metric that shows how bad it is, without prefix; `problem` shows each of them. */
  readonly metric: string
  /** The place in `docs` that says what to do. */
  readonly docs: string
  /** Returns the values of the problem if the facts show it. */
  readonly find: (facts: Facts[Kind]) => ValuesOf<Name> | undefined
}

/** Makes the entries of a part; each is a problem and how it is known. */
function entriesOf<Kind extends PartKind>() {
  return <Name extends ProblemName>(
    name: Name,
    [severity, metric, docs]: readonly [severity: Severity, metric: string, docs: string],
    find: (facts: Facts[Kind]) => ValuesOf<Name> | undefined,
  ): KnownProblem<Kind> => ({ name, severity, metric, docs, find })
}

/** Finds problems that a part names itself. */
function toldBy<Kind extends PartKind & KindThatTells>() {
  const entry = entriesOf<Kind>()
  return (name: ProblemName, shown: Parameters<typeof entry>[1]): KnownProblem<Kind> =>
    entry(name, shown, ({ told }: Facts[Kind]) =>
      told?.problem === name ? (told.values as never) : undefined,
    )
}
type KindThatTells = { [Kind in PartKind]: 'told' extends keyof Facts[Kind] ? Kind : never }[PartKind]

/** The values of a problem that has none. */
const yes = {} as const
/** For what a part tells by a name that the table does not have. */
const isTold = ({ told }: { readonly told: Problem | undefined }) => told && yes
const hourMs = 3_600_000

/** A process that has not reported for longer has a problem of its own. */
const silentMsMax = 3_000
/** With more lag, figures count as late: bursts are ingested within seconds. */
export const lagMsMax = 60_000
const journalShareFull = 0.9
const journalShareHigh = 0.8
/** The files that others publish are new each month. */
const geographyDaysMax = 60

const health = 'operations.md#health'
const alert = (name: string) => `operations.md#everscan${name}`

const inProcess = entriesOf<'process'>()
const inPackages = entriesOf<'nativePackages'>()
const inUpgrade = toldBy<'catalogueUpgrade'>()
const inCatalogue = entriesOf<'catalogue'>()
const inStore = entriesOf<'scanStore'>()
const toldByStore = toldBy<'scanStore'>()
const inRewrite = entriesOf<'scanStoreUpgrade'>()
const inParts = entriesOf<'scanParts'>()
const inLosses = entriesOf<'lostScans'>()
const inJournal = entriesOf<'journal'>()
const onDisk = entriesOf<'disk'>()
const inLimits = entriesOf<'scanLimits'>()
const inIngest = entriesOf<'ingest'>()
const toldByIngest = toldBy<'ingest'>()
const inGeography = entriesOf<'geography'>()
const toldByGeography = toldBy<'geography'>()
const inCertificates = entriesOf<'certificates'>()
const inCopies = entriesOf<'copies'>()
const toldByCopies = toldBy<'copies'>()
const amongMachines = entriesOf<'machines'>()
const toldByMachines = toldBy<'machines'>()

const down = ['failing', 'part_up', alert('partdown')] as const
const unable = ['failing', 'part_up', 'operations.md#old-processors'] as const
const upgrading = ['degraded', 'part_up', 'operations.md#upgrades-of-the-catalogue'] as const
const unusable = ['failing', 'part_up', 'backup.md#copies-by-hand'] as const
const late = ['failing', 'ingest_lag_seconds', alert('ingestbehind')] as const
const filling = ['failing', 'journal_bytes', alert('journalnearlyfull')] as const
const unreadable = ['failing', 'geography_built_timestamp_seconds', alert('geographyold')] as const
const noCopy = ['failing', 'copies_total', alert('copyfailed')] as const
const rewriting = 'operations.md#upgrades-of-the-scan-store'
const apart = ['degraded', 'part_up', 'guide/scaling.md#several-machines'] as const

/**
 * Everything that can be wrong with an installation, by the part of `/readyz` that has it. Of a
 * part, the first problem that its facts show is told, to every reader alike.
 */
export const problemTable: { readonly [Kind in PartKind]: readonly KnownProblem<Kind>[] } = {
  process: [
    inProcess('processDown', down, ({ isReady }) => (isReady ? undefined : yes)),
    inProcess('processSilent', ['failing', 'process_restarts_total', alert('processhung')], (facts) =>
      !facts.answers && facts.silentMs >= silentMsMax
        ? { seconds: Math.floor(facts.silentMs / 1000) }
        : undefined,
    ),
    inProcess('processMute', down, ({ answers }) => (answers ? undefined : yes)),
  ],
  nativePackages: [
    inPackages('apiCannotRun', unable, ({ ofApi }) => ofApi),
    inPackages('figuresCannotRun', unable, ({ ofEngine }) => ofEngine),
  ],
  catalogueUpgrade: [
    inUpgrade('catalogueCopied', upgrading),
    inUpgrade('catalogueUpgrading', upgrading),
    inUpgrade('catalogueUpgradedElsewhere', upgrading),
    entriesOf<'catalogueUpgrade'>()('catalogueUpgradeBegins', upgrading, isTold),
  ],
  catalogue: [inCatalogue('catalogueSilent', down, ({ answers }) => (answers ? undefined : yes))],
  scanStore: [
    toldByStore('scanStoreUpgrading', ['degraded', 'part_up', rewriting]),
    toldByStore('scanStoreLater', unusable),
    toldByStore('scanServerTooOld', unusable),
    toldByStore('scanStoreForeign', unusable),
    toldByStore('scanServerForeign', unusable),
    toldByStore('scanStoreOther', unusable),
    toldByStore('scanStoreEmpty', unusable),
    toldByStore('scanStoreSecond', unusable),
    toldByStore('scanStoreOld', [
      'failing',
      'part_up',
      'databases.md#the-embedded-scan-store-of-earlier-releases',
    ]),
    inStore('scanStoreRefused', unusable, isTold),
    inStore('scanStoreSilent', down, ({ answers }) => (answers ? undefined : yes)),
  ],
  scanStoreUpgrade: [
    inRewrite('rewriteStuck', ['degraded', 'scan_store_rewrite_rows', rewriting], ({ rowsLeft, problem }) =>
      rowsLeft > 0 && problem !== '' ? { reason: problem } : undefined,
    ),
    inRewrite('rewriteUnderWay', ['notice', 'scan_store_rewrite_rows', rewriting], (facts) =>
      facts.rowsLeft > 0 ? progressOf(facts) : undefined,
    ),
  ],
  scanParts: [
    inParts(
      'scanPartsTroubled',
      ['degraded', 'scan_store_troubled_parts', alert('scanpartstroubled')],
      ({ detached, broken }) => {
        const [first] = [...detached, ...broken]
        return first && { ...first, detached: detached.length, broken: broken.length }
      },
    ),
  ],
  lostScans: [inLosses('hitsLost', ['degraded', 'lost_hits', alert('scanslost')], ({ lost }) => lost)],
  journal: [
    inJournal(
      'scansUnrecorded',
      ['failing', 'scans_unrecorded_total', alert('scansunrecorded')],
      ({ isDegraded }) => (isDegraded ? yes : undefined),
    ),
    inJournal('journalNearlyFull', filling, (facts) => fullAbove(facts, journalShareFull)),
    inJournal('journalFilling', ['notice', filling[1], filling[2]], (facts) =>
      fullAbove(facts, journalShareHigh),
    ),
  ],
  disk: [
    onDisk('diskNearlyFull', ['failing', 'disk_free_bytes', alert('disknearlyfull')], (facts) =>
      facts.isNearlyFull ? { freeBytes: facts.freeBytes, sizeBytes: facts.sizeBytes } : undefined,
    ),
  ],
  scanLimits: [
    inLimits('limitsUncounted', ['degraded', 'scan_limits_unknown_open_total', health], (facts) =>
      facts.isUnknown ? { open: facts.open, closed: facts.closed } : undefined,
    ),
  ],
  ingest: [
    inIngest('ingestWaits', late, ({ isStarted }) => (isStarted ? undefined : yes)),
    toldByIngest('ingestStoreSilent', late),
    toldByIngest('ingestStoreRefused', late),
    toldByIngest('ingestFileFailed', late),
    toldByIngest('ingestCatalogueSilent', late),
    toldByIngest('journalForeign', ['failing', 'part_up', 'backup.md#copies-by-hand']),
    inIngest('ingestFailing', late, isTold),
    inIngest('ingestLate', ['degraded', late[1], late[2]], ({ lateMs, lateBytes }) =>
      lateMs > lagMsMax ? { seconds: Math.round(lateMs / 1000), bytes: lateBytes } : undefined,
    ),
    inIngest('restoredUncounted', ['degraded', 'part_up', 'backup.md#restore-one'], (facts) =>
      facts.isCountingRestored ? yes : undefined,
    ),
  ],
  geography: [
    toldByGeography('geographyUnreadable', unreadable),
    toldByGeography('geographyKept', unreadable),
    inGeography(
      'geographyOld',
      ['notice', 'geography_age_seconds', alert('geographyold')],
      ({ builtMs, nowMs }) => {
        if (builtMs === undefined) return undefined
        const days = daysBefore(builtMs, nowMs)
        return days > geographyDaysMax ? { day: dayText(builtMs), days } : undefined
      },
    ),
  ],
  certificates: [
    inCertificates(
      'certificatesFailing',
      ['failing', 'certificates_failing', alert('certificatefailing')],
      ({ failing }) => {
        const [first] = failing
        if (first === undefined) return undefined
        const { hostname: host, expiresAtMs, found } = first
        const last = found?.problem ?? 'orderFailed'
        return { ...found?.values, last, count: failing.length, host, day: dayText(expiresAtMs) }
      },
    ),
  ],
  copies: [
    inCopies(
      'copiesNotScheduled',
      ['notice', 'copy_interval_seconds', 'backup.md#let-the-service-make-copies'],
      (facts) => (facts.isScheduled ? undefined : yes),
    ),
    toldByCopies('backupDirMissing', noCopy),
    toldByCopies('backupDirNoFolder', noCopy),
    toldByCopies('backupDirUnwritable', noCopy),
    toldByCopies('passphraseFileUnreadable', noCopy),
    ...failedCopies(),
    inCopies('copyMissing', noCopy, ({ hasCopy, ageMs, everyMs }) =>
      !hasCopy && ageMs > 2 * everyMs ? { hours: hoursOf(ageMs) } : undefined,
    ),
    inCopies('copyOld', ['failing', 'copy_age_seconds', alert('copyold')], ({ ageMs, everyMs }) =>
      ageMs > 2 * everyMs ? { hours: hoursOf(ageMs), everyHours: hoursOf(everyMs) } : undefined,
    ),
    inCopies(
      'copyUnverified',
      ['failing', 'copy_verified_age_seconds', alert('copyunverified')],
      ({ unverifiedMs, unverifiedMsMax }) =>
        unverifiedMs > unverifiedMsMax ? { hours: hoursOf(unverifiedMs) } : undefined,
    ),
    inCopies(
      'copyHasFewer',
      ['notice', 'copy_bytes', 'backup.md#copies-that-lack-scans'],
      ({ fewer }) => fewer,
    ),
  ],
  machines: [
    toldByMachines('settingDiffers', apart),
    toldByMachines('secretDiffers', apart),
    amongMachines(
      'machineSilent',
      ['degraded', 'part_up', 'guide/scaling.md#a-machine-that-is-gone'],
      ({ silent }) => silent && { machine: silent.name, since: new Date(silent.seenAtMs).toISOString() },
    ),
  ],
}

/** Problems with which the last attempt at a copy ended. */
function failedCopies(): KnownProblem<'copies'>[] {
  const shown = {
    copyNotMade: noCopy,
    copyNotVerified: noCopy,
    copyAbandoned: noCopy,
    copyCommandFailed: noCopy,
    copyLacksScans: ['failing', 'copy_partial', 'backup.md#copies-that-lack-scans'],
  } as const
  const named = Object.entries(shown).map(([name, how]) =>
    inCopies(name as keyof typeof shown, how, ({ failed }) =>
      failed?.problem === name ? (failed.values as never) : undefined,
    ),
  )
  return [...named, inCopies('copyFailed', noCopy, ({ failed }) => failed && yes)]
}

function fullAbove({ bytes, bytesMax }: Facts['journal'], share: number): { percent: number } | undefined {
  return bytes > bytesMax * share ? { percent: Math.floor((100 * bytes) / bytesMax) } : undefined
}

function progressOf({
  rows,
  rowsLeft,
  endsAtMs,
  nowMs,
}: Facts['scanStoreUpgrade']): ValuesOf<'rewriteUnderWay'> {
  const minutes = endsAtMs === undefined ? -1 : Math.ceil(Math.max(0, endsAtMs - nowMs) / 60_000)
  return { done: rows - rowsLeft, rows, minutes }
}

function hoursOf(ms: number): number {
  return Math.floor(ms / hourMs)
}
