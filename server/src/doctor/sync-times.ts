import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ok, warning, type Finding } from './check.ts'

const tries = 20
const blockBytes = 4096
const medianMsMax = 50
const worstMsMax = 1_000

/**
 * Writes and flushes 4 KiB to a file in a directory, twenty times, and removes the file. Returns
 * the times in milliseconds.
 */
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
  const says = `median ${textOf(median)}, maximum ${textOf(worst)}, of ${times.length} flushes of 4 KiB`
  if (median <= medianMsMax && worst <= worstMsMax) return ok(says)
  return warning(
    `${says}: every change waits for a flush`,
    'put DATA_DIR on a faster disk (an SSD with power-loss protection), or find out what else uses this disk: iostat -x 1',
  )
}

function textOf(ms: number): string {
  return `${ms < 10 ? Math.round(ms * 10) / 10 : Math.round(ms)} ms`
}
