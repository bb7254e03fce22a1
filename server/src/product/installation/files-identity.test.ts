import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileName } from '../../analytics/files/parquet/look-at-files.ts'
import { MissingStoreError } from '../../analytics/store/store-identity.ts'
import type { Database } from '../../db/database.ts'
import {
  adoptedStore,
  ensureInstallation,
  readInstallation,
  updateInstallation,
} from '../../db/installation.ts'
import { forEachDatabase } from '../../db/testing/databases.ts'
import { FatalError } from '../../errors.ts'
import { readConfig } from '../../settings/config.ts'
import { readFilesIdentity, writeFilesIdentity } from '../../analytics/files/folder-claim.ts'
import { claimFiles, refuseForeignFiles } from './identity.ts'
import { scanFilePlaces } from '../../settings/scan-file-places.ts'

const root = mkdtempSync(join(tmpdir(), 'everscan-files-identity-'))
after(() => rmSync(root, { recursive: true }))

const listed = { id: 'seg_1', checksum: 7 }

async function list(db: Database, segment: { id: string; level: number }): Promise<void> {
  const numbers = { segment_rows: 20, bytes: 9, checksum: listed.checksum, from_ms: 1, to_ms: 2 }
  await db.kysely
    .insertInto('scan_segments')
    .values({ ...segment, ...numbers, stretches: '[]' })
    .execute()
}

/** Makes an installation whose catalogue lists a file, and maybe the file. */
async function installationOn(db: Database, { hasFile }: { hasFile: boolean }) {
  const dataDir = mkdtempSync(join(root, 'data-'))
  const config = readConfig({ DATA_DIR: dataDir })
  const places = scanFilePlaces(config)
  const { id } = await ensureInstallation(db)
  await updateInstallation(db, { scansCountedAtMs: 1 })
  await list(db, { id: listed.id, level: 1 })
  const file = join(places.segments, '202603', fileName(listed))
  if (hasFile) {
    mkdirSync(join(places.segments, '202603'), { recursive: true })
    writeFileSync(file, 'PAR1PAR1')
  }
  return { id, dataDir, config, places, file }
}

/** Returns the problem with which a claim is refused; the doctor's look must say the same. */
async function refusal(db: Database, config: ReturnType<typeof readConfig>): Promise<FatalError> {
  const errors: unknown[] = []
  for (const refuse of [refuseForeignFiles, claimFiles])
    await refuse(db, config).catch((error: unknown) => errors.push(error))
  const [first, second] = errors
  assert.ok(first instanceof FatalError && second instanceof FatalError)
  assert.equal(first.message, second.message)
  assert.equal(second.adopts, 'scan-store')
  return second
}

forEachDatabase('a folder of files of scans', (open) => {
  for (const hasFile of [true, false])
    test(`without a claim, ${hasFile ? 'as earlier releases left it, is claimed' : 'and without the listed files, is refused as missing'}`, async () => {
      const db = await open()
      const { id, config, places } = await installationOn(db, { hasFile })
      await updateInstallation(db, { scanStore: 'files:a' })
      if (!hasFile) {
        const error = await refusal(db, config)
        assert.ok(error instanceof MissingStoreError)
        assert.equal(error.found?.problem, 'scanStoreEmpty')
        assert.equal(existsSync(places.segments), false)
        return
      }
      await claimFiles(db, config)
      assert.deepEqual(readFilesIdentity(places), { installation: id, store: 'files:a' })
    })

  test('that was claimed is the right one, though its files are gone, and as a copy', async () => {
    const db = await open()
    const { id, config, places, file, dataDir } = await installationOn(db, { hasFile: true })
    await claimFiles(db, config)
    const store = (await readInstallation(db))?.scanStore
    assert.deepEqual(readFilesIdentity(places), { installation: id, store })
    rmSync(file)
    await claimFiles(db, config)
    const copy = `${dataDir}-copy`
    cpSync(dataDir, copy, { recursive: true })
    await claimFiles(db, readConfig({ DATA_DIR: copy }))
    assert.equal((await readInstallation(db))?.scanStore, store)
  })

  test('beside a catalogue that names no store keeps its name', async () => {
    const db = await open()
    const { id, config, places } = await installationOn(db, { hasFile: true })
    await writeFilesIdentity(places, { installation: id, store: 'files:b' })
    await claimFiles(db, config)
    assert.equal((await readInstallation(db))?.scanStore, 'files:b')
  })

  test('of another installation, or of another store, is refused until it is adopted', async () => {
    const db = await open()
    const { id, config, places } = await installationOn(db, { hasFile: true })
    await updateInstallation(db, { scanStore: 'files:a' })
    const foreign = { installation: 'ins_other', store: 'files:a' }
    await writeFilesIdentity(places, foreign)
    const error = await refusal(db, config)
    assert.ok(!(error instanceof MissingStoreError))
    assert.deepEqual(error.found?.values, { owner: 'ins_other', installation: id, dir: places.segments })
    assert.deepEqual(readFilesIdentity(places), foreign)
    await writeFilesIdentity(places, { installation: id, store: 'files:older' })
    assert.equal((await refusal(db, config)).found?.problem, 'scanStoreOther')

    await updateInstallation(db, { scanStore: adoptedStore })
    await claimFiles(db, config)
    const { scanStore, scansCountedAtMs } = (await readInstallation(db)) ?? {}
    assert.deepEqual(readFilesIdentity(places), { installation: id, store: scanStore })
    assert.ok(scanStore !== 'files:older' && scanStore?.startsWith('files:'))
    assert.equal(scansCountedAtMs, null, 'figures are set to what the files have')
  })

  test('of records that has none of the listed ones is missing', async () => {
    const db = await open()
    const { config, places } = await installationOn(db, { hasFile: true })
    await claimFiles(db, config)
    await list(db, { id: 'seg_2', level: 0 })
    assert.equal((await refusal(db, config)).found?.problem, 'scanStoreEmpty')
    mkdirSync(places.records, { recursive: true })
    writeFileSync(join(places.records, 'installation'), 'ins_x\n')
    assert.equal((await refusal(db, config)).found?.problem, 'scanStoreEmpty')
    writeFileSync(join(places.records, '00000001.rows'), '')
    await claimFiles(db, config)
  })

  test('that is empty and adopted is accepted until it was counted', async () => {
    const db = await open()
    const { config } = await installationOn(db, { hasFile: false })
    await list(db, { id: 'seg_2', level: 0 })
    await updateInstallation(db, { scanStore: 'files:a' })
    await refusal(db, config)
    await updateInstallation(db, { scanStore: adoptedStore })
    await claimFiles(db, config)
    await refuseForeignFiles(db, config)
    // A start after a kill before the count.
    await claimFiles(db, config)
    await updateInstallation(db, { scansCountedAtMs: 2 })
    assert.equal((await refusal(db, config)).found?.problem, 'scanStoreEmpty')
  })

  test('with a claim that cannot be read is claimed again', async () => {
    const db = await open()
    const { id, config, places } = await installationOn(db, { hasFile: true })
    await updateInstallation(db, { scanStore: 'files:a' })
    writeFileSync(join(places.segments, 'installation.json'), '{')
    await claimFiles(db, config)
    assert.deepEqual(readFilesIdentity(places), { installation: id, store: 'files:a' })
  })
})
