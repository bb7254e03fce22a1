import { statfs } from 'node:fs/promises'
import { UnmendableError } from '../errors.ts'

/** Estimates are rough, and other programs write to the disk meanwhile. */
const spareFactor = 1.2

/**
 * Throws an Error with a sentence when a folder's file system has less than 1.2 × `neededBytes`
 * free.
 */
export async function refuseLittleRoom(dir: string, neededBytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(dir)
  const freeBytes = bavail * bsize
  const wantedBytes = Math.ceil(neededBytes * spareFactor)
  if (freeBytes < wantedBytes)
    throw new UnmendableError(
      `${dir} has ${sizeText(freeBytes)} of free room, and ${sizeText(wantedBytes)} are needed. Free some, or choose another folder.`,
    )
}

const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB']

/** Such as `1.5 GiB`. */
export function sizeText(bytes: number): string {
  const power = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), units.length - 1)
  return `${Number((bytes / 1024 ** power).toFixed(1))} ${units[power]}`
}
