import { sql } from 'kysely'
import type { DatabaseFacts, DurabilitySetting } from './database-facts.ts'
import type { Database } from '../database.ts'
import { serverRefusal } from './postgres-version.ts'

/** https://www.postgresql.org/support/versioning/ */
const supportEnds: Readonly<Record<string, string>> = {
  14: '2026-11-12',
  15: '2027-11-11',
  16: '2028-11-09',
  17: '2029-11-08',
  18: '2030-11-14',
}
/** https://www.postgresql.org/docs/current/routine-vacuuming.html#VACUUM-FOR-WRAPAROUND */
const transactionsMax = 2_000_000_000
const rowsKnownMin = 10_000

export const postgresFacts: DatabaseFacts = {
  async readServer(db) {
    const { number, version, encoding } = await one<{ number: string; version: string; encoding: string }>(
      db,
      sql`/* db.readServer */
        select current_setting('server_version_num') as number,
          current_setting('server_version') as version,
          current_setting('server_encoding') as encoding`,
    )
    return { product: `PostgreSQL ${version}`, refusal: serverRefusal({ number, version, encoding }) }
  },
  supportEnds: (product) => supportEnds[/^PostgreSQL (\d+)/.exec(product)?.[1] ?? ''],
  async readDurability(db) {
    const { rows } = await sql<{ name: string; value: string }>`/* db.readDurability */
      select name, setting as value
      from pg_settings
      where name in ('fsync', 'full_page_writes', 'synchronous_commit')
      order by name`.execute(db.kysely)
    return rows.map((row) => ({ ...row, keeps: durabilityOf(row) }))
  },
  async readConnections(db) {
    return await one(
      db,
      sql`/* db.readConnections */
        select cast(current_setting('max_connections') as int)
            - cast(current_setting('superuser_reserved_connections') as int) as most,
          (select count(*) from pg_stat_activity where backend_type = 'client backend') as used`,
    )
  },
  async readClockMs(db) {
    const { ms } = await one<{ ms: number | string }>(
      db,
      sql`/* db.readClockMs */ select cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as ms`,
    )
    return Number(ms)
  },
  async isPooled({ source }) {
    if (source.dialect === 'sqlite') return undefined
    const client = await source.pool.connect()
    try {
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
      // A pooler gives each client a process number of its own: see postgres.ts.
      return rows[0]?.pid !== (client as typeof client & { processID: number | null }).processID
    } finally {
      client.release()
    }
  },
  async readEncryption(db) {
    const row = await one<{ isEncrypted: boolean | null; isLocal: boolean }>(
      db,
      sql`/* db.readEncryption */
        select (select ssl from pg_stat_ssl where pid = pg_backend_pid()) as "isEncrypted",
          inet_client_addr() is null
            or inet_client_addr() <<= inet '127.0.0.0/8'
            or inet_client_addr() = inet '::1' as "isLocal"`,
    )
    return { isEncrypted: row.isEncrypted === true, isLocal: row.isLocal }
  },
  async readOldTransactions(db) {
    return await one(
      db,
      sql`/* db.readOldTransactions */
        select
          coalesce((
            select cast(extract(epoch from clock_timestamp() - min(xact_start)) * 1000 as bigint)
            from pg_stat_activity
            where backend_type = 'client backend' and pid <> pg_backend_pid()), 0) as "oldestMs",
          coalesce((
            select concat(application_name, ' (process ', pid, ', ', state, ')')
            from pg_stat_activity
            where backend_type = 'client backend' and pid <> pg_backend_pid() and xact_start is not null
            order by xact_start
            limit 1), '') as "holder",
          (select cast(count(*) as int) from pg_prepared_xacts) as "prepared",
          (select cast(max(age(datfrozenxid)) as float8) / ${transactionsMax} from pg_database) as "wraparoundShare"`,
    )
  },
  async readSize(db) {
    const { bytes, unusedBytes } = await one<{ bytes: number; unusedBytes: number }>(
      db,
      sql`/* db.readSize */
        select
          pg_database_size(current_database()) as bytes,
          coalesce((
            select cast(sum(pg_relation_size(relid) * n_dead_tup / (n_live_tup + n_dead_tup)) as bigint)
            from pg_stat_user_tables
            where n_live_tup + n_dead_tup > 0), 0) as "unusedBytes"`,
    )
    return { bytes, unusedBytes, logBytes: 0 }
  },
  async readUnknownTables(db) {
    const { rows } = await sql<{ name: string }>`/* db.readUnknownTables */
      select relname as name
      from pg_stat_user_tables
      where schemaname = current_schema()
      and last_analyze is null and last_autoanalyze is null and n_live_tup > ${rowsKnownMin}
      order by relname`.execute(db.kysely)
    return rows.map(({ name }) => name)
  },
  async analyze(db) {
    await sql`/* db.analyze */ analyze`.execute(db.kysely)
  },
  // The server's tools for this are page checksums and amcheck. A full read would burden all of its
  // clients.
  readDamage: async () => undefined,
}

function durabilityOf({ name, value }: { name: string; value: string }): DurabilitySetting['keeps'] {
  if (value !== 'off') return 'whole'
  return name === 'synchronous_commit' ? 'behind' : 'broken'
}

async function one<Row>(db: Database, query: ReturnType<typeof sql<Row>>): Promise<Row> {
  const { rows } = await query.execute(db.kysely)
  return rows[0] as Row
}
