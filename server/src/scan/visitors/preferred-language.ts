const tagsMax = 20

/**
 * Returns the most preferred language of an `Accept-Language` header (RFC 9110, 12.5.4) as a tag in
 * lower case; the first of equals. Undefined if it names none.
 */
export function preferredLanguage(header: string): string | undefined {
  let best: string | undefined
  let bestWeight = 0
  for (const entry of header.split(',', tagsMax)) {
    const [tag = '', ...parameters] = entry.split(';')
    const name = tag.trim().toLowerCase()
    if (!/^[a-z]{2,3}(?:-[a-z0-9]{1,8})*$/.test(name)) continue
    const weight = weightOf(parameters)
    if (weight <= bestWeight) continue
    best = name
    bestWeight = weight
  }
  return best
}

/** Returns 0 for a weight that cannot be read. */
function weightOf(parameters: readonly string[]): number {
  for (const parameter of parameters) {
    const quality = /^\s*q\s*=\s*([01](?:\.[0-9]{0,3})?)\s*$/i.exec(parameter)?.[1]
    if (quality !== undefined) return Math.min(1, Number(quality))
  }
  return parameters.length === 0 ? 1 : 0
}
