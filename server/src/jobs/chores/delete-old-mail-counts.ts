import { deleteOldMailCounts as deleteOlder } from '../../catalogue/mails/mail-counts.ts'
import type { Chore } from '../start-jobs.ts'

export const deleteOldMailCounts: Chore = {
  name: 'deleteOldMailCounts',
  everyMs: 3_600_000,
  run: deleteOlder,
}
