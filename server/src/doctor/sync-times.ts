import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ok, warning, type Finding } from './check.ts'

const tries = 20
const blockBytes = 4096
const medianMsMax = 50
const worstMsMax = 1_000

/** How long it takes to write and flush 4 KiB to a file in a directory, twenty times, in milliseconds. The file is removed. */
export async function measureSyncMs(directory: string, signal: AbortSignal): Promise<number[]> {
  const path = join(directory, `doctor-${process.pid}.partial`)
  const file = await open(path, 'wx', 0o600)
  const times: number[] = []
  try {
    const block = Buffer.alloc(blockBytes, 1)
    for (let index = 0; index < tries && !signal.aborted; index++) {
      const fromMs = performance.now()
      await file.write(block, 0, blockBytes, index * blockBytes)
      await file.sync()
      times.push(performance.now() - fromMs)
    }
  } finally {
    await file.close()
    await rm(path, { force: true })
  }
  return times
}

export function judgeSyncTimes(times: readonly number[]): Finding {
  const sorted = times.toSorted((a, b) => a - b)
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0
  const worst = sorted.at(-1) ?? 0
  const says = `${textOf(median)} in the middle, ${textOf(worst)} at most, of ${times.length} flushes of 4 KiB`
  if (median <= medianMsMax && worst <= worstMsMax) return ok(says)
  return warning(
    `${says}: every change waits for one`,
    'put DATA_DIR on a quicker disk (an SSD that keeps what it flushed), or find what else uses this one: iostat -x 1',
  )
}

function textOf(ms: number): string {
  return `${ms < 10 ? Math.round(ms * 10) / 10 : Math.round(ms)} ms`
}
