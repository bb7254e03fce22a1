/**
 * Returns the offered media type that the client prefers (RFC 9110 section 12.5.1), or undefined if
 * it accepts none of them. The earlier of equally preferred offers wins; without a header, the
 * first.
 */
export function preferredType<Type extends string>(
  header: string | undefined,
  offered: readonly [Type, ...Type[]],
): Type | undefined {
  if (header === undefined || header.trim() === '') return offered[0]
  const ranges = header.split(',', 50).map(readRange)
  let best: { type: Type; quality: number } | undefined
  for (const type of offered) {
    const quality = qualityOf(type, ranges)
    if (quality > (best?.quality ?? 0)) best = { type, quality }
  }
  return best?.type
}

type Range = { range: string; quality: number }

function readRange(text: string): Range {
  const [range = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
  return { range, quality: quality === undefined ? 1 : Number(quality) || 0 }
}

/** The most specific matching range decides, regardless of the others. */
function qualityOf(type: string, ranges: readonly Range[]): number {
  const candidates = [type, `${type.split('/')[0]}/*`, '*/*']
  for (const candidate of candidates) {
    const found = ranges.find(({ range }) => range === candidate)
    if (found !== undefined) return found.quality
  }
  return 0
}
