import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createSecret, lockAsChild, lockDataDir, readSecret, writeSecret } from './data-dir.ts'

const root = mkdtempSync(join(tmpdir(), 'everscan-data-dir-'))
after(() => rmSync(root, { recursive: true }))

test('a data directory in use is refused with its name, and free again after release', async () => {
  const dataDir = join(root, 'a')
  const lock = await lockDataDir(dataDir)
  await assert.rejects(lockDataDir(dataDir), { message: new RegExp(`${dataDir} is in use`) })
  lock.release()
  ;(await lockDataDir(dataDir)).release()
})

test('it stays in use although nobody holds on to the lock', async () => {
  const dataDir = join(root, 'unheld')
  await lockDataDir(dataDir)
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  for (let i = 0; i < 5; i++) {
    collectGarbage()
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  await assert.rejects(lockDataDir(dataDir), { message: new RegExp(`${dataDir} is in use`) })
})

test('a new main waits for the children of a killed one', async () => {
  const dataDir = join(root, 'b')
  ;(await lockDataDir(dataDir)).release()
  const first = lockAsChild(dataDir)
  const second = lockAsChild(dataDir)
  let locked = false
  const waiting = lockDataDir(dataDir).then((lock) => {
    locked = true
    return lock
  })
  await new Promise((resolve) => setTimeout(resolve, 200))
  assert.equal(locked, false)
  first.release()
  second.release()
  ;(await waiting).release()
})

test('a secret is read as it was written, and only this user can read it', async () => {
  const dataDir = join(root, 'c')
  ;(await lockDataDir(dataDir)).release()
  assert.equal(readSecret(dataDir), undefined)
  const secret = createSecret()
  assert.match(secret, /^[0-9a-f]{64}$/)
  writeSecret(dataDir, secret)
  assert.equal(readSecret(dataDir), secret)
  assert.equal(statSync(join(dataDir, 'secret')).mode & 0o777, 0o600)
  writeFileSync(join(dataDir, 'secret'), 'short')
  assert.throws(() => readSecret(dataDir), /damaged/)
})

test('a directory that cannot be made is named', async () => {
  writeFileSync(join(root, 'file'), '')
  await assert.rejects(lockDataDir(join(root, 'file', 'data')), /DATA_DIR: .* cannot be made/)
})
