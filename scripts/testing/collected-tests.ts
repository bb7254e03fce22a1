import * as node from 'node:test'

type Name = 'after' | 'afterEach' | 'before' | 'beforeEach' | 'describe' | 'test'
type Call = () => unknown

/** The tests and hooks so far of the suite that is being imported. */
let collected: Call[] | undefined

/**
 * Imports a suite and returns a call that registers its tests and hooks. Node gives those of a
 * promise that suites share to the first of them.
 */
export async function collectTests(importSuite: () => Promise<unknown>): Promise<() => void> {
  const calls: Call[] = (collected = [])
  try {
    await importSuite()
  } finally {
    collected = undefined
  }
  return () => {
    for (const call of calls) void call()
  }
}

// Takes the place of node:test for suites: see batch.ts.
export const test = collecting('test')
export const it = test
export const describe = collecting('describe')
export const before = collecting('before')
export const after = collecting('after')
export const beforeEach = collecting('beforeEach')
export const afterEach = collecting('afterEach')
export const { mock } = node

function collecting(name: Name): (...args: unknown[]) => unknown {
  const register: (...args: never[]) => unknown = node[name]
  return (...args) => {
    const call = (): unknown => register(...(args as never[]))
    if (collected === undefined) return call()
    collected.push(call)
    return undefined
  }
}
