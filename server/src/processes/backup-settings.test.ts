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

test('a folder or a passphrase that cannot be used is told until it can', async () => {
  assert.match((await backupProblem(given)) ?? '', /^BACKUP_DIR .*copies does not exist: mount it or make it/)
  assert.match((await backupWarnings(given)).join(), /does not exist.*; nothing is copied before that$/)
  writeFileSync(backupDir, '')
  assert.match((await backupProblem(given)) ?? '', /is not a folder/)
  rmSync(backupDir)
  mkdirSync(backupDir)
  assert.match((await backupProblem(given)) ?? '', /^BACKUP_PASSPHRASE_FILE .*passphrase cannot be read/)
  writeFileSync(passphrase, 'correct horse\n')
  assert.equal(await backupProblem(given), undefined)
  if (process.getuid?.() === 0) return
  chmodSync(backupDir, 0o500)
  assert.match((await backupProblem(given)) ?? '', /cannot be written by the user of the service/)
  chmodSync(backupDir, 0o700)
})

test('copies on the disk of the data are warned of, and no setting of nothing', async () => {
  mkdirSync(backupDir, { recursive: true })
  writeFileSync(passphrase, 'correct horse\n')
  assert.match((await backupWarnings(given)).join(), /is on the same disk as DATA_DIR/)
  assert.deepEqual(await backupWarnings({ ...given, backupDir: undefined }), [])
  assert.equal(await onSameDisk(dataDir, '/proc'), false)
  assert.equal(await onSameDisk(dataDir, join(dataDir, 'nowhere')), false)
})
