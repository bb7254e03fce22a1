import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { problem } from '@everscan/contract/problems/problem.ts'
import { createCopyMaker, watchCopies } from './copies.ts'
import { readConfig } from '../../settings/config.ts'
import { onSqlite } from '../../db/testing/databases.ts'
import type { CommandRun } from '../../processes/command-child.ts'
import { createMetrics, metricsText } from '../../processes/metrics.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'everscan-copies-'))
after(() => rmSync(dataDir, { recursive: true }))
const backupDir = join(dataDir, 'backup')
mkdirSync(backupDir)
const config = readConfig({ DATA_DIR: dataDir, BACKUP_DIR: backupDir })
const { signal } = new AbortController()

const printed = { path: '/b/one.copy', bytes: 9, organizations: 1, codes: 2, scans: 3, frames: 4 }

/** Creates a maker whose commands have this outcome, and records its calls. */
function someMaker(run: Partial<CommandRun>, settings = config) {
  const calls: (readonly string[])[] = []
  const maker = createCopyMaker(settings, async (words) => {
    calls.push(words)
    return { succeeded: true, json: printed, lastLine: '', ...run }
  })
  return { maker, calls }
}

test('the command "backup" makes a copy, which is encrypted if there is a passphrase file', async () => {
  const { maker, calls } = someMaker({})
  const { path, bytes, ...counts } = printed
  assert.deepEqual(await maker.make({ keep: 9, signal }), { path, bytes, counts })
  const passphrase = join(dataDir, 'installation.json')
  assert.deepEqual(calls, [['backup', '--to', backupDir, '--keep', '9', '--partial', '--json']])
  const encrypted = someMaker({}, { ...config, backupPassphraseFile: process.execPath })
  await encrypted.maker.make({ keep: 1, signal })
  assert.deepEqual(encrypted.calls[0]?.slice(-2), ['--passphrase-file', process.execPath])
  const unreadable = someMaker({}, { ...config, backupPassphraseFile: passphrase })
  await assert.rejects(unreadable.maker.make({ keep: 1, signal }), /BACKUP_PASSPHRASE_FILE .* cannot be read/)
  assert.deepEqual(unreadable.calls, [], 'no copy is made without the passphrase')
})

test('a sentence says which scans a copy lacks, and another one that it has fewer', async () => {
  const lacks = ['300 hits of 2026-03-01 of the writer w', 'perhaps scans of two']
  const lacking = [{ writer: 'w', day: '2026-03-01', hits: 300 }]
  const fewer = { hits: 7, before: 'everscan-20261123T041500Z.copy' }
  const { maker } = someMaker({ json: { ...printed, lacking, silent: ['two'], fewer } })
  const made = await maker.make({ keep: 1, signal })
  assert.match(
    made.lacks?.message ?? '',
    /^the last copy lacks 300 hits of 2026-03-01 of the writer w, perhaps scans of two: /,
  )
  assert.deepEqual(made.counts.fewerHits, fewer)
  const unverified = { succeeded: false, json: { differences: [], lacks }, lastLine: '' }
  await assert.rejects(someMaker(unverified).maker.verify('/b/one.copy', { signal }), {
    message: 'it lacks 300 hits of 2026-03-01 of the writer w',
  })
})

test('a failure has the message of the command', async () => {
  const failed = { succeeded: false, json: undefined }
  const failure = (run: Partial<CommandRun>) =>
    someMaker({ ...failed, ...run }).maker.make({ keep: 1, signal })
  await assert.rejects(failure({ json: { error: { message: 'no room' } } }), { message: 'no room' })
  await assert.rejects(failure({ lastLine: 'ended by SIGKILL' }), { message: 'ended by SIGKILL' })
  await assert.rejects(
    someMaker({ json: undefined }).maker.make({ keep: 1, signal }),
    /did not print what it made/,
  )
  const { maker } = someMaker({
    ...failed,
    json: { differences: ['rows of folders: 1, but the copy says 2'] },
  })
  await assert.rejects(maker.verify('/b/one.copy', { signal }), {
    message: 'the restored copy differs: rows of folders: 1, but the copy says 2',
  })
})

test('a copy is verified in a private folder of the data directory, which is removed afterwards', async () => {
  const scratch = join(dataDir, 'scratch')
  mkdirSync(join(scratch, 'left by a kill'), { recursive: true })
  const maker = createCopyMaker(config, async (words) => {
    assert.deepEqual(words, ['verify', '/b/one.copy', '--scratch', scratch, '--json'])
    assert.equal(existsSync(join(scratch, 'left by a kill')), false)
    assert.equal(statSync(scratch).mode & 0o777, 0o700)
    return { succeeded: true, json: {}, lastLine: '' }
  })
  await maker.verify('/b/one.copy', { signal })
  assert.equal(existsSync(scratch), false)
})

onSqlite('the part "copies"', (open) => {
  test('is up without BACKUP_DIR, and says so', async () => {
    const db = await open()
    const metrics = createMetrics('worker-0')
    const watch = watchCopies(readConfig({ DATA_DIR: dataDir }), { db, metrics, scheduled: () => undefined })
    await watch.refresh()
    assert.deepEqual(watch.parts(), [
      {
        name: 'copies',
        ok: true,
        detail: 'no scheduled copies: set BACKUP_DIR',
        problem: 'copiesNotScheduled',
        values: {},
      },
    ])
    assert.doesNotMatch(await metricsText([await metrics.collect()]), /^everscan_cop[^\n]* \d/m)
  })

  test('reports the last failure, a missing folder, and the ages of copies', async () => {
    const db = await open()
    const metrics = createMetrics('worker-0')
    const stats = { made: 3, verified: 2, failed: 1 }
    const scheduled = () => ({ stats, stop: async () => undefined })
    const watch = watchCopies(config, { db, metrics, scheduled })
    const madeAtMs = Date.now() - 3_600_000
    const row = {
      id: 'cpy_1',
      made_at_ms: madeAtMs,
      machine: 'one',
      path: '/b/one.copy',
      bytes: 4_000,
      state: 'VERIFIED' as const,
      failures: 0,
      checked_at_ms: madeAtMs + 60_000,
      verified_at_ms: madeAtMs + 120_000,
      counts: JSON.stringify({ organizations: 1, codes: 1, scans: 1, frames: 0 }),
      lease_number: 1,
    }
    await db.kysely.insertInto('copies').values(row).execute()
    await watch.refresh()
    assert.deepEqual(watch.parts(), [{ name: 'copies', ok: true }])
    const text = await metricsText([await metrics.collect()])
    for (const sample of [
      /^everscan_copy_age_seconds\{process="worker-0"\} 360\d\./m,
      /^everscan_copy_verified_age_seconds\{process="worker-0"\} 348\d\./m,
      /^everscan_copy_bytes\{process="worker-0"\} 4000$/m,
      /^everscan_copy_duration_seconds\{process="worker-0"\} 60$/m,
      /^everscan_copy_interval_seconds\{process="worker-0"\} 86400$/m,
      /^everscan_copies_total\{outcome="failed",process="worker-0"\} 1$/m,
    ])
      assert.match(text, sample)

    const noRoom = problem('copyNotMade', { last: 'copyCommandFailed', reason: 'no room' })
    const failed = {
      ...row,
      id: 'cpy_2',
      made_at_ms: madeAtMs + 1,
      state: 'FAILED' as const,
      problem: noRoom.message,
      named_problem: JSON.stringify(noRoom),
    }
    await db.kysely.insertInto('copies').values(failed).execute()
    await watch.refresh()
    assert.deepEqual(watch.parts(), [
      { name: 'copies', ok: false, detail: noRoom.message, problem: noRoom.problem, values: noRoom.values },
    ])
    rmSync(backupDir, { recursive: true })
    await watch.refresh()
    assert.match(watch.parts()[0]?.detail ?? '', /^BACKUP_DIR .* does not exist/)
    mkdirSync(backupDir)
  })
})
