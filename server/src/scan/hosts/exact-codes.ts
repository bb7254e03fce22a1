import { copiedCode, isExactShortCode } from '@everscan/contract/resources/short-codes.ts'
import type { Asked } from '../visit.ts'
import type { Resolver } from '../resolve.ts'
import { contactEnding, decodedPath } from './code-paths.ts'

/** A code that a path may mean, and what is requested of it. */
export type Candidate = { code: string; asked: Asked }

/**
 * Returns the codes that a path means on a host with exact short codes, the one of that very name
 * first. Those that follow count only if no code has a name before.
 */
export function exactCodesOf(url: string): Candidate[] {
  const end = url.indexOf('?')
  const path = decodedPath(end < 0 ? url : url.slice(0, end))
  if (path === undefined) return []
  const written = path.slice(1)
  const trimmed = copiedCode(path)
  return (written === trimmed ? [written] : [written, trimmed]).flatMap((text): Candidate[] => {
    if (!isExactShortCode(text)) return []
    const scan = { code: text, asked: 'scan' } as const
    if (!text.toLowerCase().endsWith(contactEnding)) return [scan]
    const named = text.slice(0, -contactEnding.length)
    return isExactShortCode(named) ? [scan, { code: named, asked: 'contact' }] : [scan]
  })
}

/**
 * Calls `use` with the first candidate that is or was a code, or with the last one. Most paths have
 * only one, which is not looked up here.
 */
export function useFirstKnown<C extends { code: string }>(
  resolver: Pick<Resolver, 'resolve'>,
  [first, ...rest]: readonly [C, ...C[]],
  use: (candidate: C) => void,
): void {
  const [next, ...others] = rest
  if (next === undefined) return use(first)
  const goOn = (isUnknown: boolean): void =>
    isUnknown ? useFirstKnown(resolver, [next, ...others], use) : use(first)
  const found = resolver.resolve(first.code)
  if (!(found instanceof Promise)) return goOn(found.isUnknown === true)
  found.then(
    (answer) => goOn(answer.isUnknown === true),
    // It is answered as a code that cannot be looked up.
    () => use(first),
  )
}
