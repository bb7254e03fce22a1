import { statfs } from 'node:fs/promises'
import { bytesText } from '../amounts.ts'
import { FatalError } from '../errors.ts'

/** A margin, because estimates are rough and other programs write to the disk meanwhile. */
const spareFactor = 1.2

/** Throws an Error with a sentence if a file system has less than 1.2 × `neededBytes` free. */
export async function requireFreeSpace(dir: string, neededBytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(dir)
  const freeBytes = bavail * bsize
  const requiredBytes = Math.ceil(neededBytes * spareFactor)
  if (freeBytes < requiredBytes)
    throw new FatalError(
      `${dir} has ${bytesText(freeBytes)} of free space, but ${bytesText(requiredBytes)} are needed. Free some, or choose another folder.`,
    )
}
