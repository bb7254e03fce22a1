import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import {
  createSecret,
  lockAsChild,
  lockDataDir,
  readSecret,
  readVisitorKey,
  writeSecret,
  writeVisitorKey,
} from './data-dir.ts'
import { writeProblem } from '../write-problem.ts'
import { createVisitorKey, givenVisitorKey, visitorKeyOfSecret } from './visitor-key.ts'

const root = mkdtempSync(join(tmpdir(), 'everscan-data-dir-'))
after(() => rmSync(root, { recursive: true }))

test('a data directory in use is refused by name, and free after its release', async () => {
  const dataDir = join(root, 'a')
  const lock = await lockDataDir(dataDir)
  await assert.rejects(lockDataDir(dataDir), { message: new RegExp(`${dataDir} is in use`) })
  lock.release()
  ;(await lockDataDir(dataDir)).release()
})

test('a lock holds although no variable refers to it', async () => {
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

test('a secret is read as it was written, and only its user can read it', async () => {
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

test('a visitor key is stored like the secret; a setting takes precedence over the file', async () => {
  const dataDir = join(root, 'd')
  ;(await lockDataDir(dataDir)).release()
  assert.equal(readVisitorKey(dataDir), undefined)
  assert.equal(givenVisitorKey({ dataDir, visitorKey: undefined }), undefined)
  const key = createVisitorKey()
  assert.match(key, /^[0-9a-f]{64}$/)
  assert.notEqual(createVisitorKey(), key)
  writeVisitorKey(dataDir, key)
  assert.equal(readVisitorKey(dataDir), key)
  assert.equal(statSync(join(dataDir, 'visitor-key')).mode & 0o777, 0o600)
  assert.deepEqual(givenVisitorKey({ dataDir, visitorKey: undefined }), { key, source: 'file' })
  const visitorKey = 'k'.repeat(32)
  assert.deepEqual(givenVisitorKey({ dataDir, visitorKey }), { key: visitorKey, source: 'setting' })
  writeFileSync(join(dataDir, 'visitor-key'), 'short')
  assert.throws(() => readVisitorKey(dataDir), /visitor-key is damaged/)
})

test('a visitor key derived from SECRET does not reveal SECRET, and differs for another SECRET', () => {
  const [one, other] = ['a', 'b'].map((letter) => visitorKeyOfSecret(letter.repeat(64)))
  assert.match(one ?? '', /^[0-9a-f]{64}$/)
  assert.notEqual(one, other)
})

test('the error names a directory that cannot be created', async () => {
  writeFileSync(join(root, 'file'), '')
  await assert.rejects(lockDataDir(join(root, 'file', 'data')), /DATA_DIR: .* cannot be created/)
})

test('the error of a directory that may not be written says what to do', () => {
  for (const [code, expected] of [
    ['EROFS', /file system is read-only; mount it so that it can be written/],
    ['ENOSPC', /disk is full; make room/],
    ['EIO', /^EIO$/],
  ] as const)
    assert.match(writeProblem('/data', Object.assign(new Error(code), { code })), expected)
  const dataDir = join(root, 'foreign')
  mkdirSync(dataDir, { mode: 0o555 })
  chmodSync(root, 0o755)
  const script = `
    import { lockDataDir } from ${JSON.stringify(import.meta.resolve('./data-dir.ts'))}
    import { judgeDirectory } from ${JSON.stringify(import.meta.resolve('../doctor/data-dir-checks.ts'))}
    await lockDataDir(process.argv[1]).catch((error) => console.log(error.message))
    console.log(JSON.stringify(judgeDirectory(process.argv[1])))`
  // Root may write everywhere.
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  const args = ['--input-type=module', '-e', script, dataDir]
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', ...user })
  const [locking = '', judged = '{}'] = stdout.trim().split('\n')
  assert.match(
    locking,
    /cannot be created or written: the user \d+ may not write there; .*chown -R \d+ '/,
    stderr,
  )
  const finding = JSON.parse(judged) as { state: string; says: string; mend: string }
  assert.equal(finding.state, 'failed')
  assert.match(finding.says, /cannot be written, so the service neither starts nor records scans/)
  assert.match(finding.mend, /chown -R \d+ '/)
})
