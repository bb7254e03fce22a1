import { problem, type Problem } from '@everscan/contract/problems/problem.ts'
import { FatalError } from '../../errors.ts'
import type { Log } from '../../log.ts'
import type { Database } from '../database.ts'

/** The equivalent types of both databases. */
export type ColumnTypes = {
  /** For statements that only one of them needs. */
  dialect: Database['dialect']
  /** Compared byte by byte on both, so that both sort equally. */
  text: string
  /** 64 bits. */
  integer: string
  /** The type of `changes.version`: see changes.ts. */
  transactionVersion: string
  /** Follows a table: SQLite then rejects values of another type, as PostgreSQL does. */
  strict: string
}

/**
 * Forward only. Never changed once released: the previous release must still work on the next
 * schema.
 */
export type Migration = { name: string; statements: (types: ColumnTypes) => readonly string[] }

/** Called at each step, with how far the upgrade of an existing catalogue is. */
export type OnStep = (upgrade?: Problem) => void

/** Returns how far an upgrade is, before the migration with this index. */
export const upgradeProgress = (missing: readonly Migration[], index: number): Problem =>
  problem('catalogueUpgrading', {
    done: index,
    all: missing.length,
    migration: missing[index]?.name ?? 'the last steps',
  })

export const createMigrations = ({ text, integer, strict }: ColumnTypes) =>
  `create table if not exists migrations (
    name ${text} not null primary key,
    applied_at_ms ${integer} not null
  ) ${strict}`

/** Migrations that take longer are told, so that a long upgrade shows how far it is. */
const slowMs = 1_000

export function logSlow(
  log: Log,
  { name }: Migration,
  { fromMs, done, of }: { fromMs: number; done: number; of: number },
): void {
  const tookMs = Math.round(performance.now() - fromMs)
  if (tookMs >= slowMs)
    log.info({ migration: name, tookMs }, `upgrading the catalogue: ${done} of ${of} done`)
}

/**
 * Throws if a migration was applied that this release does not have: this release could break data
 * of the later release. `wayBack` returns how to restore the state before that migration.
 */
export function refuseLaterRelease(
  applied: readonly string[],
  known: readonly { name: string }[],
  wayBack: (firstUnknown: string) => string,
): void {
  const unknown = applied.filter((name) => !known.some((migration) => migration.name === name)).sort()
  const [first] = unknown
  if (first === undefined) return
  throw new FatalError(
    `the catalogue was upgraded by a later release (${unknown.join(', ')}); run that release, or ${wayBack(first)}`,
  )
}
