import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from '@everscan/client/create-client.ts'
import type { Database } from '@everscan/server/db/database.ts'
import { inTransaction } from '@everscan/server/db/database.ts'
import { prepareDatabase } from '@everscan/server/db/migrations/migrate.ts'
import { startPostgres } from '@everscan/server/db/testing/postgres.ts'
import { insertRows } from '@everscan/server/db/dialects/row-sets.ts'
import { openDatabase } from '@everscan/server/db/open-database.ts'
import type { Tables } from '@everscan/server/db/tables.ts'
import { createLog } from '@everscan/server/log.ts'
import { startService } from '@everscan/server/test/support/service.ts'
import { median, rounded } from './figures.ts'
import { importFile, importRows } from './import-file.ts'

/** The tables with the rows of a code, in a valid order of insertion. */
const tables = ['short_codes', 'qr_codes', 'qr_code_tags', 'scan_counters', 'changes'] as const

const log = createLog({ level: 'silent', role: 'bench' })

/**
 * Compares the import of a file of 10,000 rows, from the upload to the end of its job, with the
 * bare insert of the resulting rows in one transaction of an empty catalogue, on both catalogues.
 * `ratio` is our rows per second divided by the baseline's, for the slower catalogue.
 */
export async function benchImport({ quick }: { quick: boolean }): Promise<object> {
  const rounds = quick ? 3 : 7
  const postgres = await startPostgres()
  try {
    const sqlite = await benchCatalogue('SQLite', rounds, async () => undefined)
    const postgresql = await benchCatalogue('PostgreSQL', rounds, () => postgres.createDatabase())
    return { ratio: Math.min(sqlite.ratio, postgresql.ratio), rows: importRows, rounds, sqlite, postgresql }
  } finally {
    await postgres.remove()
  }
}

async function benchCatalogue(
  name: string,
  rounds: number,
  createDatabaseUrl: () => Promise<string | undefined>,
): Promise<{ seconds: number; rowsPerSecond: number; bareSeconds: number; ratio: number }> {
  const results: { seconds: number; bareSeconds: number }[] = []
  for (let round = 0; round < rounds; round++) {
    const databaseUrl = await createDatabaseUrl()
    const service = await startService({
      LOG_LEVEL: 'warn',
      RATE_LIMIT_PER_MINUTE: '0',
      ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
    })
    try {
      const seconds = await importOnce(service.client())
      const source = await openDatabase({ databaseUrl, dataDir: service.dataDir, role: 'reader', log })
      const bareSeconds = await insertBare(source, await createDatabaseUrl())
      await source.close()
      results.push({ seconds, bareSeconds })
      console.log(
        `${round + 1} ${name.padEnd(10)} import ${seconds.toFixed(2)} s, bare insert ${bareSeconds.toFixed(2)} s`,
      )
    } finally {
      await service.remove()
    }
  }
  const seconds = median(results.map((result) => result.seconds))
  const bareSeconds = median(results.map((result) => result.bareSeconds))
  const ratio = median(results.map((result) => result.bareSeconds / result.seconds))
  return {
    seconds: rounded(seconds),
    rowsPerSecond: Math.round(importRows / seconds),
    bareSeconds: rounded(bareSeconds),
    ratio: rounded(ratio),
  }
}

async function importOnce(client: Client): Promise<number> {
  const [organization] = await client.organizations.listMine()
  const fromMs = performance.now()
  await importFile(client, organization?.id ?? '')
  return (performance.now() - fromMs) / 1000
}

/** Copies the imported rows into an empty catalogue. Reading them is not measured. */
async function insertBare(source: Database, databaseUrl: string | undefined): Promise<number> {
  const dataDir = mkdtempSync(join(tmpdir(), 'everscan-bench-'))
  const target = await prepareDatabase({ databaseUrl, dataDir, log })
  try {
    for (const table of ['organizations', 'folders'] as const) await copy(source, target, table)
    const contents: unknown[][] = []
    for (const table of tables) contents.push(await source.kysely.selectFrom(table).selectAll().execute())
    const fromMs = performance.now()
    await inTransaction(target, async (tx) => {
      for (const [index, table] of tables.entries())
        await insertRows(tx, table, { rows: contents[index] as never[] })
    })
    return (performance.now() - fromMs) / 1000
  } finally {
    await target.close()
    rmSync(dataDir, { recursive: true })
  }
}

async function copy(source: Database, target: Database, table: keyof Tables): Promise<void> {
  const contents = await source.kysely.selectFrom(table).selectAll().execute()
  await insertRows(target, table, { rows: contents })
}
