const dayMs = 86_400_000
/** RFC 3339 writes years with four digits. */
const endOfTimeMs = Date.UTC(10_000, 0)

/**
 * Returns the moment of a time with its offset, or the end of a date in UTC: the first moment of
 * the next day. Undefined if that day or time does not exist.
 */
export function expiryMs(text: string): number | undefined {
  if (!isDay(text.slice(0, 10))) return undefined
  const timeMs = Date.parse(text.toUpperCase())
  const endMs = text.length === 10 ? timeMs + dayMs : timeMs
  return endMs < endOfTimeMs ? endMs : undefined
}

/** Whether the day exists: Node reads 30 February as a day in March. */
function isDay(day: string): boolean {
  const timeMs = Date.parse(`${day}T00:00:00Z`)
  return !Number.isNaN(timeMs) && new Date(timeMs).toISOString().startsWith(day)
}
