import type { StyleWork, StyleWorkers } from '../../product/styles/style-work.ts'
import { runStyleJob } from '../../product/styles/style-jobs.ts'

/** Work on the calling thread, without a budget: starting a thread for each suite takes longer. */
export const styleWork: StyleWork = { run: runStyleJob, suggests: true }
export const styleWorkers: StyleWorkers = { for: () => runStyleJob }
