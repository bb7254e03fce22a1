/**
 * A function of a string that remembers its answers: the thousand user agents that make up nearly all scans are then
 * parsed once. Two generations bound it: when `entriesMax` new answers are held, the older half is dropped as a whole,
 * which needs no bookkeeping on a hit. At most 2 × `entriesMax` answers are kept.
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
