import { mkdir, open, rename, rm, type FileHandle } from 'node:fs/promises'

/** Everything that changes the folder of the index, so that tests can make each call fail. */
export type VisitDisk = {
  makeFolder(path: string): Promise<void>
  /** Returns a new, empty file that can be read too. An unfinished one of this name is emptied. */
  create(path: string): Promise<FileHandle>
  append(file: FileHandle, bytes: Uint8Array): Promise<void>
  sync(file: FileHandle): Promise<void>
  rename(from: string, to: string): Promise<void>
  /** Makes the names in a folder durable. */
  syncFolder(path: string): Promise<void>
  /** Removes a file, if it is there. */
  remove(path: string): Promise<void>
}

export const visitDisk: VisitDisk = {
  async makeFolder(path) {
    await mkdir(path, { recursive: true, mode: 0o700 })
  },
  create: (path) => open(path, 'w+', 0o600),
  append: (file, bytes) => file.appendFile(bytes),
  sync: (file) => file.sync(),
  rename,
  async syncFolder(path) {
    const folder = await open(path, 'r')
    try {
      await folder.sync()
    } finally {
      await folder.close()
    }
  },
  remove: (path) => rm(path, { force: true }),
}

/** A file of the index has other bytes than those that were written: it must be made again. */
export class VisitsDamaged extends Error {
  constructor(why: string) {
    super(`the index of first visits is damaged: ${why}`)
    this.name = 'VisitsDamaged'
  }
}
