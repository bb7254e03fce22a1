import type { ScanContext } from '../scan-context.ts'
import type { Visit } from '../visit.ts'

/** A step of a scan: it takes what the step before gave. It returns a promise only if it waits. */
export type Stage<From, To> = (context: ScanContext, from: From, visit: Visit) => To | Promise<To>

/** Returns stages as one. The types do not allow another order. */
export function inOrder<A, B, C, D, E, F>(
  ...[first, second, third, fourth, fifth]: readonly [
    Stage<A, B>,
    Stage<B, C>,
    Stage<C, D>,
    Stage<D, E>,
    Stage<E, F>,
  ]
): Stage<A, F> {
  return both(first, both(second, both(third, both(fourth, fifth))))
}

function both<A, B, C>(first: Stage<A, B>, second: Stage<B, C>): Stage<A, C> {
  return (context, from, visit) => {
    const given = first(context, from, visit)
    if (!(given instanceof Promise)) return second(context, given, visit)
    return given.then((late) => second(context, late, visit))
  }
}
