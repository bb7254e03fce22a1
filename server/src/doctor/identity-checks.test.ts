import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addInstallationNote, ensureInstallation, updateInstallation } from '../db/installation.ts'
import { forEachDatabase } from '../db/testing/databases.ts'
import { FatalError } from '../errors.ts'
import { fingerprintOf } from '../processes/fingerprint.ts'
import { visitorKeyOfSecret } from '../processes/visitor-key.ts'
import { writeIdentity } from '../processes/identity-file.ts'
import { contextFor, findingOf, matchingParts, scratchDir, textOf } from './testing/doctor.ts'

const dayMs = 86_400_000
const secret = 's'.repeat(32)

forEachDatabase('identity checks', (open) => {
  test('a refusal of the next start is reported in its own words, with the command that adopts', async () => {
    const db = await open()
    const given = { database: async () => db, catalogue: async () => db }
    const dataDir = scratchDir()
    const refuseForeignParts = async (config: { secret?: string | undefined }) => {
      assert.equal(config.secret, secret, 'SECRET is settled first')
      const message = 'DATA_DIR belongs to another one. If this is intended: ./everscan adopt data-dir.'
      throw new FatalError(message, { adopts: 'data-dir' })
    }
    const parts = { ...matchingParts, refuseForeignParts }
    const env = { DATA_DIR: dataDir, SECRET: secret }
    assert.equal(
      textOf(await findingOf('identity.parts', contextFor(env, { ...given, parts }))),
      'failed: DATA_DIR belongs to another one. If this is intended: ./everscan adopt data-dir. -> do what it says; if this is intended: ./everscan adopt data-dir',
    )
    assert.equal((await findingOf('identity.parts', contextFor(env, given))).state, 'ok')
  })

  test('a catalogue that is behind its data directory is an older copy', async () => {
    const db = await open()
    const dataDir = scratchDir()
    const context = contextFor({ DATA_DIR: dataDir }, { catalogue: async () => db })
    assert.equal((await findingOf('identity.older-catalogue', context)).state, 'unknown')
    const { id } = await ensureInstallation(db)
    await updateInstallation(db, { pulse: 10 })
    writeIdentity(dataDir, { installation: id, epoch: 1, pulse: 10 })
    assert.equal((await findingOf('identity.older-catalogue', context)).state, 'ok')
    await updateInstallation(db, { pulse: 11 })
    assert.equal(
      (await findingOf('identity.older-catalogue', context)).state,
      'ok',
      'the directory counts after the catalogue',
    )
    writeIdentity(dataDir, { installation: id, epoch: 1, pulse: 71 })
    assert.match(
      textOf(await findingOf('identity.older-catalogue', context)),
      /^warning: .*it lacks 60 minutes of changes -> if this is intended, \.\/everscan start/,
    )
    writeIdentity(dataDir, { installation: id, epoch: 2, pulse: 11 })
    assert.equal((await findingOf('identity.older-catalogue', context)).state, 'warning')
  })

  test('the newest notes are reported; recently lost scans are a warning, older losses a notice', async () => {
    const db = await open()
    const nowMs = Date.UTC(2026, 10, 23)
    const context = contextFor({ DATA_DIR: scratchDir() }, { catalogue: async () => db, nowMs })
    assert.equal((await findingOf('identity.notes', context)).state, 'ok')
    const days = [{ day: '2026-09-01', hits: 7 }]
    await addInstallationNote(db, { kind: 'scans-lost', detail: { days } }, nowMs - 40 * dayMs)
    await addInstallationNote(db, { kind: 'adopted', detail: { what: 'secret' } }, nowMs - dayMs)
    assert.match(
      textOf(await findingOf('identity.notes', context)),
      /^notice: 2026-11-22: the operator adopted secret; 2026-10-14: the scan store lost hits for good: 7 of 2026-09-01 ->/,
    )
    await addInstallationNote(db, { kind: 'scans-lost', detail: { days } }, nowMs)
    await addInstallationNote(db, { kind: 'catalogue-behind', detail: { hits: 3 } }, nowMs)
    assert.match(
      textOf(await findingOf('identity.notes', context)),
      /^warning: .*3 hits behind.* -> find out why/,
    )
  })

  test('fingerprints of SECRET and of the visitor key are compared', async () => {
    const db = await open()
    const context = contextFor({ DATA_DIR: scratchDir(), SECRET: secret }, { catalogue: async () => db })
    await ensureInstallation(db)
    assert.equal((await findingOf('secrets.visitor-key', context)).state, 'unknown')
    await updateInstallation(db, {
      secretFingerprint: fingerprintOf(secret),
      visitorKeyFingerprint: fingerprintOf(visitorKeyOfSecret(secret)),
    })
    assert.equal((await findingOf('secrets.fingerprint', context)).state, 'ok')
    assert.match((await findingOf('secrets.visitor-key', context)).says, /derived from SECRET/)
    await updateInstallation(db, { visitorKeyFingerprint: 'another' })
    assert.equal((await findingOf('secrets.visitor-key', context)).state, 'failed')
    await updateInstallation(db, { secretFingerprint: fingerprintOf('another') })
    assert.equal((await findingOf('secrets.fingerprint', context)).state, 'failed')
  })
})
