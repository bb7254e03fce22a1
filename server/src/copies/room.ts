import { statfs } from 'node:fs/promises'
import { bytesText } from '../amounts.ts'
import { FatalError } from '../errors.ts'

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
    throw new FatalError(
      `${dir} has ${bytesText(freeBytes)} of free room, and ${bytesText(wantedBytes)} are needed. Free some, or choose another folder.`,
    )
}
