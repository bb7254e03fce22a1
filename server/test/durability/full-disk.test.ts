import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { UnavailableError } from '@everscan/client/create-client.ts'
import {
  assertCounted,
  assertNoneFailed,
  createCodes,
  recordedScans,
  type Codes,
} from '../support/accounts.ts'
import { startLoad } from '../support/load.ts'
import { statusRefresh, startService, until, type Service } from '../support/service.ts'

const isSoak = process.env['SOAK'] === '1'
const fullMs = isSoak ? 10 * 60_000 : 2_000
const recoveryMsMax = 5_000
const scansPerSecond = 200

/** A way to leave no room on the disk, and to free it again. */
type Disk = {
  name: string
  /** Runs before the service starts. */
  prepare: (dataDir: string) => void
  fill: (service: Service) => void
  free: (service: Service) => void
  remove: (dataDir: string) => void
}

/** Only this limit keeps files from growing; it needs no privileges. */
const sizeLimit: Disk = {
  name: 'a limit on the size of its files',
  prepare: () => undefined,
  fill: (service) => limitFileSize(service, '0'),
  free: (service) => limitFileSize(service, 'unlimited'),
  remove: () => undefined,
}

/** A small file system for the journals. */
const smallDisk: Disk = {
  name: 'a full disk',
  prepare: (dataDir) => mountSmallDisk(join(dataDir, 'journal')),
  fill: ({ dataDir }) => fillDisk(join(dataDir, 'journal', 'filler')),
  free: ({ dataDir }) => rmSync(join(dataDir, 'journal', 'filler')),
  remove: (dataDir) => unmount(join(dataDir, 'journal')),
}

const mayMount = canMount()

const disks = [...(mayMount ? [smallDisk] : []), ...(isSoak || !mayMount ? [sizeLimit] : [])]
for (const { name, prepare, fill, free, remove } of disks)
  describe(`the journal on ${name}`, () => {
    let service: Service | undefined
    let dataDir: string
    before(() => {
      dataDir = mkdtempSync(join(tmpdir(), 'everscan-'))
      prepare(dataDir)
    })
    after(async () => {
      await service?.stop()
      remove(dataDir)
      await service?.remove()
      rmSync(dataDir, { recursive: true, force: true })
    })

    test('no redirect fails, unrecorded scans are counted, and the journal recovers by itself', async (t) => {
      const running = await startService({ DATA_DIR: dataDir, TRUST_PROXY: '127.0.0.1' })
      service = running
      const of = await createCodes(running, 2)
      const codes = of.codes.map((code) => code.shortCode)
      const load = startLoad({ port: running.port, codes, scansPerSecond })
      t.after(() => load.stop())
      const unrecorded = (): Promise<number> => running.metric('scans_unrecorded_total')

      await sleep(500)
      assert.equal(await unrecorded(), 0)
      fill(running)
      await until('scans go unrecorded', async () => (await unrecorded()) > 0)
      const { status, parts } = await running.readiness()
      assert.equal(status, 'degraded')
      assert.equal(parts['journal']?.ok, false)
      await sleep(fullMs)
      free(running)
      const recoveredMs = await until(
        'the journal is ready',
        async () => (await running.readiness()).parts['journal']?.ok === true,
        30_000,
      )
      await statusRefresh()
      const lost = await unrecorded()
      await sleep(500)
      await assertNoneFailed(load)
      await statusRefresh()

      const recorded = sumOf(await recordedScans(dataDir))
      t.diagnostic(
        `${recorded} recorded + ${lost} unrecorded, ready ${Math.round(recoveredMs)} ms after room was freed`,
      )
      assert.ok(recoveredMs <= recoveryMsMax)
      assert.equal(await unrecorded(), lost, 'none is lost after the recovery')
      assert.equal(recorded + lost, load.total().acknowledged)
      assert.equal(await running.metric('scans_recorded_total'), recorded)
      assert.equal(await assertCounted(running, of), recorded)
    })
  })

if (mayMount)
  describe('the disk of the whole data directory is full', () => {
    let service: Service | undefined
    let dataDir: string
    before(() => {
      dataDir = mkdtempSync(join(tmpdir(), 'everscan-'))
      mountSmallDisk(dataDir, '256m')
    })
    after(async () => {
      await service?.stop()
      unmount(dataDir)
      await service?.remove()
    })

    test('redirects continue, changes are 503 or done, no process is given up, and the service recovers by itself', async (t) => {
      const running = await startService({ DATA_DIR: dataDir, TRUST_PROXY: '127.0.0.1' })
      service = running
      const of: Codes = await createCodes(running, 2)
      const codes = of.codes.map((code) => code.shortCode)
      const load = startLoad({ port: running.port, codes, scansPerSecond })
      t.after(() => load.stop())
      const client = running.client({ retries: 0 })
      const change = (): Promise<boolean> =>
        client.qrCodes.update(of.orgId, of.codes[0]?.id ?? '', { name: `At ${Date.now()}` }).then(
          () => true,
          (error: unknown) => {
            assert.ok(error instanceof UnavailableError, String(error))
            return false
          },
        )

      await sleep(500)
      fillDisk(join(dataDir, 'filler'))
      let refused = 0
      const untilMs = performance.now() + fullMs + 2_000
      while (performance.now() < untilMs) {
        // Room that is freed at times (when a log starts again) is filled again.
        fillDisk(join(dataDir, 'filler'))
        if (!(await change())) refused++
        assert.equal((await client.qrCodes.read(of.orgId, of.codes[0]?.id ?? '')).id, of.codes[0]?.id)
        await sleep(50)
      }
      rmSync(join(dataDir, 'filler'))
      await until('changes succeed again', change, recoveryMsMax)
      const isReady = async (): Promise<boolean> => (await running.readiness()).status === 'ready'
      const recoveredMs = await until('the service is ready', isReady, 30_000)
      await statusRefresh()
      const lost = await running.metric('scans_unrecorded_total')
      await sleep(500)
      await assertNoneFailed(load)
      await statusRefresh()
      assert.equal(await running.metric('scans_unrecorded_total'), lost)
      const recorded = await assertCounted(running, of)
      assert.equal(recorded + lost, load.total().acknowledged)
      t.diagnostic(
        `${recorded} recorded + ${lost} unrecorded, ${refused} changes refused, ready after ${Math.round(recoveredMs)} ms`,
      )
    })
  })

function limitFileSize(service: Service, bytes: string): void {
  for (const pid of service.pids('front'))
    // Only the soft limit, which the process itself may raise again.
    assert.equal(spawnSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`]).status, 0)
}

function canMount(): boolean {
  const dir = mkdtempSync(join(tmpdir(), 'everscan-mount-'))
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', dir])
  if (status === 0) unmount(dir)
  rmSync(dir, { recursive: true })
  return status === 0
}

function mountSmallDisk(dir: string, size = '4m'): void {
  mkdirSync(dir, { recursive: true })
  const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', dir])
  assert.equal(status, 0, String(stderr))
}

function unmount(dir: string): void {
  if (spawnSync('umount', [dir]).status !== 0) spawnSync('umount', ['-l', dir])
}

/** Uses up all the room on the disk. */
function fillDisk(path: string): void {
  const fd = openSync(path, 'a')
  try {
    for (const chunk of [Buffer.alloc(64 * 1024), Buffer.alloc(512)]) {
      try {
        for (;;) writeSync(fd, chunk)
      } catch (error) {
        assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC')
      }
    }
  } finally {
    closeSync(fd)
  }
}

function sumOf(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0)
}
