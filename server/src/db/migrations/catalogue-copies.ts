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

/** Older ones are removed. */
const copiesKept = 3
const unfinished = '.partial'
/** Beside the copy: the migrations' own log, and room for whoever else uses the disk. */
const spareBytes = 16 * 1024 ** 2

/**
 * Copies the catalogue before a migration changes it: beside it, for its owner only, whole and on the disk when this returns.
 * Throws a `FatalError` when there is no room for that, and nothing was changed.
 */
export function copyCatalogue(connection: Sqlite.Database, migration: string): void {
  const directory = dirname(connection.name)
  for (const left of globSync(`catalogue-before-*${unfinished}`, { cwd: directory }))
    rmSync(join(directory, left))
  refuseFullDisk(connection, directory)
  const copy = join(directory, `catalogue-before-${migration}-${Date.now()}.sqlite`)
  const writing = `${copy}${unfinished}`
  try {
    // `vacuum into` takes an empty file as it is, with its mode: https://sqlite.org/lang_vacuum.html
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
    if (index < copiesKept) chmodSync(path, 0o600)
    else rmSync(path)
}

/** The name of the copy that was made before a migration, if it is still there. */
export function copyBefore(file: string, migration: string): string | undefined {
  const copies = copiesOf(dirname(file)).map(({ path }) => basename(path))
  return copies.find((name) => name.startsWith(`catalogue-before-${migration}-`))
}

/** The copies from before upgrades in a data directory, newest first. */
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

/** Throws a `FatalError` when a directory has no room for a copy of so many bytes. */
export function refuseNoRoom(directory: string, copyBytes: number): void {
  const { bavail, bsize } = statfsSync(directory)
  if (bavail * bsize < copyBytes + spareBytes) throw noRoom(directory, undefined, copyBytes + spareBytes)
}

function noRoom(directory: string, cause: unknown, neededBytes?: number): FatalError {
  const needed =
    neededBytes === undefined ? 'more room' : `${Math.ceil(neededBytes / 1024 ** 2)} MiB of free room`
  return new FatalError(
    `DATA_DIR: the catalogue is copied before it is upgraded, which needs ${needed} in ${directory}; nothing was changed, free some room and start again`,
    { cause },
  )
}

function checkCopy(path: string): void {
  const connection = new Sqlite(path, { readonly: true })
  try {
    checkIntegrity(connection)
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
