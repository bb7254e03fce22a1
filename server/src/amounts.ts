const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const
const dayMs = 86_400_000

/** Returns a size for people: 1536 is "1.5 KiB". */
export function bytesText(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024
    unit++
  }
  return `${value < 10 && unit > 0 ? Math.round(value * 10) / 10 : Math.round(value)} ${units[unit]}`
}

/** Returns a duration for people, in the largest unit of which it has two or more. */
export function durationText(durationMs: number): string {
  const steps: readonly [unit: string, ms: number][] = [
    ['days', dayMs],
    ['hours', 3_600_000],
    ['minutes', 60_000],
    ['s', 1_000],
  ]
  const [unit, unitMs] = steps.find(([, ms]) => durationMs >= 2 * ms) ?? ['ms', 1]
  return `${Math.round(durationMs / unitMs)} ${unit}`
}

/** Returns the day in UTC, such as 2026-11-23. */
export function dayText(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10)
}

/** Returns the whole days from one time to another. */
export function daysBefore(timeMs: number, nowMs: number): number {
  return Math.floor((nowMs - timeMs) / dayMs)
}

/** Returns a count with its noun: 1 is "1 key", 2000 is "2,000 keys". */
export function countText(count: number, noun: string, nouns = `${noun}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? noun : nouns}`
}

/** Joins the first names, and says how many more there are. */
export function someOf(names: readonly string[], most = 5): string {
  const more = names.length - most
  return more > 0 ? `${names.slice(0, most).join(', ')} and ${more} more` : names.join(', ')
}

/** Quotes a text as one word of a shell. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
