const tagsMax = 20

/**
 * Returns the most preferred language of an `Accept-Language` header (RFC 9110, 12.5.4) as a tag in
 * lower case; the first of equals. Undefined if it names none.
 */
export function preferredLanguage(header: string): string | undefined {
  let best: string | undefined
  let bestWeight = 0
  for (let from = 0, tags = 0; from < header.length && tags < tagsMax; tags++) {
    const comma = header.indexOf(',', from)
    const end = comma < 0 ? header.length : comma
    const [tag = '', ...parameters] = header.slice(from, end).split(';')
    from = end + 1
    const name = tag.trim().toLowerCase()
    if (!/^[a-z]{2,3}(?:-[a-z0-9]{1,8})*$/.test(name)) continue
    const weight = weightOf(parameters)
    if (weight <= bestWeight) continue
    // Nearly always the first: none can be preferred more.
    if (weight === 1) return name
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
