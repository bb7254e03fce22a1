/** Formats milliseconds since 1970 as in every record: ISO 8601 UTC with milliseconds. */
export function timestamp(timeMs: number): string {
  return new Date(timeMs).toISOString()
}

export function timestampOrNull(timeMs: number | null): string | null {
  return timeMs === null ? null : timestamp(timeMs)
}
