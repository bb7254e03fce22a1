import type { Log } from '../../log.ts'
import type { Database } from '../database.ts'
import { migratePostgres } from './migrate-postgres.ts'
import { migrateSqlite } from './migrate-sqlite.ts'
import { catalogue } from './versions/0001-catalogue.ts'
import { lists } from './versions/0002-lists.ts'
import { imports } from './versions/0003-imports.ts'
import { history } from './versions/0004-history.ts'
import { invitations } from './versions/0005-invitations.ts'
import { styles } from './versions/0006-styles.ts'
import { codeCounts } from './versions/0007-code-counts.ts'
import { brands } from './versions/0008-brands.ts'
import { events } from './versions/0009-events.ts'
import { accounts } from './versions/0011-accounts.ts'
import { networkShares } from './versions/0012-network-shares.ts'
import { foldersByScans } from './versions/0013-folders-by-scans.ts'
import { tagCounts } from './versions/0014-tag-counts.ts'
import { scanRetention } from './versions/scans/0015-scan-retention.ts'
import { dueUniques } from './versions/0016-due-uniques.ts'
import { installation } from './versions/0017-installation.ts'
import { journalHeads } from './versions/scans/0018-journal-heads.ts'
import { copies } from './versions/0019-copies.ts'
import { keyMakers } from './versions/0020-key-makers.ts'
import { keyScopes } from './versions/0021-key-scopes.ts'
import { accountLog } from './versions/0022-account-log.ts'
import { passkeys } from './versions/0023-passkeys.ts'
import { organizationTwoFactor } from './versions/0024-organization-two-factor.ts'
import { confirmedEmails } from './versions/0025-confirmed-emails.ts'
import { freshSessions } from './versions/0026-fresh-sessions.ts'
import { demoOrganization } from './versions/0027-demo-organization.ts'
import { bin } from './versions/0028-bin.ts'
import { publicAddress } from './versions/0029-public-address.ts'
import { utmTemplates } from './versions/0030-utm-templates.ts'
import { search } from './versions/0031-search.ts'
import { views } from './versions/0032-views.ts'
import { rules } from './versions/0033-rules.ts'
import { access } from './versions/0034-access.ts'
import { formerRules } from './versions/0036-former-rules.ts'
import { scanLosses } from './versions/scans/0065-scan-losses.ts'
import { namedProblems } from './versions/0074-named-problems.ts'
import { scanSegments } from './versions/scans/0078-scan-segments.ts'
import { scanMarks } from './versions/scans/0079-scan-marks.ts'
import { scanFindings } from './versions/scans/0080-scan-findings.ts'
import { problemsOfMachinesAndCopies } from './versions/machines/0077-problems-of-machines-and-copies.ts'
import { accountLanguages } from './versions/accounts/0062-account-languages.ts'
import { mailConsents } from './versions/accounts/0069-mail-consents.ts'
import { domains } from './versions/domains/0041-domains.ts'
import { domainNotices } from './versions/domains/0071-domain-notices.ts'
import { certificates } from './versions/domains/0042-certificates.ts'
import { exactCodes } from './versions/domains/0043-exact-codes.ts'
import { certificateWarnings } from './versions/domains/0044-certificate-warnings.ts'
import { reach } from './versions/domains/0049-reach.ts'
import { adoptedCodes } from './versions/domains/0050-adopted-codes.ts'
import { certificateProofs } from './versions/domains/0052-certificate-proofs.ts'
import { waitingCodes } from './versions/domains/0063-waiting-codes.ts'
import { scansBefore } from './versions/imports/0045-scans-before.ts'
import { movedCodes } from './versions/imports/0061-moved-codes.ts'
import { limitExcesses } from './versions/imports/0067-limit-excesses.ts'
import { namedRowErrors } from './versions/imports/0073-named-row-errors.ts'
import { waitingCodesOfMoves } from './versions/imports/0072-waiting-codes-of-moves.ts'
import { operatorAndArchiveIds } from './versions/imports/0064-operator-and-archive-ids.ts'
import { choreTurns } from './versions/machines/0047-chore-turns.ts'
import { machines } from './versions/machines/0048-machines.ts'
import { sharedLimits } from './versions/machines/0056-shared-limits.ts'
import { roomForUpdates } from './versions/machines/0057-room-for-updates.ts'
import { leaseNumbers } from './versions/machines/0076-lease-numbers.ts'
import { openDatabase, type DatabaseOptions } from '../open-database.ts'
import { checkIntegrity, openSqliteConnection, sqliteFile, stoppedUncleanly } from '../dialects/sqlite.ts'
import type { Migration, OnStep } from './migration.ts'

export const migrations: readonly Migration[] = [
  catalogue,
  lists,
  imports,
  history,
  invitations,
  styles,
  codeCounts,
  brands,
  events,
  accounts,
  networkShares,
  foldersByScans,
  tagCounts,
  scanRetention,
  dueUniques,
  installation,
  journalHeads,
  copies,
  keyMakers,
  keyScopes,
  accountLog,
  passkeys,
  organizationTwoFactor,
  confirmedEmails,
  freshSessions,
  demoOrganization,
  bin,
  publicAddress,
  utmTemplates,
  search,
  views,
  rules,
  access,
  formerRules,
  domains,
  certificates,
  exactCodes,
  certificateWarnings,
  scansBefore,
  choreTurns,
  machines,
  reach,
  adoptedCodes,
  certificateProofs,
  sharedLimits,
  roomForUpdates,
  movedCodes,
  accountLanguages,
  waitingCodes,
  operatorAndArchiveIds,
  scanLosses,
  limitExcesses,
  mailConsents,
  domainNotices,
  waitingCodesOfMoves,
  namedRowErrors,
  namedProblems,
  leaseNumbers,
  problemsOfMachinesAndCopies,
  scanSegments,
  scanMarks,
  scanFindings,
]

/**
 * Opens the catalogue for the first process of a start. Checks a SQLite file that was not closed
 * cleanly, upgrades the schema and returns the open catalogue. Other processes then use
 * `openDatabase`. Throws if the file is damaged, and `CatalogueUnavailable` if the database does
 * not answer. Calls `onStep` after each check and statement on SQLite, before each migration, and
 * `onMigrated` with the names of the migrations that were applied.
 */
export async function prepareDatabase({
  onStep = () => undefined,
  onMigrated,
  ...options
}: Omit<DatabaseOptions, 'role'> & {
  onStep?: OnStep
  onMigrated?: (db: Database, applied: readonly string[]) => Promise<void>
}): Promise<Database> {
  const unclean = options.databaseUrl === undefined && stoppedUncleanly(sqliteFile(options.dataDir))
  const db = await openDatabase({ ...options, role: 'writer' })
  try {
    if (unclean) checkSqlite(db, options.log)
    onStep()
    const applied = await migrateDatabase(db, migrations, onStep)
    await onMigrated?.(db, applied)
    return db
  } catch (error) {
    await db.close()
    throw error
  }
}

/**
 * Applies missing migrations, each in its own transaction. Returns the names of those it applied.
 * Several processes may call it at the same time. Throws a `FatalError` before anything is
 * written if the catalogue is from a later release, or if the server is too old.
 */
export async function migrateDatabase(
  db: Database,
  list: readonly Migration[] = migrations,
  onStep: OnStep = () => undefined,
): Promise<readonly string[]> {
  const applied =
    db.source.dialect === 'sqlite'
      ? migrateSqlite(db.source.file, list, { onStep, log: db.log })
      : await migratePostgres(db.source.url, list, { onStep, log: db.log })
  if (applied.length > 0) db.log.info({ applied }, 'the catalogue has a new schema')
  return applied
}

function checkSqlite(db: Database, log: Log): void {
  if (db.source.dialect !== 'sqlite') return
  log.warn({ file: db.source.file }, 'the catalogue was not closed cleanly, checking it')
  const connection = openSqliteConnection(db.source.file, { busyTimeoutMs: 0, readOnly: true })
  try {
    checkIntegrity(connection)
  } finally {
    connection.close()
  }
}
