import { addUpCodeCounts as addUp } from '../../db/lists/qr-code-counts.ts'
import type { Chore } from '../start-jobs.ts'

export const addUpCodeCounts: Chore = {
  name: 'addUpCodeCounts',
  takesTurns: true,
  everyMs: 30_000,
  run: addUp,
}
