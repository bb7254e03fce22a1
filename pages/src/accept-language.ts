const tagsMax = 20

/**
 * Returns what an `Accept-Language` header wishes (RFC 9110, 12.5.4), the most wanted first. It
 * leaves out what the header refuses, and entries that cannot be read.
 */
export function wishesOf(header: string): { tag: string; weight: number }[] {
  return header
    .split(',', tagsMax)
    .map(readWish)
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
}

function readWish(wish: string): { tag: string; weight: number } {
  const [tag = '', ...parameters] = wish.split(';')
  const quality = parameters.map((one) => /^\s*q\s*=\s*([01](?:\.[0-9]{0,3})?)\s*$/i.exec(one)?.[1])
  const said = quality.find((one) => one !== undefined)
  return { tag, weight: said === undefined ? (parameters.length > 0 ? 0 : 1) : Number(said) }
}
