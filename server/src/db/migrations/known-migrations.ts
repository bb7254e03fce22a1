import { FatalError } from '../../errors.ts'
import type { ColumnTypes } from './migration.ts'

export const createMigrations = ({ text, integer, strict }: ColumnTypes) =>
  `create table if not exists migrations (
    name ${text} not null primary key,
    applied_at_ms ${integer} not null
  ) ${strict}`

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
