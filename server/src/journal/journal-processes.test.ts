// Proofs 1 and 4 for the journal alone: real processes that are killed, real disks that are full.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { createRandom, readAll, scanOf, seed, soak } from './testing/journal.ts'
import { journalStart, readFrames, readWriters } from './reader.ts'

const writer = join(import.meta.dirname, 'testing', 'writer.ts')
const fullDisk = join(import.meta.dirname, 'testing', 'full-disk.ts')
const killsPerSync = soak ? 200 : 6

function folder(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'everscan-journal-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

for (const sync of ['always', 'interval', 'never'] as const) {
  test(`kill -9 loses nothing acknowledged with sync ${sync}, and a reader beside it gets each once (SEED=${seed})`, async (t) => {
    const random = createRandom(seed)
    const dir = join(folder(t), 'front-0')
    const acknowledged: number[] = []
    const given: number[] = []
    let position = journalStart
    const readOn = async (): Promise<void> => {
      const read = await readFrames(dir, position)
      given.push(...read.frames.map(({ scan }) => scan.timeMs))
      position = read.position
      assert.deepEqual(read.damaged, [])
    }
    for (let kill = 0; kill < killsPerSync; kill++) {
      const child = spawn(process.execPath, [writer, dir, sync, String(kill * 1_000_000 + 1), '7'], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      let output = ''
      child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
      const closed = once(child, 'close')
      await once(child.stdout, 'data')
      for (let reads = random.int(8); reads >= 0; reads--) {
        await readOn()
        await delay(random.int(30))
      }
      child.kill('SIGKILL')
      await closed
      acknowledged.push(...output.split('\n').slice(0, -1).map(Number))
      await readOn()
      assert.equal(readWriters(dir).length, kill + 1)
    }
    const { frames } = await readAll(dir)
    const read = frames.map(({ scan }) => scan.timeMs)
    assert.deepEqual(given, read, 'beside the writer and afterwards the same is read')
    assert.equal(new Set(read).size, read.length)
    const all = new Set(read)
    assert.deepEqual(
      acknowledged.filter((number) => !all.has(number)),
      [],
    )
    for (const { scan } of frames) assert.deepEqual(scan, scanOf(scan.timeMs))
    assert.ok(acknowledged.length > killsPerSync * 7)
  })
}

type Outcome = Record<
  'recoveryMs' | 'refusedAfter' | 'sent' | 'appended' | 'unrecorded' | 'frames' | 'lost',
  number
> & { wasDegraded: boolean }

function checkOutcome(outcome: Outcome): void {
  assert.equal(outcome.appended + outcome.unrecorded, outcome.sent)
  assert.deepEqual({ frames: outcome.frames, lost: outcome.lost }, { frames: outcome.appended, lost: 0 })
  assert.equal(outcome.refusedAfter, 0)
  assert.ok(outcome.recoveryMs < 5000, `${outcome.recoveryMs} ms`)
}

for (const sync of ['interval', 'never'] as const) {
  test(`a bound on the size of files (prlimit) loses nothing acknowledged with sync ${sync}`, (t) => {
    const dir = join(folder(t), 'front-0')
    const output = execFileSync('prlimit', ['--fsize=200000', process.execPath, fullDisk, dir, sync], {
      encoding: 'utf8',
    })
    const outcome = JSON.parse(output) as Outcome
    checkOutcome(outcome)
    assert.ok(outcome.appended > 1000)
  })
}

test('a full disk (tmpfs of its own) refuses, counts, and is used again in less than 5 s', (t) => {
  const dir = folder(t)
  const ballast = join(dir, 'ballast')
  const mount = `mount -t tmpfs -o size=1m none ${dir} && dd if=/dev/zero of=${ballast} bs=1k count=700 2>/dev/null`
  const command = `${mount} && exec ${process.execPath} ${fullDisk} ${join(dir, 'front-0')} interval ${ballast}`
  const namespace = process.getuid?.() === 0 ? ['--mount'] : ['--user', '--map-root-user', '--mount']
  try {
    execFileSync('unshare', [...namespace, 'sh', '-c', `mount -t tmpfs none ${dir}`], { stdio: 'ignore' })
  } catch {
    return t.diagnostic('this system lets us mount nothing: proven with a disk in memory only')
  }
  const output = execFileSync('unshare', [...namespace, 'sh', '-c', command], { encoding: 'utf8' })
  const outcome = JSON.parse(output) as Outcome
  checkOutcome(outcome)
  assert.ok(outcome.wasDegraded && outcome.unrecorded > 0, output)
})
