import { after } from 'node:test'

const ends: (() => unknown)[] = []

/**
 * Has `end` called when all suites of this process have ended. A hook of a module that several
 * suites share would belong to the first suite that imports it, and end with that one.
 */
export function atProcessEnd(end: () => unknown): void {
  ends.push(end)
}

after(async () => {
  for (const end of ends.toReversed()) await end()
})
