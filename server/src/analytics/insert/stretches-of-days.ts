/** The hits of a day (days since 1970, UTC). */
export type HitsOfDay = { day: number; hits: number }

/** Scans that one statement looks at: the visitors of a million take 200 MB (measured). */
export const scansPerStretchDefault = 250_000

/** Days whose scans fit one statement, or one of several parts of a day by its visitors. */
export type StretchOfDays = {
  days: readonly number[]
  /** A condition on the visitors of a scan. */
  ofVisitors: string
}

/**
 * Divides days into stretches of about `size` scans. A busier day becomes several, each with other
 * visitors, so that the first scan of a visitor on these days is in one stretch of each day.
 */
export function stretchesOfDays(
  days: readonly HitsOfDay[],
  size: number = scansPerStretchDefault,
): StretchOfDays[] {
  const stretches: StretchOfDays[] = []
  let gathered: number[] = []
  let gatheredHits = 0
  const end = (): void => {
    if (gathered.length > 0) stretches.push({ days: gathered, ofVisitors: '1' })
    gathered = []
    gatheredHits = 0
  }
  for (const { day, hits } of days.toSorted((a, b) => a.day - b.day)) {
    if (gatheredHits + hits > size) end()
    const parts = Math.ceil(hits / size)
    if (parts <= 1) {
      gathered.push(day)
      gatheredHits += hits
      continue
    }
    for (let part = 0; part < parts; part++)
      stretches.push({ days: [day], ofVisitors: `cityHash64(visitor) % ${parts} = ${part}` })
  }
  end()
  return stretches
}
