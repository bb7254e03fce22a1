import { stat } from 'node:fs/promises'
import { checksumOf, checksumText, filesIn, withFile } from '../file-bytes.ts'
import type { ScanSegment } from '../manifest.ts'
import type { Stretch } from '../stretches.ts'
import { factsKey, pathList, quoted, rowsOfFiles } from './file-sql.ts'
import type { FileWrites } from './file-writes.ts'

const namePattern = /^([A-Za-z0-9_]+)-([0-9a-f]{8})\.parquet$/
/** A file begins and ends with it. */
const magic = 'PAR1'

/** A file as its name describes it. */
export type NamedFile = { path: string; id: string; checksum: number }

/** The facts that a file has in its metadata. */
export type Facts = Pick<ScanSegment, 'id' | 'level' | 'stretches'>

/** How a listed file is. */
export type FileState = 'good' | 'missing' | 'damaged'

/** Returns the name of a file, without its folder. */
export function fileName({ id, checksum }: Pick<ScanSegment, 'id' | 'checksum'>): string {
  return `${id}-${checksumText(checksum)}.parquet`
}

/** Returns the folder of a file in the folder of all. */
export function monthFolder({ stretches }: { stretches: readonly Stretch[] }): string {
  return String(stretches[0]?.month ?? 0)
}

/** Returns the files of scans in a folder, and in those in it. Opens none of them. */
export async function namedFilesIn(folder: string): Promise<NamedFile[]> {
  return (await filesIn(folder)).flatMap(({ path, name }) => {
    const [, id, checksum] = namePattern.exec(name) ?? []
    return id === undefined || checksum === undefined
      ? []
      : [{ path, id, checksum: Number.parseInt(checksum, 16) }]
  })
}

/** Looks at a listed file: at its size and its ends, or at all of its bytes. */
export async function stateOfFile(
  path: string,
  { bytes, checksum }: Pick<ScanSegment, 'bytes' | 'checksum'>,
  { isWhole }: { isWhole: boolean },
): Promise<FileState> {
  try {
    if (!(await hasSize(path, bytes))) return 'damaged'
    return !isWhole || (await checksumOf(path)).checksum === checksum ? 'good' : 'damaged'
  } catch (error) {
    return stateOfError(error)
  }
}

/** A disk that cannot read a file has damaged it. Other errors pass: they tell nothing of it. */
export function stateOfError(error: unknown): FileState {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'missing'
  if (code === 'EIO') return 'damaged'
  throw error
}

/** Reads a file whole. Returns undefined if it is not as it was written, or no file of scans. */
export async function readSegmentFile(
  engine: Pick<FileWrites, 'rows'>,
  { path, checksum: named }: NamedFile,
): Promise<ScanSegment | undefined> {
  const { bytes, checksum } = await checksumOf(path)
  if (checksum !== named || !(await hasSize(path, bytes))) return undefined
  const [[text] = []] = await engine.rows(
    `select decode(value) from parquet_kv_metadata(${pathList([path])}) where decode(key) = ${quoted(factsKey)}`,
  )
  // A file of somebody else that happens to have such a name.
  if (text === undefined) return undefined
  const facts = JSON.parse(String(text)) as Facts
  return { ...facts, bytes, checksum, ...(await rangeOf(engine, path)) }
}

/** Counts the scans of a file. */
export async function rangeOf(
  engine: Pick<FileWrites, 'rows'>,
  path: string,
): Promise<Pick<ScanSegment, 'rows' | 'fromMs' | 'toMs'>> {
  const [[rows, fromMs, toMs] = []] = await engine.rows(
    `select count(*), coalesce(epoch_ms(min(time)), 0), coalesce(epoch_ms(max(time)), 0)
     from ${rowsOfFiles([path])}`,
  )
  return { rows: Number(rows), fromMs: Number(fromMs), toMs: Number(toMs) }
}

/** Returns a text that is another one after each change of a file, or of what has its name. */
export async function changesOf(path: string): Promise<string> {
  const { ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true })
  return [ino, size, mtimeNs, ctimeNs].join(' ')
}

export async function hasSize(path: string, bytes: number): Promise<boolean> {
  return await withFile(path, async (file) => {
    if ((await file.stat()).size !== bytes || bytes < 2 * magic.length) return false
    const ends = Buffer.alloc(2 * magic.length)
    await file.read(ends, 0, magic.length, 0)
    await file.read(ends, magic.length, magic.length, bytes - magic.length)
    return ends.toString('latin1') === magic + magic
  })
}
