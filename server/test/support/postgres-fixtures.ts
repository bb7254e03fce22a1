import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { Client } from 'pg'
import { testPostgres } from '../../src/db/testing/databases.ts'
import { fixturesDir } from './data-fixtures.ts'

/** Creates a database with the catalogue of a fixture, and returns its address. */
export async function loadPostgres(name: string): Promise<string> {
  const databaseUrl = await (await testPostgres()).createDatabase()
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(brotliDecompressSync(readFileSync(join(fixturesDir, `${name}.sql.br`))).toString())
  await client.end()
  return databaseUrl
}
