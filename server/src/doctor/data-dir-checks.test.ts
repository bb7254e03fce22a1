import assert from 'node:assert/strict'
import { chmodSync, chownSync, existsSync, mkdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  fileSystemOf,
  judgeDirectory,
  judgeFileSystem,
  judgeInodes,
  judgeOwners,
  judgeRoom,
} from './data-dir-checks.ts'
import { contextFor, findingOf, scratchDir, textOf } from './testing/doctor.ts'
import { judgeSyncTimes } from './sync-times.ts'

const gib = 1024 ** 3

test('open permissions of DATA_DIR are reported with the command, and closed by --fix', async () => {
  const dataDir = scratchDir()
  chmodSync(dataDir, 0o755)
  const context = contextFor({ DATA_DIR: dataDir })
  assert.match(textOf(await findingOf('data.mode', context)), /^warning: .*\(mode 755\).* -> chmod 700 '/)
  assert.equal(statSync(dataDir).mode & 0o777, 0o755)
  const fixed = await findingOf('data.mode', context, { fix: true })
  assert.equal(fixed.state, 'ok')
  assert.match(fixed.fixed ?? '', /^chmod 700/)
  assert.equal(statSync(dataDir).mode & 0o777, 0o700)
})

test('--fix removes leftover files, but no new file and no socket of a running service', async () => {
  const dataDir = scratchDir()
  mkdirSync(join(dataDir, 'run'))
  const old = ['catalogue-before-x.sqlite.partial', 'installation.json.4711', 'run/api-0.sock']
  for (const name of [...old, 'new.partial', 'catalogue.sqlite']) writeFileSync(join(dataDir, name), 'text')
  for (const name of old) utimesSync(join(dataDir, name), 1, 1)
  const running = contextFor({ DATA_DIR: dataDir }, { isRunning: true })
  assert.match(
    textOf(await findingOf('data.leftovers', running)),
    /^notice: 2 files \(8 B\).*-> \.\/everscan doctor --fix/,
  )
  const stopped = contextFor({ DATA_DIR: dataDir })
  assert.equal((await findingOf('data.leftovers', stopped, { fix: true })).state, 'ok')
  assert.deepEqual(
    [...old, 'new.partial', 'catalogue.sqlite'].filter((name) => existsSync(join(dataDir, name))),
    ['new.partial', 'catalogue.sqlite'],
  )
})

test('a flush is measured, and leaves no file', async () => {
  const dataDir = scratchDir()
  const { says } = await findingOf('data.fsync', contextFor({ DATA_DIR: dataDir }))
  assert.match(says, /^median [\d.]+ ms, maximum [\d.]+ ms, of 20 flushes of 4 KiB/)
  assert.equal((await findingOf('data.leftovers', contextFor({ DATA_DIR: dataDir }))).state, 'ok')
  assert.match(
    textOf(judgeSyncTimes([1, 60, 70])),
    /^warning: median 60 ms.* -> put DATA_DIR on a faster disk/,
  )
  assert.equal(judgeSyncTimes([1, 1, 1_200]).state, 'warning')
  assert.equal(judgeSyncTimes([1, 49, 300]).state, 'ok')
})

test('free space and inodes are judged: plenty, little, nearly none', () => {
  assert.equal(judgeRoom({ freeBytes: 60 * gib, sizeBytes: 100 * gib }).state, 'ok')
  assert.match(
    textOf(judgeRoom({ freeBytes: 8 * gib, sizeBytes: 100 * gib })),
    /^warning: 8 GiB of 100 GiB .*RETENTION_DAYS/,
  )
  assert.match(
    textOf(judgeRoom({ freeBytes: gib, sizeBytes: 100 * gib })),
    /^failed: .*scans are lost -> free space/,
  )
  assert.equal(judgeInodes(1_000, 500).state, 'ok')
  assert.equal(judgeInodes(0, 0).state, 'ok')
  assert.match(textOf(judgeInodes(1_000, 40)), /^warning: 40 of 1000 inodes are free.* -> remove small files/)
  assert.equal(judgeInodes(1_000, 9).state, 'failed')
})

test('file systems of network, memory and containers are found; the longest and last mount counts', () => {
  const table = [
    '22 1 259:1 / / rw - ext4 /dev/root rw',
    '30 22 0:5 / /data rw - xfs /dev/sdb rw',
    '31 30 0:6 / /data rw - nfs4 server:/x rw',
    String.raw`32 22 0:7 / /with\040space rw - tmpfs none rw`,
  ].join('\n')
  assert.equal(fileSystemOf('/data/everscan', table), 'nfs4')
  assert.equal(fileSystemOf('/database', table), 'ext4')
  assert.equal(fileSystemOf('/with space/x', table), 'tmpfs')
  assert.equal(fileSystemOf('/x', ''), undefined)
  assert.match(textOf(judgeFileSystem('nfs4')), /^warning: nfs4 .* -> put DATA_DIR on a local disk/)
  assert.equal(judgeFileSystem('fuse.sshfs').state, 'warning')
  assert.equal(judgeFileSystem('tmpfs').state, 'failed')
  assert.equal(judgeFileSystem('overlay').state, 'warning')
  assert.equal(judgeFileSystem('ext4').state, 'ok')
  assert.equal(judgeFileSystem(undefined).state, 'unknown')
})

test('DATA_DIR is reported if it is missing, a file, or of another user', () => {
  const dataDir = scratchDir()
  assert.equal(judgeDirectory(dataDir).state, 'ok')
  assert.match(
    textOf(judgeDirectory(join(dataDir, 'none'))),
    /^failed: there is no .* -> set DATA_DIR to that of the service/,
  )
  writeFileSync(join(dataDir, 'file'), '')
  assert.match(
    textOf(judgeDirectory(join(dataDir, 'file'))),
    /^failed: .*is not a directory -> set DATA_DIR to a directory/,
  )
  assert.equal(judgeOwners(dataDir).state, 'ok')
  // Only root can give files away.
  if (process.getuid?.() !== 0) return
  chownSync(join(dataDir, 'file'), 4711, 4711)
  assert.match(textOf(judgeOwners(dataDir)), /^warning: 1 file of another user: file -> chown -R 0:0 '/)
  chownSync(dataDir, 4711, 4711)
  assert.match(
    textOf(judgeDirectory(dataDir)),
    /^notice: .*belongs to user 4711.* -> run \.\/everscan as the user/,
  )
})
