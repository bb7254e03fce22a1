import { notice, type CheckGroup } from './check.ts'

export const copyChecks: CheckGroup = {
  title: 'Copies',
  checks: [
    {
      name: 'copies.scheduled',
      title: 'Scheduled copies',
      run: () =>
        notice(
          'none are set up: what a broken disk takes is gone, unless you copy it by your own means',
          'set BACKUP_DIR, BACKUP_EVERY_HOURS and BACKUP_KEEP, or copy catalogue, scan store, journal and SECRET by your own means',
        ),
    },
  ],
}
