import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { bootstrap } from '../catalogue/installation/bootstrap.ts'
import { deleteDemo } from '../catalogue/installation/delete-demo.ts'
import { findDemo, saveDemo } from '../catalogue/installation/demo-organizations.ts'
import { listAllOrganizations } from '../catalogue/installation/installation-lists.ts'
import { systemOrigin } from '../catalogue/rows/change-origins.ts'
import { isShared, type Database } from '../db/database.ts'
import { onEitherDatabase, onPostgres } from '../db/testing/databases.ts'
import { journalFolders } from '../journal/journal-folders.ts'
import type { RawScan } from '../journal/raw-scan.ts'
import { journalStart, readFrames, readWriters } from '../journal/reader.ts'
import { createLog, type Log } from '../log.ts'
import { journalOwner } from '../processes/journal-owners.ts'
import { demoCodes } from './demo-codes.ts'
import { demoFolders } from './demo-journal.ts'
import { readDemoPlan, type DemoPlan } from './demo-plan.ts'
import { prepareDemo, type PreparedDemo } from './prepare-demo.ts'
import { demoLedger } from './testing/demo-ledger.ts'

const scratch = mkdtempSync(join(tmpdir(), 'everscan-demo-'))
after(() => rmSync(scratch, { recursive: true, force: true }))
const secret = 's'.repeat(32)
const log = createLog({ level: 'silent', role: 'test' })
const nowMs = Date.UTC(2026, 10, 24, 14, 21)

function newDataDir(): string {
  const dataDir = mkdtempSync(join(scratch, 'data-'))
  mkdirSync(join(dataDir, 'journal', 'front-0'), { recursive: true })
  return dataDir
}

function prepare(
  db: Database,
  dataDir: string,
  { onStep, log: ownLog = log }: { onStep?: () => void; log?: Log } = {},
): Promise<PreparedDemo> {
  const config = {
    dataDir,
    publicUrl: 'https://go.example',
    retentionDays: undefined,
    secret,
    visitorKey: undefined,
  }
  return prepareDemo(db, { config, log: ownLog, clock: () => nowMs, ...(onStep && { onStep }) })
}

async function newInstallation(db: Database): Promise<void> {
  await bootstrap(db, {
    organizationName: 'Own',
    email: 'first@example.com',
    password: 'correct horse 4711 battery',
  })
}

async function planOf(db: Database): Promise<DemoPlan> {
  return readDemoPlan((await findDemo(db))?.plan ?? '')
}

async function scansIn(dir: string): Promise<RawScan[]> {
  const scans: RawScan[] = []
  for (let position = journalStart, more = true; more;) {
    const read = await readFrames(dir, position)
    scans.push(...read.frames.map(({ scan }) => scan))
    assert.deepEqual(read.damaged, [])
    ;({ position, more } = read)
  }
  return scans
}

/** Asserts that there is one demo, whose journal has the hits of its ledger and nothing else. */
async function assertDemo(db: Database, dataDir: string): Promise<void> {
  const demos = (await listAllOrganizations(db)).filter(({ name }) => name.startsWith('Demo'))
  assert.equal(demos.length, 1)
  const plan = await planOf(db)
  assert.equal(plan.isWritten, true)
  const journalRoot = join(dataDir, 'journal')
  const { journal } = demoFolders(journalRoot, plan)
  assert.deepEqual(await journalFolders(journalRoot), [journal, join(journalRoot, 'front-0')])
  const scans = await scansIn(journal)
  assert.deepEqual(
    scans.map(({ timeMs, qrCodeId }) => ({ timeMs, qrCodeId })),
    demoLedger(plan).map(({ timeMs, qrCodeId }) => ({ timeMs, qrCodeId })),
  )
  const writers = readWriters(journal)
  assert.deepEqual(
    writers.map(({ writer, isLast }) => [writer === plan.writer, isLast]),
    [
      [true, false],
      [false, true],
    ],
    'the writer has stopped',
  )
  assert.ok(journalOwner(journal)?.startsWith('ins_'))
}

onEitherDatabase('preparing a demo', (open) => {
  test('creates it once, for those who run the installation, and another call changes nothing', async () => {
    const db = await open()
    await newInstallation(db)
    const dataDir = newDataDir()
    const made = await prepare(db, dataDir)
    assert.deepEqual(made.operators, ['first@example.com'])
    assert.equal(made.codes, demoCodes.length)
    assert.equal(made.hits, demoLedger(await planOf(db)).length)
    const plan = await planOf(db)
    assert.deepEqual(await prepare(db, dataDir), { ...made, hits: undefined })
    assert.deepEqual(await planOf(db), plan)
    await assertDemo(db, dataDir)
    const roles = await db.kysely
      .selectFrom('members')
      .select('role')
      .where('organization_id', '=', made.organizationId)
      .execute()
    assert.deepEqual(roles, [{ role: 'ADMIN' }])
  })

  test('continues after an end at any of its steps', async () => {
    const db = await open()
    await newInstallation(db)
    let steps = 0
    const dataDir = newDataDir()
    await prepare(db, dataDir, { onStep: () => steps++ })
    assert.ok(steps > demoCodes.length)
    await deleteDemo(db, { origin: systemOrigin })
    // The first and the last steps are those around the transaction and the journal.
    for (const end of [1, 7, steps - 2, steps - 1, steps]) {
      let left = end
      const dir = newDataDir()
      const onStep = (): void => {
        if (--left === 0) throw new Error('the end')
      }
      await assert.rejects(prepare(db, dir, { onStep }), /the end/)
      await prepare(db, dir)
      await assertDemo(db, dir)
      await deleteDemo(db, { origin: systemOrigin })
    }
  })

  test('a journal that was half written is written again', async () => {
    const db = await open()
    await newInstallation(db)
    const dataDir = newDataDir()
    await prepare(db, dataDir)
    const demo = await findDemo(db)
    const plan = await planOf(db)
    const { journal, unfinished } = demoFolders(join(dataDir, 'journal'), plan)
    const scans = await scansIn(journal)
    rmSync(journal, { recursive: true })
    mkdirSync(join(unfinished, 'journal'), { recursive: true })
    writeFileSync(join(unfinished, 'journal', '00000001.seg'), 'torn')
    mkdirSync(join(dataDir, 'journal', 'demo-00000000.unfinished', 'journal'), { recursive: true })
    await saveDemo(db, demo?.id ?? '', { plan: JSON.stringify({ ...plan, isWritten: false }) })
    await prepare(db, dataDir)
    await assertDemo(db, dataDir)
    assert.deepEqual(await scansIn(journal), scans, 'the same scans')
  })

  test('completes a removal that was killed, and creates a new demo', async () => {
    const db = await open()
    await newInstallation(db)
    const dataDir = newDataDir()
    const { organizationId } = await prepare(db, dataDir)
    const before = await planOf(db)
    const stopping = new AbortController()
    const onProgress = (codes: number): void => (codes === 5 ? stopping.abort() : undefined)
    await assert.rejects(deleteDemo(db, { origin: systemOrigin, onProgress, signal: stopping.signal }))
    const made = await prepare(db, dataDir)
    assert.notEqual(made.organizationId, organizationId)
    rmSync(demoFolders(join(dataDir, 'journal'), before).journal, { recursive: true })
    await assertDemo(db, dataDir)
  })

  test('without an account nobody is its member', async () => {
    const db = await open()
    const { operators } = await prepare(db, newDataDir())
    assert.deepEqual(operators, [])
  })
})

onPostgres('a demo of several machines', (open) => {
  test('one of them creates it and writes its scans', async () => {
    const db = await open()
    assert.ok(isShared(db))
    await newInstallation(db)
    const other = await open({ same: db })
    const dirs = [newDataDir(), newDataDir()] as const
    const made = await Promise.all([prepare(db, dirs[0]), prepare(other, dirs[1])])
    assert.equal(new Set(made.map(({ organizationId }) => organizationId)).size, 1)
    const plan = await planOf(db)
    const writers = dirs.filter((dir) => existsSync(demoFolders(join(dir, 'journal'), plan).journal))
    assert.equal(writers.length, 1)
    await assertDemo(db, writers[0] ?? '')
    for (const dir of dirs)
      assert.deepEqual(
        readdirSync(join(dir, 'journal')).filter((name) => name.endsWith('.unfinished')),
        [],
      )
  })

  test('a demo that another machine began is left to it', async () => {
    const db = await open()
    await newInstallation(db)
    const [first, second] = [newDataDir(), newDataDir()]
    let left = demoCodes.length + 7
    const onStep = (): void => {
      if (--left === 0) throw new Error('the end')
    }
    await assert.rejects(prepare(db, first, { onStep }), /the end/)
    const lines: string[] = []
    const warn = (text: unknown) => void lines.push(String(text))
    const found = await prepare(db, second, { log: { ...log, warn } as unknown as Log })
    assert.equal(found.hits, undefined)
    assert.match(lines.join(), /another machine/)
    assert.deepEqual(readdirSync(join(second, 'journal')), ['front-0'])
    await prepare(db, first)
    await assertDemo(db, first)
  })
})
