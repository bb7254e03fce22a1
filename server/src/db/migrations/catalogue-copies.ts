import Sqlite from 'better-sqlite3'
import {
  chmodSync,
  closeSync,
  fsyncSync,
  globSync,
  openSync,
  renameSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { FatalError } from '../../errors.ts'
import { errorCode } from '../errors.ts'
import { checkIntegrity } from '../dialects/sqlite.ts'

/** Older copies are removed. */
const copiesMax = 3
const unfinished = '.partial'
/** Space beyond the copy: for the log of the migrations, and for other users of the disk. */
const spareBytes = 16 * 1024 ** 2

/**
 * Copies the catalogue before a migration changes it. The copy is beside the catalogue and readable
 * only by its owner; it is complete and on disk when this returns. Throws a `FatalError`
 * without changing anything if there is not enough space.
 */
export function copyCatalogue(connection: Sqlite.Database, migration: string): void {
  const directory = dirname(connection.name)
  for (const left of globSync(`catalogue-before-*${unfinished}`, { cwd: directory }))
    rmSync(join(directory, left))
  refuseFullDisk(connection, directory)
  const copy = join(directory, `catalogue-before-${migration}-${Date.now()}.sqlite`)
  const writing = `${copy}${unfinished}`
  try {
    // `vacuum into` accepts an empty file and keeps its mode: https://sqlite.org/lang_vacuum.html
    writeFileSync(writing, '', { mode: 0o600, flag: 'wx' })
    connection.prepare('vacuum into ?').run(writing)
    checkCopy(writing)
    syncPath(writing)
    renameSync(writing, copy)
  } catch (error) {
    rmSync(writing, { force: true })
    if (['SQLITE_FULL', 'ENOSPC', 'EDQUOT'].includes(errorCode(error))) throw noRoom(directory, error)
    throw error
  }
  syncPath(directory)
  for (const [index, { path }] of copiesOf(directory).entries())
    if (index < copiesMax) chmodSync(path, 0o600)
    else rmSync(path)
}

/** Returns the name of the copy from before a migration, if it still exists. */
export function copyBefore(file: string, migration: string): string | undefined {
  const copies = copiesOf(dirname(file)).map(({ path }) => basename(path))
  return copies.find((name) => name.startsWith(`catalogue-before-${migration}-`))
}

/** Returns the copies from before upgrades in a data directory, newest first. */
export function copiesOf(directory: string): { path: string; atMs: number }[] {
  return globSync('catalogue-before-*.sqlite', { cwd: directory })
    .map((name) => ({
      path: join(directory, name),
      atMs: Number(/-(\d+)\.sqlite$/.exec(name)?.[1] ?? 0),
    }))
    .sort((a, b) => b.atMs - a.atMs)
}

function refuseFullDisk(connection: Sqlite.Database, directory: string): void {
  const pages = (name: string) => Number(connection.pragma(name, { simple: true }))
  refuseNoRoom(directory, (pages('page_count') - pages('freelist_count')) * pages('page_size'))
}

/** Throws a `FatalError` if a directory lacks the space for a copy of this size. */
export function refuseNoRoom(directory: string, copyBytes: number): void {
  const { bavail, bsize } = statfsSync(directory)
  if (bavail * bsize < copyBytes + spareBytes) throw noRoom(directory, undefined, copyBytes + spareBytes)
}

function noRoom(directory: string, cause: unknown, neededBytes?: number): FatalError {
  const needed =
    neededBytes === undefined ? 'more space' : `${Math.ceil(neededBytes / 1024 ** 2)} MiB of free space`
  return new FatalError(
    `DATA_DIR: the catalogue is copied before it is upgraded, which needs ${needed} in ${directory}; nothing was changed, free some space and start again`,
    { cause },
  )
}

function checkCopy(path: string): void {
  const connection = new Sqlite(path, { readonly: true })
  try {
    // No code redirects meanwhile. A file that was not closed cleanly was checked in full before.
    checkIntegrity(connection, 'quick_check')
  } finally {
    connection.close()
  }
}

function syncPath(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
