import { setTimeout as sleep } from 'node:timers/promises'
import { refuseForeignParts, settleIdentity } from '../product/installation/identity.ts'
import { removeUploads } from '../product/imports/archives/upload-folders.ts'
import { bootstrap } from '../catalogue/installation/bootstrap.ts'
import { listAllOrganizations } from '../catalogue/installation/installation-lists.ts'
import { readOperator } from '../catalogue/installation/operator.ts'
import type { Config } from '../settings/settings.ts'
import type { Database } from '../db/database.ts'
import { catalogueProblem } from '../db/database-problems.ts'
import { requireWritable } from '../db/installation.ts'
import { prepareDatabase } from '../db/migrations/migrate.ts'
import type { OnStep } from '../db/migrations/migration.ts'
import { operatorAndArchiveIds } from '../db/migrations/versions/imports/0064-operator-and-archive-ids.ts'
import { FatalError } from '../errors.ts'
import type { Log } from '../log.ts'
import { welcome, type Example } from '../product/installation/welcome.ts'

const retryMs = 1_000
/** The log repeats what it waits for after this many tries. */
const triesPerLine = 30

/**
 * Runs `prepare`: migrates the schema and creates the first organization. Waits for a PostgreSQL
 * that is not up yet, and refuses problems that waiting cannot fix. Calls `onStep` at every step of
 * the migrations, with how far the upgrade of an existing catalogue is, and `beforeWriting` once
 * all parts are known to belong together. With `demo`, creates the demo after that, if there is
 * none.
 */
export async function prepareCatalogue(
  config: Config,
  log: Log,
  { onStep, beforeWriting, demo }: { onStep: OnStep; beforeWriting: () => void; demo: boolean },
): Promise<void> {
  const { databaseUrl, dataDir } = config
  let logged: string | undefined
  for (let tries = 0; ; tries++) {
    try {
      await refuseForeignParts(config, log)
      beforeWriting()
      await removeUploads(dataDir)
      const onMigrated = printOperator
      const db = await prepareDatabase({ databaseUrl, dataDir, log, onStep, onMigrated })
      try {
        // With nothing to upgrade, a read-only catalogue would show only in what the processes log.
        await requireWritable(db)
        const made = await bootstrap(db, {
          organizationName: config.bootstrapOrganization,
          email: config.bootstrapEmail,
          password: config.bootstrapPassword,
          apiKey: config.bootstrapApiKey,
        })
        await settleIdentity(db, config, log)
        const example = made && (await exampleFor(db, made.organizationId, { config, log }))
        process.stdout.write(welcome(config, made, { example, isTerminal: process.stdout.isTTY }))
        if (demo) await demoFor(db, { config, log, onStep })
        return
      } finally {
        // An open connection would keep this process alive at its end.
        await db.close()
      }
    } catch (error) {
      const problem = catalogueProblem(error, config)
      if (problem === undefined) throw error
      if (!problem.isTransient) throw new FatalError(problem.sentence, { cause: error })
      if (logged !== problem.sentence || tries % triesPerLine === 0)
        log.warn(`waiting for ${problem.sentence}`)
      logged = problem.sentence
      await sleep(retryMs)
    }
  }
}

/**
 * Says once, after the upgrade that stores it, which organization is the operator's. A new
 * catalogue has none yet.
 */
async function printOperator(db: Database, applied: readonly string[]): Promise<void> {
  if (!applied.includes(operatorAndArchiveIds.name)) return
  const [any] = await listAllOrganizations(db)
  if (any === undefined) return
  const operator = await readOperator(db)
  process.stdout.write(
    operator === undefined
      ? 'No organization is that of the operator, because all came by an archive. Choose one: ./everscan operator ORG\n'
      : `The organization of the operator is "${operator.name}" (${operator.slug}). To choose another one: ./everscan operator ORG\n`,
  )
}

async function exampleFor(
  db: Database,
  organizationId: string,
  { config, log }: { config: Config; log: Log },
): Promise<Example | undefined> {
  try {
    const { createExample, isTrial } = await import('../product/installation/example-code.ts')
    return isTrial(config) ? await createExample(db, organizationId, config) : undefined
  } catch (error) {
    // The credentials that are printed with it must not be lost.
    log.warn({ err: error }, 'could not create the example')
    return undefined
  }
}

/**
 * Creates the demo after the credentials were printed. The service starts without it if that fails.
 */
async function demoFor(
  db: Database,
  { config, log, onStep }: { config: Config; log: Log; onStep: () => void },
): Promise<void> {
  try {
    const { startDemo } = await import('../demo/start-demo.ts')
    process.stdout.write(await startDemo(db, { config, log, onStep }))
  } catch (error) {
    log.error({ err: error }, 'could not create the demo: start again with --demo to finish it')
  }
}
