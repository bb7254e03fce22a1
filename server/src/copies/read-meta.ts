import { readCopyEntries } from './copy-file-reader.ts'
import { CopyProblem, damaged } from './copy-problem.ts'
import { copyVersion, entryNames, type CopyMeta } from './manifest.ts'

/** Reads the first entry of a copy. Throws `CopyProblem`. */
export async function readMeta(path: string, passphrase: string | undefined): Promise<CopyMeta> {
  const meta = (await readEntries(path, passphrase, [entryNames.meta])).get(entryNames.meta)
  if (meta === undefined) throw damaged(path, `its first entry is not ${entryNames.meta}`)
  const read = JSON.parse(meta.toString()) as CopyMeta
  if (read.version > copyVersion)
    throw new CopyProblem(
      'later-release',
      `${path} was made by a later release: restore it with that release or a later one.`,
    )
  return read
}

/** Reads the secrets in a copy. Throws `CopyProblem`. */
export async function readKeys(
  path: string,
  passphrase: string | undefined,
): Promise<{ secret: string | undefined; visitorKey: string | undefined }> {
  const keys = await readEntries(path, passphrase, [
    entryNames.meta,
    entryNames.secret,
    entryNames.visitorKey,
  ])
  return {
    secret: keys.get(entryNames.secret)?.toString(),
    visitorKey: keys.get(entryNames.visitorKey)?.toString(),
  }
}

/** Reads the entries with these names from the beginning of a copy. */
async function readEntries(
  path: string,
  passphrase: string | undefined,
  names: readonly string[],
): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>()
  for await (const { name, bytes } of readCopyEntries(path, {
    ...(passphrase !== undefined && { passphrase }),
  })) {
    if (!names.includes(name)) break
    found.set(name, bytes)
  }
  return found
}
