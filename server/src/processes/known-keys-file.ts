import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeDurably } from './identity-file.ts'

const fileName = 'known-keys.json'
/** How many of the latest revoked and latest used keys to remember: about 150 bytes each. */
export const knownKeysMax = 5_000

/** An API key as a data directory remembers it, without its value or a hash of it. */
export type RememberedKey = {
  organizationId: string
  id: string
  /** The beginning of the value, by which the owner recognizes the key. */
  prefix: string
  lastUsedAtMs: number | null
  revokedAtMs: number | null
}

/**
 * Returns the latest revoked and used keys of an installation that this data directory has seen.
 * Returns none if the file cannot be read: it is only an aid, and no part of the service depends on
 * it.
 */
export function readKnownKeys(dataDir: string, installation: string): RememberedKey[] {
  try {
    const file = JSON.parse(readFileSync(join(dataDir, fileName), 'utf8'))
    return file.installation === installation && Array.isArray(file.keys) ? file.keys.filter(isKey) : []
  } catch {
    return []
  }
}

/**
 * Remembers keys durably. A revoked key stays revoked, whatever an older catalogue says. Throws
 * errors of the file system.
 */
export function rememberKeys(dataDir: string, installation: string, keys: readonly RememberedKey[]): void {
  const before = readKnownKeys(dataDir, installation)
  const all = new Map(before.map((key) => [key.id, key]))
  for (const key of keys) {
    const known = all.get(key.id)
    const { organizationId, id, prefix } = key
    const lastUsedAtMs = later(known?.lastUsedAtMs ?? null, key.lastUsedAtMs)
    all.set(id, {
      organizationId,
      id,
      prefix,
      lastUsedAtMs,
      revokedAtMs: known?.revokedAtMs ?? key.revokedAtMs,
    })
  }
  const kept = latest([...all.values()])
  if (JSON.stringify(kept) === JSON.stringify(before)) return
  writeDurably(join(dataDir, fileName), `${JSON.stringify({ installation, keys: kept })}\n`)
}

/** Returns the latest keys, in an order that depends only on the keys. */
function latest(keys: readonly RememberedKey[]): RememberedKey[] {
  const newestOf = (field: 'revokedAtMs' | 'lastUsedAtMs', of: readonly RememberedKey[]) =>
    of.toSorted((a, b) => (b[field] ?? 0) - (a[field] ?? 0) || (a.id < b.id ? -1 : 1)).slice(0, knownKeysMax)
  return [
    ...newestOf(
      'revokedAtMs',
      keys.filter(({ revokedAtMs }) => revokedAtMs !== null),
    ),
    ...newestOf(
      'lastUsedAtMs',
      keys.filter(({ revokedAtMs }) => revokedAtMs === null),
    ),
  ]
}

function later(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.max(one, other)
}

function isKey(value: unknown): value is RememberedKey {
  const key = value as Partial<RememberedKey> | null
  return (
    typeof key?.id === 'string' &&
    typeof key.organizationId === 'string' &&
    typeof key.prefix === 'string' &&
    isTime(key.lastUsedAtMs) &&
    isTime(key.revokedAtMs)
  )
}

function isTime(time: unknown): boolean {
  return time === null || Number.isSafeInteger(time)
}
