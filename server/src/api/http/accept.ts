/**
 * Returns the media type that a header `Accept` asks for: the one of these that it names, if it
 * names only one and not any type beside it, as browsers do. Otherwise the first, or undefined if
 * the header refuses that (RFC 9110, section 12.5.1).
 */
export function askedType<Type extends string>(
  header: string | undefined,
  offered: readonly [Type, ...Type[]],
): Type | undefined {
  const ranges = (header ?? '').split(',', 50).map(readRange)
  const accepted = new Set(ranges.flatMap(({ range, quality }) => (quality > 0 ? range : [])))
  const [named, ...others] = offered.filter((type) => accepted.has(type))
  if (named !== undefined && others.length === 0 && !accepted.has('*/*')) return named
  const [first] = offered
  return ranges.some(({ range, quality }) => range === first && quality === 0) ? undefined : first
}

type Range = { range: string; quality: number }

function readRange(text: string): Range {
  const [range = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
  return { range, quality: quality === undefined ? 1 : Number(quality) || 0 }
}
