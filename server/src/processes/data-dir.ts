import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import SqliteDatabase from 'better-sqlite3'
import { writeDurably } from './identity-file.ts'

/** Held until the process ends, however it ends: the operating system gives the lock back. */
export type Lock = { release: () => void }

const childrenMs = 20_000

/** A connection that nothing refers to is closed with the next garbage, and its lock is gone: locks are held for life. */
const held = new Set<SqliteDatabase.Database>()

/**
 * Makes the data directory this service's own. SQLite's file locks are the portable ones that a `kill -9` lets go of.
 * Throws an Error a person can act on when another running service has it, or when it cannot be written.
 */
export async function lockDataDir(dataDir: string): Promise<Lock> {
  try {
    mkdirSync(join(dataDir, 'run'), { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new Error(`DATA_DIR: ${dataDir} cannot be made or written: ${(error as Error).message}`, {
      cause: error,
    })
  }
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

/** Whether a service runs on a data directory. Nothing is made or changed in it. */
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

/** Every child holds this one, shared: a new `main` waits until those of a killed one are gone. */
export function lockAsChild(dataDir: string): Lock {
  const lock = openLock(childLockPath(dataDir))
  lock.exec('begin; select count(*) from sqlite_master')
  return hold(lock)
}

/** The lock on a file, which is made where there is none; undefined: a process that lives has it. */
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

/** The installation's secret, which only this user can read; `undefined` where there is none. */
export function readSecret(dataDir: string): string | undefined {
  return readKeyFile(join(dataDir, 'secret'))
}

/** A new secret: 64 hexadecimal characters. */
export function createSecret(): string {
  return randomBytes(32).toString('hex')
}

export function writeSecret(dataDir: string, secret: string): void {
  writeDurably(join(dataDir, 'secret'), `${secret}\n`)
}

export function visitorKeyFile(dataDir: string): string {
  return join(dataDir, 'visitor-key')
}

/** The key of the visitor hash, 32 characters or more; `undefined` where there is none. Throws an Error when the file is damaged. */
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
