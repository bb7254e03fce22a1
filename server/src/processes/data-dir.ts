import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import SqliteDatabase from 'better-sqlite3'
import { dataDirProblem, writeProblem } from '../write-problem.ts'
import { writeDurably } from './identity-file.ts'

/** A lock that holds until the process ends in any way: the operating system releases it. */
export type Lock = { release: () => void }

const childrenMs = 20_000

/**
 * References to all held locks: the garbage collector closes a connection without references, and
 * its lock is gone.
 */
const held = new Set<SqliteDatabase.Database>()

/**
 * Locks the data directory for this service. The locks are those of SQLite, because they are
 * portable and a `kill -9` releases them. Throws an Error that says what to do if another running
 * service has the directory, or if it cannot be written.
 */
export async function lockDataDir(dataDir: string): Promise<Lock> {
  try {
    mkdirSync(join(dataDir, 'run'), { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new Error(`DATA_DIR: ${dataDir} cannot be created or written: ${writeProblem(dataDir, error)}`, {
      cause: error,
    })
  }
  const problem = dataDirProblem(dataDir)
  if (problem !== undefined) throw new Error(problem)
  const main = openLock(join(dataDir, 'run', 'main.lock'))
  if (!tryExclusive(main)) {
    main.close()
    throw new Error(
      `DATA_DIR: ${dataDir} is in use by another running Everscan service. Stop that one, or set another DATA_DIR.`,
    )
  }
  await waitForChildren(dataDir)
  return hold(main)
}

/** Whether a service runs on a data directory. Creates and changes nothing in it. */
export function isDataDirInUse(dataDir: string): boolean {
  const path = join(dataDir, 'run', 'main.lock')
  if (!existsSync(path)) return false
  const lock = new SqliteDatabase(path, { timeout: 0, readonly: true })
  try {
    lock.prepare('select count(*) from sqlite_master').get()
    return false
  } catch (error) {
    if (isBusy(error)) return true
    throw error
  } finally {
    lock.close()
  }
}

/**
 * Takes the shared lock of children. A new `main` waits until all children of a killed `main` have
 * released it.
 */
export function lockAsChild(dataDir: string): Lock {
  const lock = openLock(childLockPath(dataDir))
  lock.exec('begin; select count(*) from sqlite_master')
  return hold(lock)
}

/** Locks a file, created if missing; returns undefined if a running process has the lock. */
export function tryLock(path: string): Lock | undefined {
  const lock = openLock(path)
  let isLocked = false
  try {
    isLocked = tryExclusive(lock)
  } finally {
    if (!isLocked) lock.close()
  }
  return isLocked ? hold(lock) : undefined
}

function hold(lock: SqliteDatabase.Database): Lock {
  held.add(lock)
  return {
    release: () => {
      held.delete(lock)
      lock.close()
    },
  }
}

async function waitForChildren(dataDir: string): Promise<void> {
  const lock = openLock(childLockPath(dataDir))
  try {
    for (let waitedMs = 0; !tryExclusive(lock); waitedMs += 50) {
      if (waitedMs >= childrenMs)
        throw new Error(
          `DATA_DIR: processes of an earlier Everscan service still use ${dataDir}. Stop them first.`,
        )
      await sleep(50)
    }
  } finally {
    lock.close()
  }
}

function childLockPath(dataDir: string): string {
  return join(dataDir, 'run', 'children.lock')
}

function openLock(path: string): SqliteDatabase.Database {
  return new SqliteDatabase(path, { timeout: 0 })
}

function tryExclusive(lock: SqliteDatabase.Database): boolean {
  try {
    lock.exec('begin exclusive')
    return true
  } catch (error) {
    if (isBusy(error)) return false
    throw error
  }
}

function isBusy(error: unknown): boolean {
  return (error as { code?: string }).code?.startsWith('SQLITE_BUSY') === true
}

/** Returns the secret of the installation, if there is one. Throws if the file is damaged. */
export function readSecret(dataDir: string): string | undefined {
  return readKeyFile(join(dataDir, 'secret'))
}

/** Returns a new secret of 64 hexadecimal characters. */
export function createSecret(): string {
  return randomBytes(32).toString('hex')
}

export function writeSecret(dataDir: string, secret: string): void {
  writeDurably(join(dataDir, 'secret'), `${secret}\n`)
}

export function visitorKeyFile(dataDir: string): string {
  return join(dataDir, 'visitor-key')
}

/** Returns the visitor key, 32 characters or more, if there is one. Throws if it is damaged. */
export function readVisitorKey(dataDir: string): string | undefined {
  return readKeyFile(visitorKeyFile(dataDir))
}

/** Replaces the key of the visitor hash, durably; only this user can read it. */
export function writeVisitorKey(dataDir: string, key: string): void {
  writeDurably(visitorKeyFile(dataDir), `${key}\n`)
}

function readKeyFile(path: string): string | undefined {
  if (!existsSync(path)) return undefined
  const key = readFileSync(path, 'utf8').trim()
  if (key.length < 32)
    throw new Error(`${path} is damaged: it must hold at least 32 characters. Restore it from a backup.`)
  return key
}
