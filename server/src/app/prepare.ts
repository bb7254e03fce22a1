import { setTimeout as sleep } from 'node:timers/promises'
import { refuseStrangers, settleIdentity } from './identity.ts'
import { bootstrap } from '../catalogue/installation/bootstrap.ts'
import type { Config } from '../config.ts'
import { databaseProblem } from '../db/database-problems.ts'
import { prepareDatabase } from '../db/migrations/migrate.ts'
import { FatalError } from '../errors.ts'
import type { Log } from '../log.ts'
import { welcome } from '../processes/welcome.ts'

const retryMs = 1_000
/** What is waited for is said again after this many tries. */
const triesPerLine = 30

/**
 * `prepare`: brings the schema up to date and makes the first organization; waits for a PostgreSQL
 * that is not there yet, and refuses what a wait cannot mend. `onStep` is told of every step of the
 * migrations, `beforeWriting` of the moment when all parts are seen to belong together.
 */
export async function prepareCatalogue(
  config: Config,
  log: Log,
  { onStep, beforeWriting }: { onStep: () => void; beforeWriting: () => void },
): Promise<void> {
  const { databaseUrl, dataDir } = config
  let said: string | undefined
  for (let tries = 0; ; tries++) {
    try {
      await refuseStrangers(config, log)
      beforeWriting()
      const db = await prepareDatabase({ databaseUrl, dataDir, log, onStep })
      const made = await bootstrap(db, {
        organizationName: config.bootstrapOrganization,
        email: config.bootstrapEmail,
        password: config.bootstrapPassword,
        apiKey: config.bootstrapApiKey,
      })
      await settleIdentity(db, config, log)
      await db.close()
      process.stdout.write(welcome(config, made))
      return
    } catch (error) {
      const problem =
        config.databaseUrl === undefined ? undefined : databaseProblem(error, config.databaseUrl)
      if (problem === undefined) throw error
      if (!problem.isTransient) throw new FatalError(problem.sentence, { cause: error })
      if (said !== problem.sentence || tries % triesPerLine === 0) log.warn(problem.sentence)
      said = problem.sentence
      await sleep(retryMs)
    }
  }
}
