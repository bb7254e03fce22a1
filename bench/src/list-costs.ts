// Measures the costs by which SQLite's list plans are chosen (`cost` in
// server/src/db/lists/sqlite-list-plans.ts, ADR 0035). Usage: `node bench/src/list-costs.ts
// [codes]`. Default: a million codes, which take some minutes and 2.5 GB.
import { rmSync } from 'node:fs'
import { sql, type RawBuilder } from 'kysely'
import { createOrganization } from '@everscan/server/catalogue/organizations/organizations.ts'
import type { Database } from '@everscan/server/db/database.ts'
import { openDatabase } from '@everscan/server/db/open-database.ts'
import { createSqliteTemplate, silentLog } from '@everscan/server/db/testing/templates.ts'
import { fillCatalogue } from './fill-catalogue.ts'

const times = 7

/** Counts that read rows of one kind only, for the cost of each kind. */
const walks: Record<string, (organizationId: string) => RawBuilder<{ rows: number }>> = {
  'next: an entry of an index': (id) => sql`
    select count(*) as rows from qr_codes indexed by qr_codes_name_order where organization_id = ${id}`,
  'found: a match of a name, looked up in a small index': (id) => sql`
    select count(*) as rows
    from qr_code_words as n
    cross join qr_codes as q indexed by qr_codes_found on q.number = n.rowid
    where n.qr_code_words match 'name_folded : "osl"' and q.organization_id = ${id}`,
  'found: an entry of the index of names, its tags looked up': (id) => sql`
    select count(*) as rows
    from qr_codes as n indexed by qr_codes_name_order
    where n.organization_id = ${id}
    and not exists (
      select 1
      from qr_code_tags as t
      where t.organization_id = n.organization_id and t.qr_code_id = n.id and t.tag = 'none'
    )`,
  'code: an entry of the index of names, its code looked up': (id) => sql`
    select count(*) as rows from qr_codes indexed by qr_codes_name_order where organization_id = ${id} and version > 0`,
  'code: an entry of the index of kinds, its code looked up': (id) => sql`
    select count(*) as rows from qr_codes indexed by qr_codes_kind where organization_id = ${id} and version > 0`,
  'code: a row of a tag, its code looked up': (id) => sql`
    select count(*) as rows
    from qr_code_tags as t
    cross join qr_codes as q on q.organization_id = t.organization_id and q.id = t.qr_code_id
    where t.organization_id = ${id} and t.tag = 'tag-0' and q.version > 0`,
}

async function measure(db: Database, query: RawBuilder<{ rows: number }>): Promise<string> {
  const costs: number[] = []
  let rows = 0
  for (let time = 0; time < times; time++) {
    // Of this process alone: SQLite runs in it, and other work on the machine does not count.
    const before = process.cpuUsage()
    rows = (await query.execute(db.kysely)).rows[0]?.rows ?? 0
    const { user, system } = process.cpuUsage(before)
    costs.push(((user + system) * 10) / rows)
  }
  const [median = 0] = costs.sort((a, b) => a - b).slice(times >> 1)
  return `${median.toFixed(1)} tenths of a microsecond (${rows} rows)`
}

const codes = Number(process.argv[2] ?? 1_000_000)
const dataDir = await createSqliteTemplate()
const db = await openDatabase({ dataDir, role: 'writer', log: silentLog })
try {
  const { id } = await createOrganization(db, { name: 'Costs' })
  await fillCatalogue(db, id, { to: codes })
  // A service writes its log back as it goes; one of a gigabyte makes every read slow.
  await sql`pragma wal_checkpoint(truncate)`.execute(db.kysely)
  for (const [what, walk] of Object.entries(walks)) console.log(`${what}: ${await measure(db, walk(id))}`)
} finally {
  await db.close()
  rmSync(dataDir, { recursive: true })
}
