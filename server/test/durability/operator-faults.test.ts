// Faults of operators, each told in one sentence that says what is wrong and what to do, by every
// command that meets it.
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
} from 'node:fs'
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Client } from 'pg'
import { testPostgres } from '../../src/db/testing/databases.ts'
import { hasVariants } from '@everscan/contract/testing/variants.ts'
import { createCodes } from '../support/accounts.ts'
import { scanOnce } from '../support/load.ts'
import { freePort, commandEnvironment, startService, until, type Service } from '../support/service.ts'

type Ran = { code: number | null; output: string }
type Settings = Readonly<Record<string, string>>

const main = join(import.meta.dirname, '..', '..', 'src', 'main.mjs')
const folder = mkdtempSync(join(tmpdir(), 'everscan-faults-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const mayMount = canMount()

/** Runs a command, or a start that is refused. Both streams are in `output`. */
function everscan(settings: Settings, ...words: string[]): Promise<Ran> {
  return run(process.execPath, [main, ...words], settings)
}

function run(program: string, args: readonly string[], settings: Settings, options = {}): Promise<Ran> {
  return new Promise((resolve) => {
    const env = commandEnvironment({ HOST: '127.0.0.1', LOG_LEVEL: 'warn', ...settings })
    execFile(program, args, { env, timeout: 60_000, ...options }, (error, stdout, stderr) =>
      resolve({
        code: error === null ? 0 : typeof error.code === 'number' ? error.code : null,
        output: stdout + stderr,
      }),
    )
  })
}

/** The commands that open the catalogue, each in its own way, and a start. */
const commands = [
  ['users', 'list'],
  ['users', 'create', 'a@example.com'],
  ['keys', 'create', 'x', '--role', 'VIEWER'],
  ['demo', 'remove'],
  ['export', '--static', join(folder, 'site')],
  ['backup', join(folder, 'refused.copy')],
  ['start'],
] as const

const reading: ReadonlySet<string> = new Set(['users', 'demo', 'export'])
const reports = [['upgrade', '--check'], ['doctor']] as const

const all = [...commands, ...reports]
let faults = 0

/** Of a whole run each fault asks three in turn, a report among them. */
function askedOnes(): readonly (readonly [string, ...string[]])[] {
  if (hasVariants) return all
  const at = faults++
  const inTurn = [0, 1].map((next) => commands[(2 * at + next) % commands.length] ?? commands[0])
  return [...inTurn, reports[at % 2 === 0 ? 0 : 1]]
}

/** Every command fails with the sentence, alone in its line; both reports have it, too. */
async function assertTold(
  settings: Settings,
  sentence: RegExp,
  {
    but = [],
    mayRead = false,
    user = {},
  }: { but?: readonly string[]; mayRead?: boolean; user?: { uid?: number; gid?: number } } = {},
): Promise<void> {
  for (const words of askedOnes()) {
    if (but.includes(words[0])) continue
    const { code, output } = await run(process.execPath, [main, ...words], settings, user)
    // Commands that only read may succeed where nothing can be written.
    if (code === 0 && mayRead && reading.has(words[0])) continue
    assert.equal(code, 1, `${words.join(' ')}: ${output}`)
    assert.match(output, sentence, words.join(' '))
    assert.doesNotMatch(output, /\n {4}at |report it as a bug|select |SQLITE_|DB::|errno/, words.join(' '))
  }
}

describe('PostgreSQL', { concurrency: 1 }, () => {
  let service: Service
  let url: string
  let address: (database: string, user?: string) => string
  let asAdmin: (database: string, ...statements: string[]) => Promise<void>
  before(async () => {
    const postgres = await testPostgres()
    url = await postgres.createDatabase()
    address = (database, user = 'everscan:test') => {
      const at = new URL(url)
      const [name = '', word = ''] = user.split(':')
      at.username = name
      at.password = word
      at.pathname = `/${database}`
      return at.href
    }
    asAdmin = async (database, ...statements) => {
      const client = new Client({ connectionString: address(database) })
      await client.connect()
      try {
        for (const statement of statements) await client.query(statement)
      } finally {
        await client.end()
      }
    }
    service = await startService({ DATABASE_URL: url })
    await service.stop()
  })
  after(() => service.remove())
  const used = (databaseUrl: string): Settings => ({
    DATA_DIR: service.dataDir,
    PORT: String(service.port),
    DATABASE_URL: databaseUrl,
  })
  const newDirectory = (databaseUrl: string): Settings => ({
    ...used(databaseUrl),
    DATA_DIR: mkdtempSync(join(folder, 'new-')),
  })

  test('a user without rights on the tables is told whose rights it needs, and not that the database is empty', async () => {
    await asAdmin('postgres', `create role blind login password 'blind'`)
    const blind = address(new URL(url).pathname.slice(1), 'blind:blind')
    await assertTold(
      used(blind),
      /the user "blind" may not use the catalogue .*permission denied for table .*name the owner of its tables/,
    )
  })

  test('a database of another program is refused with its tables, and gets none of ours', async () => {
    for (const [name, statement] of [
      ['shop', 'create table customers (id int)'],
      // Tools of other programs have a table of this name, too.
      ['rails', `create table migrations as select 'Create1' as name; create table users (id int)`],
      ['blog', 'create table migrations (migration text); create table posts (id int)'],
    ] as const) {
      await asAdmin('postgres', `create database ${name}`)
      await asAdmin(name, statement)
      const told = new RegExp(
        `the database "${name}" at .* holds tables of another program \\((customers|posts|users)\\) and no catalogue`,
      )
      await assertTold(used(address(name)), told)
      assert.match((await everscan(newDirectory(address(name)), 'start')).output, told)
      await assert.rejects(asAdmin(name, 'select from qr_codes'), { code: '42P01' })
    }
  })

  test('an empty database is told with the way to begin, and backup names no relation', async () => {
    await asAdmin('postgres', 'create database nothing')
    for (const words of commands.filter(([word]) => word !== 'start')) {
      const { code, output } = await everscan(used(address('nothing')), ...words)
      assert.equal(code, 1)
      assert.match(output, /holds no catalogue yet\. Start the service once to create it: \.\/everscan start/)
    }
    const { code, output } = await everscan(used(address('nothing')), 'start')
    assert.equal(code, 1)
    assert.match(output, /is missing or empty, but DATA_DIR .* restore its catalogue/)
  })

  test('a read-only database: changes say so with the way out, doctor finds it, a start waits and goes on by itself', async (t) => {
    const database = new URL(url).pathname.slice(1)
    await asAdmin('postgres', `alter database ${database} set default_transaction_read_only = on`)
    t.after(() => asAdmin('postgres', `alter database ${database} reset default_transaction_read_only`))
    const told = new RegExp(
      `the database is read-only: .* run: alter database "${database}" reset default_transaction_read_only`,
    )
    await assertTold(used(url), told, { but: ['start'], mayRead: true })
    service.launch()
    await until('it is told', () => told.test(service.output().replaceAll(String.raw`\"`, '"')), 30_000)
    assert.match(service.output(), /waiting for PostgreSQL at /)
    await asAdmin('postgres', `alter database ${database} reset default_transaction_read_only`)
    await service.waitUntilReady()
    await service.stop()
  })
})

describe('DATA_DIR', { concurrency: 1 }, () => {
  let service: Service
  before(async () => {
    service = await startService()
    const of = await createCodes(service, 1)
    await scanOnce({ port: service.port, code: of.codes[0]?.shortCode ?? '' })
    await until(
      'the scan is counted',
      async () => (await service.metric('ingested_scans_total')) === 1,
      30_000,
    )
  })
  after(() => service.remove())
  const settings = (dataDir: string): Settings => ({ DATA_DIR: dataDir, PORT: String(service.port) })

  const records = () => join(service.dataDir, 'journal', 'scans')
  /** Takes the folder with the records of scans away while `work` runs. */
  async function withoutRecords(work: () => Promise<void>): Promise<void> {
    renameSync(records(), join(folder, 'records'))
    try {
      await work()
    } finally {
      rmSync(records(), { recursive: true, force: true })
      renameSync(join(folder, 'records'), records())
    }
  }
  const saysGone = (output: string) => {
    const said = `${records()} has none of the files that the catalogue lists in it`
    assert.ok(output.includes(said), output)
    assert.match(output, /put the folder back \(is a disk not mounted\?\); if it is lost: \.\/everscan adopt/)
  }

  test('doctor says that the scans of a running store are gone', () =>
    withoutRecords(async () => {
      const { code, output } = await everscan(settings(service.dataDir), 'doctor')
      assert.equal(code, 1)
      saysGone(output)
      assert.match(
        output,
        /FAILED {2}Files of scans: 1 of 1 file and record are missing or damaged, with 1 hit/,
      )
      assert.doesNotMatch(output, /errno|ENOENT|report it as a bug/)
    }))

  test('doctor says that the folder of a stopped store is gone or empty, and how to go on', async () => {
    await service.stop()
    for (const make of [() => undefined, () => mkdirSync(records())])
      await withoutRecords(async () => {
        make()
        const { code, output } = await everscan(settings(service.dataDir), 'doctor')
        assert.equal(code, 1)
        saysGone(output)
      })
  })

  test('of another user: every command says who may write, and what to do', async () => {
    // Root may write everywhere.
    const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
    const dataDir = join(folder, 'foreign')
    cpSync(service.dataDir, dataDir, { recursive: true })
    spawnSync('chmod', ['-R', user.uid === undefined ? 'a-w' : 'a+rX', dataDir])
    chmodSync(folder, 0o755)
    const told = /the user \d+ may not write there; run this as the user of the service, give it/
    await assertTold(settings(dataDir), told, { but: ['export'], mayRead: true, user })
    spawnSync('chmod', ['-R', 'u+w', dataDir])
  })

  if (mayMount)
    test('on a read-only file system, or a full disk: the same', async () => {
      const readOnly = join(folder, 'read-only')
      const full = join(folder, 'full')
      for (const dir of [readOnly, full]) {
        mkdirSync(dir)
        mount(dir, '64m')
        cpSync(service.dataDir, dir, { recursive: true })
        chmodSync(dir, 0o700)
      }
      try {
        spawnSync('mount', ['-o', 'remount,ro', readOnly])
        await assertTold(
          settings(readOnly),
          /its file system is read-only; mount it so that it can be written/,
          { mayRead: true },
        )
        fill(join(full, 'filler'))
        await assertTold(settings(full), /its disk is full; make room/, { but: ['doctor'], mayRead: true })
        assert.match(
          (await everscan(settings(full), 'doctor')).output,
          /FAILED {2}Free space: .*\n +-> free space on it/,
        )
      } finally {
        for (const dir of [readOnly, full]) spawnSync('umount', [dir])
      }
    })

  if (mayMount)
    test('a full folder for copies: backup says so and leaves nothing', async () => {
      const copies = join(folder, 'copies')
      mkdirSync(copies)
      mount(copies, '1m')
      try {
        fill(join(copies, 'filler'))
        for (const words of [['--to', copies], [join(copies, 'a.copy')]]) {
          const { code, output } = await everscan(settings(service.dataDir), 'backup', ...words)
          assert.equal(code, 1)
          assert.match(
            output,
            /^everscan: .*copies has 0 B of free space, but .* are needed\. Free some, or choose/,
          )
          assert.deepEqual(readdirSync(copies), ['filler'])
        }
      } finally {
        spawnSync('umount', [copies])
      }
    })

  test('with 64 open files doctor fails, and says how to raise the limit', async () => {
    const doctor = await run(
      'sh',
      ['-c', 'ulimit -n 64; exec "$0" "$@"', process.execPath, main, 'doctor'],
      settings(service.dataDir),
    )
    assert.equal(doctor.code, 1)
    assert.match(doctor.output, /FAILED {2}Open files: only 64 files .*\n +-> .*ulimit -n 65536/)
  })

  test('a preparation that is killed is told with the memory that the service needs', async () => {
    const port = await freePort()
    const dataDir = join(folder, 'killed')
    const starting = await startService({ DATA_DIR: dataDir, PORT: String(port) }, { wait: false })
    await until('it prepares', () => starting.pids('prepare').length > 0)
    starting.signal(['prepare'], 'SIGKILL')
    assert.equal(await starting.ended(), 1)
    assert.match(
      starting.output(),
      /the preparation of the catalogue was killed from outside, as a rule for lack of memory .*needs 1 GiB/,
    )
    await starting.remove()
  })
})

function canMount(): boolean {
  const dir = join(folder, 'mount')
  mkdirSync(dir)
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', dir])
  if (status === 0) spawnSync('umount', [dir])
  return status === 0
}

function mount(dir: string, size: string): void {
  const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', dir])
  assert.equal(status, 0, String(stderr))
}

function fill(path: string): void {
  const { bavail, bsize } = statfsSync(join(path, '..'))
  writeFileSync(path, Buffer.alloc(bavail * bsize))
}
