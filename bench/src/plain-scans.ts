import Sqlite from 'better-sqlite3'
import { Client } from 'pg'
import type { PlainScan } from './fill-scans.ts'

/**
 * Scans as rows of a table in another database, and the breakdowns of all scans or of one code's,
 * each a GROUP BY.
 */
export type PlainScans = {
  readonly name: 'sqlite' | 'postgresql'
  insert: (rows: readonly PlainScan[]) => Promise<void>
  /** Creates indexes and statistics, after the last row. */
  finish: () => Promise<void>
  breakdowns: (qrCodeId?: string) => Promise<void>
  /** Returns the number of scans, to check that both databases have the same. */
  scans: (qrCodeId?: string) => Promise<number>
  close: () => Promise<void>
}

const columns = [
  'qr_code_id text not null',
  'time_ms bigint not null',
  'visitor text not null',
  'human smallint not null',
  'country text not null',
  'city text not null',
  'device_type text not null',
  'os text not null',
  'browser text not null',
  'referrer text not null',
]
const names = columns.map((column) => column.split(' ')[0] ?? '')
const table = `create table scans (${columns.join(', ')})`
const indexes = [
  'create index scans_code on scans (qr_code_id, time_ms)',
  'create index scans_time on scans (time_ms)',
]

const counts = 'sum(human) as scans, sum(1 - human) as bots'
const day = 'time_ms / 86400000'
/** The breakdowns of a dashboard in plain SQL. `where` restricts them to a code. */
const breakdowns = (where: string): string[] => [
  ...[
    day,
    'country',
    'country, city',
    'device_type',
    'os',
    'browser',
    'referrer',
    `(${day} + 3) % 7, time_ms / 3600000 % 24`,
  ].map((by) => `select ${by}, ${counts} from scans ${where} group by ${by}`),
  `select first_ms / 86400000 as day, count(*) from (
    select min(time_ms) as first_ms from scans ${where === '' ? 'where human = 1' : `${where} and human = 1`} group by qr_code_id, visitor
  ) as firsts group by first_ms / 86400000`,
  ...(where === ''
    ? ['select qr_code_id, sum(human) as scans from scans group by qr_code_id order by scans desc limit 10']
    : []),
]
const params = (id?: string) => (id === undefined ? [] : [id])
const total = (where: string) => `select sum(human) as scans from scans ${where}`

export function openPlainSqlite(file: string): PlainScans {
  const db = new Sqlite(file)
  db.pragma('journal_mode = off')
  db.pragma('synchronous = off')
  db.pragma('temp_store = memory')
  db.pragma(`cache_size = -${2 * 1024 * 1024}`)
  db.exec(table)
  const insert = db.prepare(`insert into scans values (${names.map(() => '?').join(', ')})`)
  const insertAll = db.transaction((rows: readonly PlainScan[]) => {
    for (const row of rows) insert.run(...row)
  })
  const where = 'where qr_code_id = ?'
  return {
    name: 'sqlite',
    insert: async (rows) => insertAll(rows),
    finish: async () => {
      for (const index of [...indexes, 'analyze']) db.exec(index)
    },
    breakdowns: async (id) => {
      for (const query of breakdowns(id === undefined ? '' : where)) db.prepare(query).all(...params(id))
    },
    scans: async (id) =>
      (db.prepare(total(id === undefined ? '' : where)).get(...params(id)) as { scans: number }).scans,
    close: async () => void db.close(),
  }
}

export async function openPlainPostgres(url: string): Promise<PlainScans> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(
    `set work_mem = '512MB'; set maintenance_work_mem = '1GB'; set max_parallel_workers_per_gather = 2`,
  )
  await client.query(table)
  const types = columns.map((column) => `${column.split(' ')[1]}[]`)
  const insert = `insert into scans select * from unnest(${types.map((type, at) => `$${at + 1}::${type}`).join(', ')})`
  const where = 'where qr_code_id = $1'
  return {
    name: 'postgresql',
    insert: async (rows) => {
      for (let start = 0; start < rows.length; start += 20_000) {
        const some = rows.slice(start, start + 20_000)
        await client.query(
          insert,
          names.map((_, at) => some.map((row) => row[at])),
        )
      }
    },
    finish: async () => {
      for (const statement of [...indexes, 'vacuum analyze scans']) await client.query(statement)
    },
    breakdowns: async (id) => {
      for (const query of breakdowns(id === undefined ? '' : where)) await client.query(query, params(id))
    },
    scans: async (id) => {
      const { rows } = await client.query<{ scans: string }>(total(id === undefined ? '' : where), params(id))
      return Number(rows[0]?.scans)
    },
    close: async () => client.end(),
  }
}
