/**
 * Returns a function of a string with a cache: the thousand user agents behind nearly all scans are
 * parsed once. Two generations bound it: at `entriesMax` new entries, the older generation is
 * dropped as a whole, which needs no bookkeeping on a hit. The cache holds at most 2 ×
 * `entriesMax` entries.
 */
export function cached<Value>(
  compute: (text: string) => Value,
  entriesMax = 10_000,
): (text: string) => Value {
  let young = new Map<string, Value>()
  let old = new Map<string, Value>()
  return (text) => {
    const held = young.get(text)
    if (held !== undefined) return held
    const value = old.get(text) ?? compute(text)
    if (young.size >= entriesMax) {
      old = young
      young = new Map()
    }
    young.set(text, value)
    return value
  }
}
