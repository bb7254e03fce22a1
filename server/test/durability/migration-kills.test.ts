// Left to the soak: `analytics/store/migration-kills` ends migrations of the store anywhere,
// `durability/catalogue-upgrades` upgrades the catalogue.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test, type TestContext } from 'node:test'
import { migrateDatabase, migrations } from '../../src/db/migrations/migrate.ts'
import type { Migration } from '../../src/db/migrations/migration.ts'
import { openDatabase, type DatabaseOptions } from '../../src/db/open-database.ts'
import { dumpCatalogue } from '../../src/db/testing/schema-dump.ts'
import { silentLog, testPostgres } from '../../src/db/testing/databases.ts'
import { programArgs } from '../../src/db/testing/program-args.ts'
import { hasVariants } from '@everscan/contract/testing/variants.ts'
import { fixtureNames, unpackDirectory } from '../support/data-fixtures.ts'
import { loadPostgres } from '../support/postgres-fixtures.ts'
import { seededRandom } from '@everscan/contract/testing/random.ts'

const isSoak = process.env['SOAK'] === '1'
/**
 * Each process costs a fifth of a second: `npm test` kills only at one or two statements. It ends
 * at all of them with an error from the newest fixture, and at one of each migration from older
 * states, whose migrations every release before has ended at all of theirs.
 */
const killsMax = isSoak ? Infinity : hasVariants ? 2 : 1
const newest = fixtureNames().toSorted().at(-1)
const random = seededRandom()

const root = mkdtempSync(join(tmpdir(), 'everscan-migrations-'))
after(() => rmSync(root, { recursive: true, force: true }))

type Source = Pick<DatabaseOptions, 'dataDir' | 'databaseUrl'>
type Start = { from: string; make: (dataDir: string) => Promise<Source> }

const sqliteStarts: Start[] = [
  {
    from: 'nothing',
    make: async (dataDir) => {
      mkdirSync(dataDir, { recursive: true })
      return { dataDir }
    },
  },
  ...fixtureNames().map((name) => ({
    from: name,
    make: async (dataDir: string) => {
      unpackDirectory(name, dataDir)
      return { dataDir }
    },
  })),
]
const postgresStarts: Start[] = [
  {
    from: 'nothing',
    make: async () => ({ dataDir: '', databaseUrl: await (await testPostgres()).createDatabase() }),
  },
  ...fixtureNames().map((name) => ({
    from: name,
    make: async () => ({
      dataDir: '',
      databaseUrl: await (await testPostgres()).createDatabase(await loaded(name)),
    }),
  })),
]

const templates = new Map<string, Promise<string>>()

/** Loaded once, because counts of codes name the process that made them. */
function loaded(name: string): Promise<string> {
  const template = templates.get(name) ?? loadPostgres(name)
  templates.set(name, template)
  return template
}

/** A migration of the release after this one, so that the last fixture also has one to run. */
const laterStatements = [
  'alter table organizations add column later text',
  'create table laters (name text not null primary key)',
  'update organizations set later = name',
  'insert into laters select name from organizations',
  'delete from sessions',
]
const all: readonly Migration[] = [...migrations, { name: '9999-later', statements: () => laterStatements }]

/** A migration that fails before the statement with this number, or after the last one. */
function endingAt(migration: Migration, at: number): Migration {
  return {
    name: migration.name,
    statements: (types) => {
      const statements = migration.statements(types)
      const some = {
        *[Symbol.iterator]() {
          yield* statements.slice(0, at)
          // An error of this test, not of the connection.
          throw new RangeError('ended here')
        },
      }
      return some as unknown as readonly string[]
    },
  }
}

async function withDatabase<Result>(
  source: Source,
  work: (db: Awaited<ReturnType<typeof openDatabase>>) => Promise<Result>,
): Promise<Result> {
  const db = await openDatabase({ ...source, role: 'writer', log: silentLog })
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}

const dump = (source: Source): Promise<string[]> => withDatabase(source, dumpCatalogue)
const schema = async (source: Source): Promise<string[]> =>
  (await dump(source)).filter((line) => line.startsWith('{'))
const migrate = (source: Source, list: readonly Migration[]): Promise<readonly string[]> =>
  withDatabase(source, (db) => migrateDatabase(db, list))

/** Migrates in a process that kills itself before a statement. */
function migrateAndKill(source: Source, index: number, at: number): void {
  const program = `
    import { pino } from 'pino'
    import { migrateDatabase, migrations } from '${import.meta.dirname}/../../src/db/migrations/migrate.ts'
    import { openDatabase } from '${import.meta.dirname}/../../src/db/open-database.ts'
    const later = { name: '9999-later', statements: () => ${JSON.stringify(laterStatements)} }
    const list = [...migrations, later].slice(0, ${index + 1})
    const last = list.pop()
    const statements = (types) => ({
      *[Symbol.iterator]() {
        yield* last.statements(types).slice(0, ${at})
        process.kill(process.pid, 'SIGKILL')
      },
    })
    const source = ${JSON.stringify(source)}
    const db = await openDatabase({ ...source, role: 'writer', log: pino({ level: 'silent' }) })
    await migrateDatabase(db, [...list, { name: last.name, statements }])`
  const run = () =>
    execFileSync(process.execPath, programArgs(program), {
      stdio: 'pipe',
      cwd: import.meta.dirname,
    })
  assert.throws(run, { signal: 'SIGKILL' })
}

for (const [database, starts, types] of [
  [
    'SQLite',
    sqliteStarts,
    { dialect: 'sqlite', text: 'text', integer: 'integer', transactionVersion: 'integer', strict: 'strict' },
  ],
  [
    'PostgreSQL',
    postgresStarts,
    {
      dialect: 'postgres',
      text: 'text collate "C"',
      integer: 'bigint',
      transactionVersion: 'xid8',
      strict: '',
    },
  ],
] as const)
  describe(`migrations on ${database}`, () => {
    for (const { from, make } of starts) {
      test(`from ${from}, ended at ${isSoak || from === newest ? 'every statement' : 'some statements'}, they preserve the data and reach the same end`, async (t) => {
        const [calm, ended] = [
          await make(join(root, `${from}-calm`)),
          await make(join(root, `${from}-ended`)),
        ]
        const known = await dump(ended)
        await migrate(calm, all)
        let [errors, kills] = [0, 0]
        for (const [index, migration] of all.entries()) {
          const list = all.slice(0, index)
          if (known.some((line) => line.startsWith('migrations:') && line.includes(`"${migration.name}"`)))
            continue
          const before = await dump(ended)
          const statements = migration.statements(types).length
          const places = [...Array(statements + 1).keys()]
          const some = [Math.floor(random() * (statements + 1))]
          for (const at of isSoak || from === newest ? places : some) {
            await assert.rejects(migrate(ended, [...list, endingAt(migration, at)]), /ended here/)
            errors++
            if (index > 0) assert.deepEqual(await dump(ended), before, `${migration.name}, statement ${at}`)
          }
          for (const at of isSoak ? places : [statements])
            if (kills < killsMax) {
              migrateAndKill(ended, index, at)
              kills++
              if (index > 0) assert.deepEqual(await dump(ended), before, `${migration.name}, killed at ${at}`)
            }
          await migrate(ended, [...list, migration])
        }
        report(t, errors, kills)
        assert.deepEqual(await dump(ended), await dump(calm))
      })
      if (from !== 'nothing')
        test(`from ${from}, they create the same schema as from nothing`, async () => {
          const [fresh, old] = [
            await starts[0]?.make(join(root, `${from}-fresh`)),
            await make(join(root, `${from}-old`)),
          ]
          assert.ok(fresh !== undefined)
          for (const source of [fresh, old]) await migrate(source, migrations)
          assert.deepEqual(await schema(old), await schema(fresh))
        })
    }
  })

function report(t: TestContext, errors: number, kills: number): void {
  t.diagnostic(`${errors} ended by an error, ${kills} by a kill`)
}
