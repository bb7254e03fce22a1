import { mkdir, open, rename, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { unfinishedEnding, withFile } from '../files/file-bytes.ts'
import { partsOf, type FilePart } from './files-in-copies.ts'

const filePattern = /^files\/(\d{1,6}\/\w+-[0-9a-f]{8}\.parquet)\/\d{8}$/
const recordPattern = /^records\/(\d{8})$/

/** A file on its way: the parts of it follow each other. */
type OpenFile = { path: string; handle: FileHandle }

/** Files of scans on their way from a copy into the folders of an empty store. */
export class PlacedFiles {
  readonly #folders: { segments: string; records: string }
  readonly #written = new Set<string>()
  #file: OpenFile | undefined

  constructor(folders: { segments: string; records: string }) {
    this.#folders = folders
  }

  /** Whether an entry of a copy is a part of a file. */
  static isPart(name: string): boolean {
    return Object.values(partsOf).some((folder) => name.startsWith(folder))
  }

  /** Makes the folder of records one that has a file, which the first part of them replaces. */
  async beginRecords(): Promise<void> {
    const { records } = this.#folders
    await mkdir(records, { recursive: true, mode: 0o700 })
    await (await open(join(records, `${'1'.padStart(8, '0')}.rows`), 'w', 0o600)).close()
  }

  /** Adds a part. Throws an Error for one that no copy has there, and errors of the file system. */
  async add({ name, bytes }: FilePart): Promise<void> {
    const path = this.#pathOf(name)
    if (this.#file?.path !== path) {
      await this.#close()
      if (this.#written.has(path)) throw new Error(`the parts of ${path} do not follow each other`)
      this.#written.add(path)
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      this.#file = { path, handle: await open(path + unfinishedEnding, 'w', 0o600) }
    }
    await this.#file?.handle.appendFile(bytes)
  }

  /** Makes all files durable. */
  async end(): Promise<void> {
    await this.#close()
    const folders = new Set([...this.#written].flatMap((path) => [dirname(path), dirname(dirname(path))]))
    for (const folder of folders) await withFile(folder, (handle) => handle.sync())
  }

  /** Closes the file that is open, which stays unfinished. */
  async abandon(): Promise<void> {
    await this.#file?.handle.close()
    this.#file = undefined
  }

  #pathOf(name: string): string {
    const { segments, records } = this.#folders
    const file = filePattern.exec(name)?.[1]
    if (file !== undefined) return join(segments, file)
    const number = recordPattern.exec(name)?.[1]
    if (number !== undefined) return join(records, `${number}.rows`)
    throw new Error(`${name} is no part of a file of scans`)
  }

  async #close(): Promise<void> {
    const file = this.#file
    if (file === undefined) return
    await file.handle.sync()
    await this.abandon()
    await rename(file.path + unfinishedEnding, file.path)
  }
}
