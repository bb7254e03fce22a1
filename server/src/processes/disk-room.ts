import { statfs } from 'node:fs/promises'
import type { Facts } from '../problems/facts.ts'

export type DiskRoom = { freeBytes: number; sizeBytes: number }

const freeShareMin = 0.05
/** Enough bytes on a large disk, where 5 % is much; as many as journals may use by default. */
const freeBytesEnough = 10 * 1024 ** 3

/** Returns the space on the fullest file system of these folders; missing folders are skipped. */
export async function readDiskRoom(folders: readonly string[]): Promise<DiskRoom | undefined> {
  const rooms = await Promise.all(folders.map(roomIn))
  return rooms
    .filter((room) => room !== undefined)
    .toSorted((a, b) => a.freeBytes / a.sizeBytes - b.freeBytes / b.sizeBytes)[0]
}

async function roomIn(folder: string): Promise<DiskRoom | undefined> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder)
    return blocks === 0 ? undefined : { freeBytes: bavail * bsize, sizeBytes: blocks * bsize }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Whether less than 5 %, and less than 10 GiB, is free. */
export function isNearlyFull({ freeBytes, sizeBytes }: DiskRoom): boolean {
  return freeBytes < Math.min(sizeBytes * freeShareMin, freeBytesEnough)
}

/** Returns what is known of a disk. */
export function diskFacts(room: DiskRoom): Facts['disk'] {
  return { ...room, isNearlyFull: isNearlyFull(room) }
}
