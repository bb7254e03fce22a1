// PostgreSQL is restored to an older state while fronts run: they forget what they knew and serve
// the restored state.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { after, before, describe, test } from 'node:test'
import { Client } from 'pg'
import { pino } from 'pino'
import { openChangeFeed, recordChanges } from '../db/feeds/changes.ts'
import { inTransaction, type Database } from '../db/database.ts'
import { prepareDatabase } from '../db/migrations/migrate.ts'
import { openDatabase } from '../db/open-database.ts'
import { createDatabase, startPostgres, type TestPostgres } from '../db/testing/postgres.ts'
import { openScanLookup } from '../db/scans/scan-lookup.ts'
import { readHead } from './internals/prepared-head.ts'
import { startResolver, type Resolver } from './resolve.ts'

const log = pino({ level: 'silent' })
const codes = ['CODE1', 'CODE2', 'CODE3', 'CODE4']

describe('a restored PostgreSQL', () => {
  let postgres: TestPostgres
  before(async () => {
    postgres = await startPostgres()
  })
  after(() => postgres.remove())

  /**
   * Runs two fronts of one catalogue whose codes lead to `before`, then to `after`. The older state
   * is restored between the two checks.
   */
  const serveRestored = async (ways: {
    keep: (url: string) => Promise<void>
    putBack: (url: string) => Promise<void>
  }): Promise<void> => {
    const databaseUrl = await postgres.createDatabase()
    const options = { databaseUrl, dataDir: '', log }
    const first = await prepareDatabase(options)
    await pointCodes(first, 'before')
    await first.close()
    await ways.keep(databaseUrl)
    const writer = await openDatabase({ ...options, role: 'writer' })
    await pointCodes(writer, 'after')
    await writer.close()
    const fronts = await Promise.all([openFront(databaseUrl), openFront(databaseUrl)])
    try {
      for (const { resolver } of fronts) {
        await resolver.catchUp()
        for (const code of codes) assert.equal(await locationOf(resolver, code), 'https://after.example/')
        assert.equal(resolver.stats().entries, codes.length)
      }
      await ways.putBack(databaseUrl)
      for (const { resolver } of fronts) {
        // The front first has to notice that its old connections are broken.
        for (let tries = 0; tries < 10 && resolver.stats().entries > 0; tries++) await resolver.catchUp()
        assert.equal(resolver.stats().entries, 0, 'everything is forgotten')
        for (const code of codes) assert.equal(await locationOf(resolver, code), 'https://before.example/')
      }
    } finally {
      for (const { close } of fronts) await close()
    }
  }

  test('by a copy of its files: its transaction ids go back', async () => {
    let directory = ''
    await serveRestored({
      keep: async (url) => {
        directory = await ask(url, 'show data_directory')
        await postgres.stop()
        execFileSync('cp', ['-a', directory, `${directory}.copy`])
        await postgres.start()
      },
      putBack: async () => {
        await postgres.stop()
        execFileSync('rm', ['-rf', directory])
        execFileSync('mv', [`${directory}.copy`, directory])
        await postgres.start()
      },
    })
  })

  test('as another database of the same name on the same server: its transaction ids go on', async () => {
    let copy = ''
    await serveRestored({
      keep: async (url) => {
        copy = await createDatabase(postgres.url, url)
      },
      putBack: async (url) => {
        const [name, copyName] = [url, copy].map((text) => new URL(text).pathname.slice(1))
        await ask(postgres.url, `drop database ${name} with (force)`)
        await ask(postgres.url, `create database ${name} template ${copyName}`)
      },
    })
  })

  test('as tables that were dropped and made again', async () => {
    await serveRestored({
      keep: (url) =>
        ask(
          url,
          'create table kept_changes as table changes; create table kept_codes as table qr_codes',
        ).then(() => undefined),
      putBack: async (url) => {
        await ask(
          url,
          `begin;
           update qr_codes set data = kept.data from kept_codes kept where kept.id = qr_codes.id;
           alter table changes rename to lost_changes;
           create table changes (like lost_changes including all);
           insert into changes select * from kept_changes;
           drop table lost_changes;
           commit`,
        )
      },
    })
  })
})

async function ask(url: string, sql: string): Promise<string> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<Record<string, string>>(sql)
    return Object.values(rows?.[0] ?? {})[0] ?? ''
  } finally {
    await client.end()
  }
}

async function openFront(databaseUrl: string): Promise<{ resolver: Resolver; close: () => Promise<void> }> {
  const db = await openDatabase({ databaseUrl, dataDir: '', role: 'reader', log })
  const lookup = openScanLookup(db)
  const changes = openChangeFeed(db)
  const resolver = startResolver({ lookup: lookup.lookup, changes, log, pollMs: 60_000 })
  const close = async (): Promise<void> => {
    resolver.close()
    await changes.close()
    await lookup.close()
    await db.close()
  }
  return { resolver, close }
}

async function locationOf(resolver: Resolver, code: string): Promise<string | undefined> {
  const { reply } = await resolver.resolve(code)
  assert.ok(typeof reply === 'object' && 'head' in reply)
  return readHead(reply.head).headers[1]
}

async function pointCodes(db: Database, to: string): Promise<void> {
  const data = JSON.stringify({ url: `https://${to}.example/` })
  await inTransaction(db, async (tx) => {
    const made = { created_at_ms: 1, updated_at_ms: 1 }
    await tx.kysely
      .insertInto('organizations')
      .values({ id: 'org_1', name: 'Acme', slug: 'acme', ...made })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    for (const code of codes) {
      const place = { canonical_code: code, organization_id: 'org_1' }
      await tx.kysely
        .insertInto('short_codes')
        .values({ ...place, short_code: code, qr_code_id: code, created_at_ms: 1, deleted_at_ms: null })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      const content = { type: 'URL', name: 'x', name_search: 'x', data, style: '{}', metadata: '{}' } as const
      const rest = {
        folder_id: null,
        status: 'ACTIVE',
        picture_version: 1,
        picture_mask: 0,
        version: 1,
      } as const
      await tx.kysely
        .insertInto('qr_codes')
        .values({ ...place, id: code, ...content, ...rest, ...made })
        .onConflict((conflict) => conflict.columns(['organization_id', 'id']).doUpdateSet({ data }))
        .execute()
    }
    await recordChanges(tx, codes)
  })
}
