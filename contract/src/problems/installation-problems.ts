import { countOf, lastOf, periodOf, type AboutLast } from './english.ts'
import { domainProblems } from './domain-problems.ts'

type Differing = { readonly setting: string; readonly settings: string; readonly machines: string }
type LostHits = { readonly hits: number; readonly firstDay: string; readonly lastDay: string }
type Troubled = {
  readonly detached: number
  readonly broken: number
  readonly part: string
  readonly table: string
  readonly why: string
}
type Rewrite = { readonly done: number; readonly rows: number; readonly minutes: number }
type Failing = AboutLast & { readonly count: number; readonly host: string; readonly day: string }

/**
 * Problems of the processes, stores, journals and machines of an installation. Most follow the name
 * of a part of `/readyz`.
 */
export const installationProblems = {
  processDown: 'is down or starting',
  processSilent: 'has not reported for {seconds} s',
  processMute: 'does not answer',
  /** `reason` is the signal that ended a process which used the package, or the system's words. */
  figuresCannotRun:
    '{package} needs {needs} and does not run on this machine ({reason}): codes redirect, scans wait in the journal, and figures fail. Move to another machine, or set CLICKHOUSE_URL.',
  apiCannotRun:
    '{package} needs {needs} and does not run on this machine ({reason}): codes redirect and scans wait in the journal; the API, the dashboard and figures do not work. Move to another machine.',

  catalogueUpgradeBegins: 'is being upgraded',
  catalogueCopied: 'is being copied before its upgrade',
  catalogueUpgrading: 'is being upgraded: {done} of {all} migrations done, now {migration}',
  catalogueUpgradedElsewhere: 'is being upgraded by another process',
  catalogueSilent: 'the database does not answer',

  scanStoreSilent: 'does not answer: scans wait in the journal, figures fail',
  scanStoreUpgrading: 'is being upgraded: scans wait in the journal, figures fail',
  scanStoreLater:
    'the scan store was upgraded by a later release (schema {schema}, this release knows up to {known}); run that release, or restore a backup from before that upgrade',
  scanServerTooOld:
    'CLICKHOUSE_URL: ClickHouse must be {min} or later, and this server is {version}; upgrade it',
  scanStoreForeign:
    'the scan store belongs to installation {owner}, and the catalogue to {installation}: restore {dir} that belongs to it. If this is intended: ./everscan adopt scan-store.',
  scanServerForeign:
    'the scan store belongs to installation {owner}, and the catalogue to {installation}: set the CLICKHOUSE_URL that belongs to it. If this is intended: ./everscan adopt scan-store.',
  scanStoreOther:
    'the scan store is not the one that the catalogue knows: restore the right one, or take this one over: ./everscan adopt scan-store.',
  scanStoreEmpty:
    'the scan store is empty, but the catalogue knows of scans in it: restore it (is a volume not mounted?), or begin with this one, into which the scans of the last three days are put back: ./everscan adopt scan-store.',
  scanStoreSecond:
    'CLICKHOUSE_URL is missing: this database belongs to a machine with its own scan store, and each of two such stores would have only a part of the scans. Set CLICKHOUSE_URL on all machines; if that machine is gone for good: ./everscan adopt scan-store.',
  scanStoreOld:
    'the scans are in the embedded scan store of an earlier release: stop the service, and make them files of this one: ./everscan upgrade-store. Meanwhile, codes redirect, scans wait in the journal, and figures fail.',
  scanStoreRefused: 'cannot be used: the log of the worker says why',
  /** `reason` is what the store says. */
  rewriteStuck: 'cannot go on: {reason}',
  /** `minutes` are left; below 0 if that is unknown. */
  rewriteUnderWay: ({ done, rows, minutes }: Rewrite) =>
    `rewrites old rows: ${done.toLocaleString('en')} of ${countOf(rows, 'row')} (${Math.floor((100 * done) / rows)} %), ${minutes < 0 ? 'no estimate yet' : `about ${countOf(minutes, 'minute')} left`}; codes redirect and figures stay right`,
  /** `why` is what the store says; empty if it says nothing. */
  scanPartsTroubled: ({ detached, broken, part, table, why }: Troubled) =>
    `${detached} parts of the scan store are detached and ${broken} cannot be read, such as ${part} of ${table}${why === '' ? '' : ` (${why})`}: see docs/operations.md`,
  hitsLost: ({ hits, firstDay, lastDay }: LostHits) =>
    `${countOf(hits, 'hit')} ${periodOf(firstDay, lastDay)} were counted, but the scan store lacks them: restore a copy that has them, or accept the loss with ./everscan adopt losses; ./everscan doctor names their writers`,

  scansUnrecorded: 'scans go unrecorded or unsynced',
  journalNearlyFull: 'nearly full: {percent} % of JOURNAL_MAX_BYTES are used',
  journalFilling: '{percent} % of JOURNAL_MAX_BYTES are used',
  diskNearlyFull: 'nearly full: {freeBytes} of {sizeBytes} bytes are free under DATA_DIR',
  limitsUncounted: 'the catalogue could not count: {open} answers were given and {closed} refused without it',

  ingestWaits: 'waits for the scan store',
  ingestStoreSilent: 'the scan store does not answer',
  ingestStoreRefused: 'the scan store answers {code}: scans wait in the journal',
  ingestFileFailed: 'a file cannot be read or written ({code}): scans wait in the journal',
  ingestCatalogueSilent: 'the catalogue does not answer: scans wait in the journal',
  ingestFailing: 'cannot go on, and the log of the worker says why: scans wait in the journal',
  journalForeign:
    'the journals in {dir} belong to installation {owner}: move the folder out of DATA_DIR. To ingest its scans here: ./everscan adopt data-dir.',
  ingestLate: 'is {seconds} s behind ({bytes} bytes)',
  restoredUncounted:
    'counts the scans of the restored copy: until then, counters of codes are behind analytics',

  /** `code` is one of the system, or INVALID for a file with other contents. */
  geographyUnreadable: 'geography file for IP{family} {path} cannot be read ({code}); places are unknown',
  geographyKept: 'geography file for IP{family} {path} cannot be read ({code}); the one in use is kept',
  geographyOld: 'the data is of {day}, {days} days old',

  certificatesFailing: ({ count, host, day, ...about }: Failing) =>
    `${countOf(count, 'certificate')} could not be renewed; that of ${host} ends ${day}: ${lastOf(domainProblems, about)}`,

  /** `settings` has a value a line, `machines` a machine that has it. */
  settingDiffers: ({ setting, settings, machines }: Differing) => differing(setting, { settings, machines }),
  /** `settings` has a fingerprint a line. */
  secretDiffers: ({ setting, settings, machines }: Differing) =>
    differing(setting, { settings: settings.replaceAll(/^/gm, 'fingerprint '), machines }),
  machineSilent:
    '{machine} has not reported since {since}, and was not stopped: scans in its journal may be nowhere else. Start it again.',
} as const

function differing(setting: string, { settings, machines }: Omit<Differing, 'setting'>): string {
  const names = machines.split('\n')
  const parts = settings.split('\n').map((value, at) => `${value} on ${names[at]}`)
  return `${setting} differs between machines: ${parts.join(', ')}. Give all of them one value.`
}
