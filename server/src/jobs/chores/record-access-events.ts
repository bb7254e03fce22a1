import { recordAccessEvents as record } from '../../catalogue/codes/access-events.ts'
import type { Chore } from '../start-jobs.ts'

/** Sends the events of codes that open, end or are full. */
export const recordAccessEvents: Chore = {
  name: 'recordAccessEvents',
  everyMs: 1_000,
  run: record,
}
