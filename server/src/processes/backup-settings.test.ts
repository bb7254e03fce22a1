import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { backupProblem, backupWarnings, onSameDisk } from './backup-settings.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'everscan-backup-'))
after(() => rmSync(dataDir, { recursive: true }))
const backupDir = join(dataDir, 'copies')
const passphrase = join(dataDir, 'passphrase')
const given = { dataDir, backupDir, backupPassphraseFile: passphrase }

test('a folder or a passphrase file that cannot be used is reported until it can', async () => {
  assert.match(
    (await backupProblem(given))?.message ?? '',
    /^BACKUP_DIR .*copies does not exist: mount or create it/,
  )
  assert.match((await backupWarnings(given)).join(), /does not exist.*; no copies are made until then$/)
  writeFileSync(backupDir, '')
  assert.match((await backupProblem(given))?.message ?? '', /is not a folder: set it to a folder/)
  rmSync(backupDir)
  mkdirSync(backupDir)
  assert.match(
    (await backupProblem(given))?.message ?? '',
    /^BACKUP_PASSPHRASE_FILE .*passphrase cannot be read/,
  )
  writeFileSync(passphrase, 'correct horse\n')
  assert.equal(await backupProblem(given), undefined)
  if (process.getuid?.() === 0) return
  chmodSync(backupDir, 0o500)
  assert.match((await backupProblem(given))?.message ?? '', /cannot be written by the user of the service/)
  chmodSync(backupDir, 0o700)
})

test('a warning says that copies are on the disk of the data; without BACKUP_DIR there is none', async () => {
  mkdirSync(backupDir, { recursive: true })
  writeFileSync(passphrase, 'correct horse\n')
  assert.match((await backupWarnings(given)).join(), /is on the same disk as DATA_DIR/)
  assert.deepEqual(await backupWarnings({ ...given, backupDir: undefined }), [])
  assert.equal(await onSameDisk(dataDir, '/proc'), false)
  assert.equal(await onSameDisk(dataDir, join(dataDir, 'nowhere')), false)
})
