import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress } from 'node:zlib'
import { addCodes, addScans, startBenchService } from './filled-service.ts'
import { rounded } from './figures.ts'
import { memoryOfProcess } from './memory.ts'

const sizes = { quick: { codes: 10_000, scans: 500_000 }, full: { codes: 100_000, scans: 5_000_000 } }
const launcher = join(import.meta.dirname, '..', '..', 'everscan')
const pollMs = 100
/**
 * Measures the seconds and memory of `everscan backup`, `verify` and `restore` of a running service
 * with 100,000 codes and 5,000,000 scans (`--quick`: 10,000 and 500,000). Memory is the peak of the
 * command and its child processes, so for `backup` it comes on top of the service. The baseline is
 * `tar` with zstd of the same data directory, which is not a reliable copy.
 */
export async function benchCopies({ quick }: { quick: boolean }): Promise<object> {
  const size = sizes[quick ? 'quick' : 'full']
  const folder = mkdtempSync(join(tmpdir(), 'everscan-bench-'))
  const { service, orgId } = await startBenchService()
  const { dataDir } = service
  const env = { DATA_DIR: dataDir }
  const file = join(folder, 'bench.copy')
  try {
    await addCodes(service, orgId, { codes: size.codes })
    await addScans(service, orgId, size.scans)
    const tarSeconds = await tar(dataDir, join(folder, 'bench.tar.zst'))
    const backup = await everscan(env, 'backup', file)
    const verify = await everscan({}, 'verify', file, '--scratch', folder)
    const restore = await everscan({ DATA_DIR: join(folder, 'restored') }, 'restore', file)
    return {
      backupSeconds: rounded(backup.seconds),
      backupMb: backup.mb,
      verifySeconds: rounded(verify.seconds),
      verifyMb: verify.mb,
      restoreSeconds: rounded(restore.seconds),
      restoreMb: restore.mb,
      tarSeconds: rounded(tarSeconds),
      backupRatio: rounded(backup.seconds / tarSeconds),
      copyMb: Math.round(statSync(file).size / 1024 ** 2),
      ...size,
    }
  } finally {
    await service.remove()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Runs a command and returns its time and memory. Throws if it fails. */
async function everscan(
  env: Readonly<Record<string, string>>,
  ...words: string[]
): Promise<{ seconds: number; mb: number }> {
  const fromMs = performance.now()
  const child = spawn(launcher, words, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  let mb = 0
  const watch = setInterval(() => {
    mb = Math.max(mb, treeMb(child.pid ?? 0))
  }, pollMs)
  const [code] = (await once(child, 'exit')) as [number | null]
  clearInterval(watch)
  if (code !== 0) throw new Error(`everscan ${words.join(' ')} ended with ${code}`)
  return { seconds: (performance.now() - fromMs) / 1000, mb }
}

/**
 * Returns the memory of a process and its descendants beside a running service. Shared pages count
 * once, divided among their processes.
 */
function treeMb(pid: number): number {
  try {
    const children = globSync(`/proc/${pid}/task/*/children`)
      .flatMap((path) => readFileSync(path, 'utf8').split(' '))
      .filter((text) => text !== '')
    return memoryOfProcess(pid).pssMb + children.reduce((sum, child) => sum + treeMb(Number(child)), 0)
  } catch {
    // The process has ended meanwhile.
    return 0
  }
}

async function tar(dir: string, file: string): Promise<number> {
  const fromMs = performance.now()
  const archive = spawn('tar', ['-cf', '-', '--ignore-failed-read', '--warning=no-file-changed', dir], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  await pipeline(archive.stdout, createZstdCompress(), createWriteStream(file))
  return (performance.now() - fromMs) / 1000
}
