import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { deleteDemo } from '../catalogue/installation/delete-demo.ts'
import {
  findDemo,
  listOperators,
  removingDemo,
  saveDemo,
} from '../catalogue/installation/demo-organizations.ts'
import { systemOrigin } from '../catalogue/rows/change-origins.ts'
import type { Config } from '../settings/settings.ts'
import { isShared, type Database } from '../db/database.ts'
import { ensureInstallation } from '../db/installation.ts'
import type { Log } from '../log.ts'
import { givenVisitorKey, visitorKeyOfSecret } from '../processes/visitor-key.ts'
import { createDemo, draftDemo } from './create-demo.ts'
import {
  hasDemoJournal,
  removeUnfinishedJournals,
  reserveDemoJournal,
  writeDemoJournal,
} from './demo-journal.ts'
import { readDemoPlan, startOfDemo, type DemoPlan } from './demo-plan.ts'
import { demoHitsOf } from './demo-scans.ts'

/** The same figures in every demo of a day. */
const seed = 47

export type PrepareDemoOptions = {
  config: Pick<Config, 'dataDir' | 'publicUrl' | 'retentionDays' | 'secret' | 'visitorKey'>
  log: Log
  /** Called at every step, each of which takes less than a minute. */
  onStep?: () => void
  clock?: () => number
}

/** The demo of an installation. */
export type PreparedDemo = {
  organizationId: string
  codes: number
  /** The hits that this call wrote; undefined if they were there already. */
  hits: number | undefined
  /** The addresses of accounts that run the installation, which are its ADMINs. */
  operators: readonly string[]
}

/**
 * Creates the demo of this installation, unless it has one: first its codes, in one transaction
 * with the plan of its scans, then its scans, as a journal. After a kill at any moment, the next
 * call continues. Of several machines, one does it. Throws errors of the catalogue and the file
 * system.
 */
export async function prepareDemo(
  db: Database,
  { config, log, onStep = () => {}, clock = Date.now }: PrepareDemoOptions,
): Promise<PreparedDemo> {
  const journalRoot = join(config.dataDir, 'journal')
  const demo = (await existingDemo(db)) ?? (await create(db, { config, clock, onStep }))
  const plan = readDemoPlan(demo.plan)
  removeUnfinishedJournals(journalRoot, plan)
  const operators = (await listOperators(db)).map(({ email }) => email)
  const found = { organizationId: demo.id, codes: plan.codes.length, operators, hits: undefined }
  if (plan.isWritten) return found
  // On a database of several machines, only the one that created the codes writes their scans.
  if (isShared(db) && !hasDemoJournal(journalRoot, plan)) {
    log.warn(
      'another machine creates the demo: if it has stopped, start it with --demo, or remove the demo (./everscan demo remove)',
    )
    return found
  }
  const hits = demoHitsOf(plan)
  onStep()
  const visitorKey = givenVisitorKey(config)?.key ?? visitorKeyOfSecret(config.secret ?? '')
  const { id: installation } = await ensureInstallation(db)
  await writeDemoJournal(journalRoot, plan, { organizationId: demo.id, visitorKey, installation, hits })
  onStep()
  await saveDemo(db, demo.id, { former: demo.plan, plan: JSON.stringify({ ...plan, isWritten: true }) })
  return { ...found, hits: hits.length }
}

/** Returns the demo, after it has completed a removal that was killed. */
async function existingDemo(db: Database): Promise<{ id: string; plan: string } | undefined> {
  const found = await findDemo(db)
  if (found?.plan !== removingDemo) return found
  await deleteDemo(db, { origin: systemOrigin })
  return await findDemo(db)
}

async function create(
  db: Database,
  { config, clock, onStep }: Required<Pick<PrepareDemoOptions, 'config' | 'clock' | 'onStep'>>,
): Promise<{ id: string; plan: string }> {
  const nowMs = clock()
  const plan: DemoPlan = {
    version: 1,
    seed,
    nowMs,
    startMs: startOfDemo(nowMs, config.retentionDays),
    writer: randomBytes(16).toString('hex'),
    isWritten: false,
    codes: [],
  }
  // Before the catalogue names the plan, so that this machine finds it again after a kill.
  reserveDemoJournal(join(config.dataDir, 'journal'), plan)
  const drafts = await draftDemo(plan, { publicUrl: config.publicUrl, onStep })
  return await createDemo(db, plan, drafts)
}
