/**
 * Recorded scans of one writer and one month (UTC, such as 202603): those whose sequences are above
 * `from`, up to and with `to`.
 */
export type Stretch = { month: number; writer: string; from: number; to: number }

/** A recorded scan, as stretches contain it. */
export type ScanPlace = { month: number; writer: string; sequence: number }

/** Returns the same scans in as few stretches as possible, by month, writer and sequence. */
export function joinStretches(stretches: readonly Stretch[]): Stretch[] {
  return [...groups(stretches)].flatMap(([, [first, ...others]]) => {
    if (first === undefined) return []
    const joined = [{ ...first }]
    for (const next of others) {
      const last = joined.at(-1)
      if (last !== undefined && next.from <= last.to) last.to = Math.max(last.to, next.to)
      else joined.push({ ...next })
    }
    return joined
  })
}

/** Returns the scans of `stretches` that `others` do not contain. */
export function withoutStretches(stretches: readonly Stretch[], others: readonly Stretch[]): Stretch[] {
  const covered = groups(joinStretches(others))
  return joinStretches(stretches).flatMap((stretch) => {
    const left: Stretch[] = []
    let { from } = stretch
    for (const other of covered.get(keyOf(stretch)) ?? []) {
      if (other.to <= from || other.from >= stretch.to) continue
      if (other.from > from) left.push({ ...stretch, from, to: other.from })
      from = other.to
    }
    if (from < stretch.to) left.push({ ...stretch, from })
    return left
  })
}

export function isCovered(stretches: readonly Stretch[], by: readonly Stretch[]): boolean {
  return withoutStretches(stretches, by).length === 0
}

/** Returns two stretches that have scans in common, or undefined if there are none. */
export function findOverlap(stretches: readonly Stretch[]): [Stretch, Stretch] | undefined {
  for (const ofWriter of groups(stretches).values())
    for (const [index, next] of ofWriter.entries()) {
      const last = ofWriter[index - 1]
      if (last !== undefined && next.from < last.to) return [last, next]
    }
  return undefined
}

/** Returns a test of whether stretches contain a scan, for many scans. */
export function coverageOf(stretches: readonly Stretch[]): (place: ScanPlace) => boolean {
  const covered = groups(joinStretches(stretches))
  return (place) =>
    (covered.get(keyOf(place)) ?? []).some(({ from, to }) => from < place.sequence && place.sequence <= to)
}

function keyOf({ month, writer }: Pick<Stretch, 'month' | 'writer'>): string {
  return `${month} ${writer}`
}

/** Returns the stretches of each month and writer, in the order of their sequences. */
function groups(stretches: readonly Stretch[]): Map<string, Stretch[]> {
  const ofKeys = Map.groupBy(
    stretches.filter(({ from, to }) => from < to),
    keyOf,
  )
  return new Map(
    [...ofKeys]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, ofKey]) => [
        key,
        ofKey.toSorted((one, other) => one.from - other.from || one.to - other.to),
      ]),
  )
}
