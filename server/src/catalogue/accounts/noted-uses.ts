import type { Database } from '../../db/database.ts'

/**
 * A use is recorded at most once a minute, so a busy key or session costs one small write a minute.
 */
const noteEveryMs = 60_000
/** Above this many entries the map is cleared, which costs one extra write per id. */
const notedMax = 10_000

/**
 * When this process last recorded a use of each id, so that 100 requests at once make one write.
 */
const lastNotedAtMs = new WeakMap<Database['source'], Map<string, number>>()

/**
 * Whether to record a use of this key or session now. After `true`, the caller must record the use.
 */
export function isNoteDue(
  db: Database,
  { id, lastUsedAtMs }: { id: string; lastUsedAtMs: number | null },
  nowMs: number,
): boolean {
  const noted = lastNotedAtMs.get(db.source) ?? new Map<string, number>()
  lastNotedAtMs.set(db.source, noted)
  const lastMs = Math.max(noted.get(id) ?? 0, lastUsedAtMs ?? 0)
  if (nowMs - lastMs < noteEveryMs) return false
  if (noted.size >= notedMax) noted.clear()
  noted.set(id, nowMs)
  return true
}
