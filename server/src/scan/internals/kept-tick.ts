import { executionAsyncResource } from 'node:async_hooks'

const kept = new Set<object>()

/**
 * Keeps one of the objects with which Node stores what `process.nextTick` is to call. V8 forgets
 * their shape when it clears the memory while none is there, as in a quiet second, and from then on
 * compiles `nextTick` without it: redirects then take more processor time until the process ends.
 * See docs/adr/0029. To be called once, before the first requests.
 */
export function keepTick(): void {
  process.nextTick(() => kept.add(executionAsyncResource()))
}
