import { problem, type Problem } from '@everscan/contract/problems/problem.ts'
import { dayText } from '../amounts.ts'
import { readCopies, readInstalledAt } from '../catalogue/installation/copies.ts'
import { copyFacts, lastCopy, lastVerifiedCopy } from '../catalogue/installation/copy-schedule.ts'
import { findProblem, knownProblem } from '../problems/parts.ts'
import { backupProblem, onSameDisk } from '../processes/backup-settings.ts'
import { failed, naming, notice, ok, type CheckGroup, type Finding } from './check.ts'

const hourMs = 3_600_000

export const copyChecks: CheckGroup = {
  title: 'Copies',
  checks: [
    {
      name: 'copies.scheduled',
      title: 'Scheduled copies',
      run: async (context) => {
        const { config, nowMs } = context
        if (config.backupDir === undefined)
          return naming(
            notice(
              'none are set up: data on a broken disk is gone, unless you make copies yourself',
              'set BACKUP_DIR, BACKUP_EVERY_HOURS and BACKUP_KEEP, or copy catalogue, scan store, journal and SECRET yourself',
            ),
            problem('copiesNotScheduled'),
          )
        const told = await backupProblem(config)
        if (told !== undefined)
          return naming(failed(told.message, 'correct the setting, and restart the service'), told)
        const db = await context.catalogue()
        const copies = await readCopies(db)
        const everyMs = config.backupEveryHours * hourMs
        const facts = copyFacts(copies, { everyMs, nowMs, sinceMs: await readInstalledAt(db) })
        const found = findProblem('copies', { ...facts, isScheduled: true, told })
        if (found !== undefined) return judgeCopies(found)
        const [last, verified] = [lastCopy(copies), lastVerifiedCopy(copies)]
        return ok(
          last === undefined
            ? 'the first one follows within minutes'
            : `the last one is from ${dayText(last.madeAtMs)}, ${verified === undefined ? 'and none is verified yet' : `the last verified one from ${dayText(verified.madeAtMs)}`}`,
        )
      },
    },
    {
      name: 'copies.place',
      title: 'Place of copies',
      run: async ({ config: { backupDir, backupPassphraseFile, dataDir } }) => {
        if (backupDir === undefined) return ok('none: no copies are scheduled')
        if (await onSameDisk(backupDir, dataDir))
          return notice(
            'BACKUP_DIR is on the disk of DATA_DIR: copies are lost with it',
            'set BACKUP_DIR to a folder on another disk or machine',
          )
        if (backupPassphraseFile === undefined)
          return notice(
            'copies are not encrypted: anyone who has one has every secret in it',
            'set BACKUP_PASSPHRASE_FILE, and store the passphrase apart from the copies',
          )
        return ok('on another disk, encrypted')
      },
    },
  ],
}

/** Judges copies of which something is known. */
function judgeCopies(found: Problem): Finding {
  const finding =
    knownProblem(found.problem)?.severity === 'notice'
      ? notice(found.message, 'see "everscan doctor" for lost scans, and docs/backup.md')
      : failed(found.message, 'see docs/backup.md; ./everscan backup FILE makes one now')
  return naming(finding, found)
}
