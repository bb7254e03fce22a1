import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createUploadFolder, removeUploads } from './upload-folders.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'everscan-upload-folders-'))
after(() => rmSync(dataDir, { recursive: true, force: true }))

test('an upload removes those of killed processes, and no other one', async () => {
  const { pid: dead } = spawnSync(process.execPath, ['-e', ''])
  for (const name of [`archive-${dead}-abc`, 'archive-AbC123', `archive-${process.ppid}-abc`]) {
    mkdirSync(join(dataDir, 'uploads', name), { recursive: true })
    writeFileSync(join(dataDir, 'uploads', name, 'archive.zip'), 'x')
  }
  const folder = await createUploadFolder(dataDir)
  assert.ok(existsSync(folder))
  assert.deepEqual(
    readdirSync(join(dataDir, 'uploads'))
      .map((name) => name.slice(0, name.lastIndexOf('-')))
      .toSorted(),
    [`archive-${process.pid}`, `archive-${process.ppid}`].toSorted(),
  )
})

test('a start of the service removes all of them', async () => {
  await createUploadFolder(dataDir)
  await removeUploads(dataDir)
  assert.deepEqual(readdirSync(dataDir), [])
  await removeUploads(dataDir)
})
