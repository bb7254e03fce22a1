import assert from 'node:assert/strict'
import Sqlite from 'better-sqlite3'
import { execFileSync } from 'node:child_process'
import { chmodSync, globSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { copyBefore, copyCatalogue } from './catalogue-copies.ts'
import { migrations, prepareDatabase } from './migrate.ts'
import { openSqliteConnection, sqliteFile } from '../dialects/sqlite.ts'
import { silentLog } from '../testing/databases.ts'

const root = mkdtempSync(join(tmpdir(), 'everscan-copies-'))
after(() => rmSync(root, { recursive: true, force: true }))

async function makeCatalogue(name: string): Promise<{ dataDir: string; connection: Sqlite.Database }> {
  const dataDir = join(root, name)
  const db = await prepareDatabase({ dataDir, log: silentLog })
  await db.close()
  const connection = openSqliteConnection(sqliteFile(dataDir), { busyTimeoutMs: 0, readOnly: false })
  after(() => connection.close())
  return { dataDir, connection }
}

const copiesIn = (dataDir: string) => globSync('catalogue-before-*', { cwd: dataDir }).sort()

test('a copy is complete, readable only by its owner, and the newest three are kept', async () => {
  const { dataDir, connection } = await makeCatalogue('kept')
  // Copies from an earlier release.
  for (const atMs of [1, 2, 3]) writeFileSync(join(dataDir, `catalogue-before-0002-x-${atMs}.sqlite`), 'old')
  chmodSync(join(dataDir, 'catalogue-before-0002-x-3.sqlite'), 0o644)
  copyCatalogue(connection, '0003-y')
  const [second, third, copy = ''] = copiesIn(dataDir)
  assert.deepEqual([second, third], ['catalogue-before-0002-x-2.sqlite', 'catalogue-before-0002-x-3.sqlite'])
  for (const name of copiesIn(dataDir)) {
    const { mode } = statSync(join(dataDir, name))
    assert.equal((mode & 0o777).toString(8), '600', name)
  }
  assert.equal(copyBefore(sqliteFile(dataDir), '0003-y'), copy)
  const opened = new Sqlite(join(dataDir, copy), { readonly: true })
  const names = opened.prepare<[], string>('select name from migrations').pluck().all()
  opened.close()
  assert.deepEqual(
    names,
    migrations.map(({ name }) => name),
  )
})

test('an interrupted copy is not used, and the next copy removes it', async () => {
  const { dataDir, connection } = await makeCatalogue('cut')
  writeFileSync(join(dataDir, 'catalogue-before-0003-y-5.sqlite.partial'), 'half')
  assert.equal(copyBefore(sqliteFile(dataDir), '0003-y'), undefined)
  copyCatalogue(connection, '0003-y')
  assert.equal(copiesIn(dataDir).length, 1)
  assert.match(copiesIn(dataDir)[0] ?? '', /^catalogue-before-0003-y-\d{13}\.sqlite$/)
})

test('without free space for the copy, the upgrade fails in one line and changes nothing', async (t) => {
  const dataDir = join(root, 'full')
  mkdirSync(dataDir)
  const db = await prepareDatabase({ dataDir: join(root, 'template'), log: silentLog })
  await db.close()
  const program = `
    import { pino } from 'pino'
    import Sqlite from 'better-sqlite3'
    import { readdirSync } from 'node:fs'
    import { prepareDatabase, migrateDatabase, migrations } from '${import.meta.dirname}/migrate.ts'
    const db = await prepareDatabase({ dataDir: '${dataDir}', log: pino({ level: 'silent' }) })
    const next = { name: '0099-next', statements: () => ['create table extras (id text)'] }
    const error = await migrateDatabase(db, [...migrations, next]).catch((thrown) => thrown)
    await db.close()
    const names = new Sqlite('${dataDir}/catalogue.sqlite').prepare('select name from sqlite_master').pluck().all()
    const files = readdirSync('${dataDir}')
    console.log(JSON.stringify({ kind: error.constructor.name, message: error.message, names, files }))`
  const namespace = process.getuid?.() === 0 ? ['--mount'] : ['--user', '--map-root-user', '--mount']
  const inside = (command: string) =>
    execFileSync(
      'unshare',
      [...namespace, 'sh', '-c', `mount -t tmpfs -o size=12m none ${dataDir} && ${command}`],
      { encoding: 'utf8', cwd: import.meta.dirname },
    )
  try {
    inside('true')
  } catch {
    return t.diagnostic('this system does not allow mounts: skipped')
  }
  const node = `exec ${process.execPath} --input-type=module -e "$PROGRAM"`
  const output = inside(
    `cp ${join(root, 'template')}/catalogue.sqlite ${dataDir} && PROGRAM='${program.replaceAll("'", `'\\''`)}' && ${node}`,
  )
  const { kind, message, names, files } = JSON.parse(output) as {
    kind: string
    message: string
    names: string[]
    files: string[]
  }
  assert.equal(kind, 'FatalError')
  assert.match(message, /^DATA_DIR: .*needs \d+ MiB of free space in .*nothing was changed, free some space/)
  assert.ok(names.includes('qr_codes') && !names.includes('extras'))
  assert.deepEqual(
    files.filter((name) => name.includes('-before-')),
    [],
  )
})
