import { open, readdir, rename, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'

const readBytes = 1024 * 1024
/** How names of files end that are not written whole yet. */
export const unfinishedEnding = '.tmp'

export type FoundPath = { path: string; name: string }

/** Returns the files of a folder and of the folders in it, in the order of their paths. */
export async function filesIn(folder: string): Promise<FoundPath[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => ({ path: join(parentPath, name), name }))
    .toSorted((one, other) => (one.path < other.path ? -1 : 1))
}

/** Reads a whole file. Returns its size and its CRC-32. */
export async function checksumOf(path: string): Promise<{ bytes: number; checksum: number }> {
  return await withFile(path, async (file) => {
    const piece = Buffer.allocUnsafe(readBytes)
    let [bytes, checksum] = [0, 0]
    for (;;) {
      const { bytesRead } = await file.read(piece, 0, readBytes, bytes)
      if (bytesRead === 0) return { bytes, checksum }
      checksum = crc32(piece.subarray(0, bytesRead), checksum)
      bytes += bytesRead
    }
  })
}

/** Replaces a small file durably. After an error, it is the old or the new one. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const unfinished = path + unfinishedEnding
  const file = await open(unfinished, 'w', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(unfinished, path)
  await withFile(dirname(path), (folder) => folder.sync())
}

/** Returns a checksum as names of files have it: eight hexadecimal digits. */
export function checksumText(checksum: number): string {
  return checksum.toString(16).padStart(8, '0')
}

export async function withFile<Result>(
  path: string,
  work: (file: FileHandle) => Promise<Result>,
): Promise<Result> {
  const file = await open(path, 'r')
  try {
    return await work(file)
  } finally {
    await file.close()
  }
}
