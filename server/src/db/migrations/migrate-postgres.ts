import { problem } from '@everscan/contract/problems/problem.ts'
import { Client } from 'pg'
import { FatalError } from '../../errors.ts'
import type { Log } from '../../log.ts'
import { toPostgresError } from '../errors.ts'
import { createMigrations, logSlow, refuseLaterRelease, upgradeProgress } from './migration.ts'
import type { ColumnTypes, Migration, OnStep } from './migration.ts'
import { postgresUrl } from '../dialects/postgres.ts'
import { type ServerFacts, serverRefusal } from '../dialects/postgres-version.ts'

export const postgresTypes: ColumnTypes = {
  dialect: 'postgres',
  text: 'text collate "C"',
  integer: 'bigint',
  transactionVersion: 'xid8',
  strict: '',
}

/** An arbitrary number that other software in the same database is unlikely to use. */
export const advisoryLock = 0x65766573
const connectTimeoutMs = 5_000

/**
 * Applies missing migrations. Only commits outlive a transaction, so it works through a pooler too.
 * The lock serializes processes, migration by migration.
 */
export async function migratePostgres(
  url: string,
  list: readonly Migration[],
  { onStep, log }: { onStep: OnStep; log: Log },
): Promise<readonly string[]> {
  try {
    // Uses a connection of its own: an index on a large table takes a while.
    const client = new Client({
      connectionString: postgresUrl(url),
      application_name: 'everscan migration',
      connectionTimeoutMillis: connectTimeoutMs,
    })
    client.on('error', () => {})
    try {
      await client.connect()
      await refuseServer(client)
      const known = await knownMigrations(client)
      const missing = list.filter((migration) => !known.includes(migration.name))
      refuseLater(known, list)
      const applied: string[] = []
      const onWait = () => onStep(problem('catalogueUpgradedElsewhere'))
      for (const [index, migration] of missing.entries()) {
        if (known.length > 0) onStep(upgradeProgress(missing, index))
        const fromMs = performance.now()
        if (await applyMigration(client, { migration, list, log, onWait })) applied.push(migration.name)
        logSlow(log, migration, { fromMs, done: index + 1, of: missing.length })
      }
      return applied
    } finally {
      await client.end()
    }
  } catch (error) {
    throw error instanceof FatalError ? error : toPostgresError(error)
  }
}

/** Returns false if another process was faster. */
async function applyMigration(
  client: Client,
  {
    migration,
    list,
    log,
    onWait,
  }: { migration: Migration; list: readonly Migration[]; log: Log; onWait: () => void },
): Promise<boolean> {
  // Removes timeouts that the role may have.
  await client.query(`begin; set local statement_timeout = 0; set local lock_timeout = 0`)
  await lockSchema(client, log, onWait)
  await client.query(createMigrations(postgresTypes))
  const known = await knownMigrations(client)
  refuseLater(known, list)
  if (known.includes(migration.name)) {
    await client.query('rollback')
    return false
  }
  for (const statement of migration.statements(postgresTypes)) await client.query(statement)
  await client.query('insert into migrations values ($1, $2)', [migration.name, Date.now()])
  await client.query('commit')
  return true
}

/**
 * Waits until no other process changes the schema, and blocks others until the end of the
 * transaction.
 */
export async function lockSchema(
  client: Client,
  log: Log,
  onWait: () => void = () => undefined,
): Promise<void> {
  const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_xact_lock($1) as taken', [
    advisoryLock,
  ])
  if (rows[0]?.taken === true) return
  log.info('another process is upgrading the catalogue, waiting for it')
  onWait()
  await client.query('select pg_advisory_xact_lock($1)', [advisoryLock])
}

async function knownMigrations(client: Client): Promise<readonly string[]> {
  const { rows: tables } = await client.query<{ there: boolean }>(
    `select to_regclass('migrations') is not null as there`,
  )
  if (tables[0]?.there !== true) return []
  const { rows } = await client.query<{ name: string }>('select name from migrations')
  return rows.map((row) => row.name)
}

function refuseLater(known: readonly string[], list: readonly Migration[]): void {
  refuseLaterRelease(known, list, () => 'restore a backup of the database from before that upgrade')
}

/** Throws for an unsupported server, before anything is written. */
export async function refuseServer(client: Client): Promise<void> {
  const { rows } = await client.query<ServerFacts>(
    `select current_setting('server_version_num') as number, current_setting('server_version') as version,
       current_setting('server_encoding') as encoding`,
  )
  const refusal = rows[0] && serverRefusal(rows[0])
  if (refusal !== undefined) throw new FatalError(refusal)
}
