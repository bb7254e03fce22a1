import { dayText } from '../amounts.ts'
import { readCopies, readInstalledAt } from '../catalogue/installation/copies.ts'
import {
  copiesNotice,
  copiesProblem,
  lastCopy,
  lastVerifiedCopy,
} from '../catalogue/installation/copy-schedule.ts'
import { backupProblem, onSameDisk } from '../processes/backup-settings.ts'
import { failed, notice, ok, type CheckGroup } from './check.ts'

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
          return notice(
            'none are set up: data on a broken disk is gone, unless you make copies yourself',
            'set BACKUP_DIR, BACKUP_EVERY_HOURS and BACKUP_KEEP, or copy catalogue, scan store, journal and SECRET yourself',
          )
        const problem = await backupProblem(config)
        if (problem !== undefined) return failed(problem, 'correct the setting, and restart the service')
        const db = await context.catalogue()
        const copies = await readCopies(db)
        const everyMs = config.backupEveryHours * hourMs
        const wrong = copiesProblem(copies, { everyMs, nowMs, sinceMs: await readInstalledAt(db) })
        if (wrong !== undefined)
          return failed(wrong, 'see docs/backup.md; ./everscan backup FILE makes one now')
        const worthKnowing = copiesNotice(copies)
        if (worthKnowing !== undefined)
          return notice(worthKnowing, 'see "everscan doctor" for lost scans, and docs/backup.md')
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
