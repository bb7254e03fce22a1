import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { refuseOtherVisitorKey, settleVisitorKey } from './visitor-key.ts'
import { readConfig } from '../../settings/config.ts'
import type { Config } from '../../settings/settings.ts'
import type { Database } from '../../db/database.ts'
import { saveCheckpoint } from '../../db/scans/ingest-checkpoints.ts'
import { ensureInstallation, readInstallation, readInstallationNotes } from '../../db/installation.ts'
import { onEitherDatabase, onPostgres } from '../../db/testing/databases.ts'
import { FatalError } from '../../errors.ts'
import { readVisitorKey, visitorKeyFile, writeVisitorKey } from '../../processes/data-dir.ts'
import { createVisitorKey, visitorKeyOfSecret } from '../../processes/visitor-key.ts'
import { fingerprintOf } from '../../processes/fingerprint.ts'

const nowMs = Date.parse('2026-11-23T12:00:00.000Z')
const secret = 's'.repeat(64)
const ofSecret = visitorKeyOfSecret(secret)
const root = mkdtempSync(join(tmpdir(), 'everscan-visitor-'))
after(() => rmSync(root, { recursive: true }))
let directories = 0

/** Returns the settings of a new machine on this catalogue, with its own data directory. */
function machineOn({ source }: Database, env: Record<string, string> = {}): Config {
  const dataDir = join(root, String(directories++))
  mkdirSync(dataDir)
  const databaseUrl = source.dialect === 'sqlite' ? undefined : source.url
  return { ...readConfig({ SECRET: secret, ...env }), dataDir, databaseUrl }
}
async function withInstallation(open: () => Promise<Database>): Promise<Database> {
  const db = await open()
  await ensureInstallation(db)
  return db
}
const fingerprintIn = async (db: Database) => (await readInstallation(db))?.visitorKeyFingerprint ?? null
const notesOf = async (db: Database) =>
  (await readInstallationNotes(db)).map(({ kind }) => kind).toSorted((a, b) => (a < b ? -1 : 1))

onEitherDatabase('the visitor key', (open) => {
  test('a new installation gets a random key on SQLite, and a key derived from SECRET if the catalogue is shared', async () => {
    const db = await withInstallation(open)
    const config = machineOn(db)
    await settleVisitorKey(db, config, nowMs)
    const key = readVisitorKey(config.dataDir) ?? assert.fail('there is a file')
    assert.equal(key === ofSecret, db.source.dialect !== 'sqlite')
    assert.equal(await fingerprintIn(db), fingerprintOf(key))
    assert.deepEqual(await notesOf(db), [])
    await settleVisitorKey(db, config, nowMs)
    assert.equal(readVisitorKey(config.dataDir), key)
    refuseOtherVisitorKey(config, await fingerprintIn(db))
  })

  test('with existing scans the key is derived from SECRET, and the day is marked once', async () => {
    const db = await withInstallation(open)
    await saveCheckpoint(db, 'w', { segment: 1, offset: 2, sequence: 3 })
    const config = machineOn(db)
    for (let start = 0; start < 2; start++) await settleVisitorKey(db, config, nowMs)
    assert.equal(readVisitorKey(config.dataDir), ofSecret)
    assert.deepEqual(await notesOf(db), ['visitors-by-64'])
  })

  test('files of a service in the data directory count as existing scans', async () => {
    const db = await withInstallation(open)
    const config = machineOn(db)
    mkdirSync(join(config.dataDir, 'scans', 'store'), { recursive: true })
    await settleVisitorKey(db, config, nowMs)
    assert.equal(readVisitorKey(config.dataDir), ofSecret)
    assert.deepEqual(await notesOf(db), ['visitors-by-64'])
  })

  test('a key in the setting is used and not written to disk; with existing scans, the day is marked', async () => {
    const visitorKey = 'a key of the operator, long enough'
    const db = await withInstallation(open)
    await saveCheckpoint(db, 'w', { segment: 1, offset: 2, sequence: 3 })
    const config = machineOn(db, { VISITOR_KEY: visitorKey })
    await settleVisitorKey(db, config, nowMs)
    assert.ok(!existsSync(visitorKeyFile(config.dataDir)))
    assert.equal(await fingerprintIn(db), fingerprintOf(visitorKey))
    assert.deepEqual(await notesOf(db), ['visitor-key', 'visitors-by-64'])
  })

  test('after an interrupted start, the next start uses the key that was written', async () => {
    const db = await withInstallation(open)
    const config = machineOn(db)
    const key = createVisitorKey()
    writeVisitorKey(config.dataDir, key)
    await settleVisitorKey(db, config, nowMs)
    assert.equal(readVisitorKey(config.dataDir), key)
    assert.equal(await fingerprintIn(db), fingerprintOf(key))
  })

  test('a lost key file is written again if the key was derived from SECRET, and refused if it was random', async () => {
    const db = await withInstallation(open)
    const first = machineOn(db)
    await saveCheckpoint(db, 'w', { segment: 1, offset: 2, sequence: 3 })
    await settleVisitorKey(db, first, nowMs)
    rmSync(visitorKeyFile(first.dataDir))
    refuseOtherVisitorKey(first, await fingerprintIn(db))
    await settleVisitorKey(db, first, nowMs)
    assert.equal(readVisitorKey(first.dataDir), ofSecret)

    rmSync(visitorKeyFile(first.dataDir))
    const random = fingerprintOf(createVisitorKey())
    const remedy =
      db.source.dialect === 'sqlite'
        ? /visitor-key is missing, .*: restore it from a copy, or set VISITOR_KEY to its content\. .*visitor-key --new/
        : /visitor-key is missing, .*: copy DATA_DIR\/visitor-key from the first machine, or set VISITOR_KEY on all of them\. .*visitor-key --new/
    assert.throws(
      () => refuseOtherVisitorKey(first, random),
      (error) => error instanceof FatalError && remedy.test(error.message),
    )
  })

  test('a key with another fingerprint is refused, and the message names its source', async () => {
    const db = await withInstallation(open)
    const known = fingerprintOf(createVisitorKey())
    const file = machineOn(db)
    writeVisitorKey(file.dataDir, createVisitorKey())
    assert.throws(() => refuseOtherVisitorKey(file, known), /visitor-key is not the visitor key of this/)
    const setting = machineOn(db, { VISITOR_KEY: createVisitorKey() })
    assert.throws(
      () => refuseOtherVisitorKey(setting, known),
      /^Error: VISITOR_KEY is not the visitor key of/,
    )
  })
})

onPostgres('the visitor key', (open) => {
  test('if two machines start at once, one wins, and the other is refused and stores no key', async () => {
    const db = await withInstallation(open)
    const machines = [machineOn(db, { VISITOR_KEY: 'k'.repeat(32) }), machineOn(db)]
    const connections = [db, await open({ same: db })]
    const outcomes = await Promise.allSettled(
      machines.map((config, at) => settleVisitorKey(connections[at] ?? db, config, nowMs)),
    )
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
    assert.equal(refused.length, 1)
    assert.match(String(refused[0]?.reason), /visitor-key --new makes every/)
    const isFirst = (await fingerprintIn(db)) === fingerprintOf('k'.repeat(32))
    assert.equal(readVisitorKey(machines[1]?.dataDir ?? ''), isFirst ? undefined : ofSecret)
  })
})
