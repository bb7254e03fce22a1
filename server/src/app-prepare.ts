import { setTimeout as sleep } from 'node:timers/promises'
import { bootstrap } from './catalogue/bootstrap.ts'
import type { Config } from './config.ts'
import { CatalogueUnavailable } from './db/errors.ts'
import { prepareDatabase } from './db/migrate.ts'
import { errorMessage } from './errors.ts'
import type { Log } from './log.ts'
import { welcome } from './processes/welcome.ts'

const retryMs = 1_000

/**
 * `prepare`: brings the schema up to date and makes the first organization; waits for a PostgreSQL that is not there yet. `onStep` is told of
 * every step of the migrations.
 */
export async function prepareCatalogue(config: Config, log: Log, onStep: () => void): Promise<void> {
  const { databaseUrl, dataDir } = config
  for (;;) {
    try {
      const db = await prepareDatabase({ databaseUrl, dataDir, log, onStep })
      const made = await bootstrap(db, {
        organizationName: config.bootstrapOrganization,
        email: config.bootstrapEmail,
        password: config.bootstrapPassword,
        apiKey: config.bootstrapApiKey,
      })
      await db.close()
      process.stdout.write(welcome(config, made))
      return
    } catch (error) {
      if (!(error instanceof CatalogueUnavailable) || databaseUrl === undefined) throw error
      log.warn({ error: errorMessage(error.cause) }, 'the catalogue does not answer, trying again')
      await sleep(retryMs)
    }
  }
}
