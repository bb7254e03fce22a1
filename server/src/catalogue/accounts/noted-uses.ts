import type { Database } from '../../db/database.ts'

/** Uses are noted to the minute: a key or session in use costs one small write a minute. */
const noteEveryMs = 60_000
/** What is forgotten is noted once more. */
const notedMax = 10_000

/** When this process last noted a use, so that a hundred requests at once make one write. */
const lastNotedAtMs = new WeakMap<Database['source'], Map<string, number>>()

/** Whether the use of a key or session is to be noted now; whoever asks and is told so notes it. */
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
