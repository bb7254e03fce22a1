import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { EngineLanes, type Lane } from './engine-lanes.ts'

/** Begins work in lanes, and tells what has begun. Each ends when it is told to. */
function watched(lanes: EngineLanes) {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  return {
    begun,
    begin: (name: string, lane: Lane, signal?: AbortSignal): Promise<void> =>
      lanes.run(
        lane,
        async () => {
          begun.push(name)
          await new Promise<void>((resolve) => ends.set(name, resolve))
        },
        signal,
      ),
    end: async (name: string): Promise<void> => {
      await nextTurn()
      ends.get(name)?.()
      await nextTurn()
    },
  }
}

describe('the lanes of an engine', () => {
  test('run four at a time: at most two exports and one write', async () => {
    const { begun, begin } = watched(new EngineLanes())
    for (const name of ['w1', 'w2']) void begin(name, 'writes')
    for (const name of ['e1', 'e2', 'e3']) void begin(name, 'exports')
    await nextTurn()
    assert.deepEqual(begun, ['w1', 'e1', 'e2'])
    for (const name of ['f1', 'f2']) void begin(name, 'figures')
    await nextTurn()
    assert.deepEqual(begun, ['w1', 'e1', 'e2', 'f1'])
  })

  test('let figures go before exports, exports before writes, and each in its order', async () => {
    const { begun, begin, end } = watched(new EngineLanes())
    const first = ['f1', 'f2', 'f3', 'f4']
    for (const name of first) void begin(name, 'figures')
    for (const name of ['w1', 'w2']) void begin(name, 'writes')
    for (const name of ['e1', 'e2']) void begin(name, 'exports')
    for (const name of ['f5', 'f6']) void begin(name, 'figures')
    for (const name of [...first, 'f5', 'w1']) await end(name)
    assert.deepEqual(begun, [...first, 'f5', 'f6', 'e1', 'e2', 'w1', 'w2'])
  })

  test('let nobody wait for more than a time while others come', async () => {
    const { begun, begin, end } = watched(new EngineLanes({ patienceMs: 0 }))
    for (const name of ['f1', 'f2', 'f3', 'f4']) void begin(name, 'figures')
    void begin('w1', 'writes')
    for (const name of ['f5', 'f6']) void begin(name, 'figures')
    await end('f1')
    assert.deepEqual(begun, ['f1', 'f2', 'f3', 'f4', 'w1'])
  })

  test('give nothing to those who have left, and keep the place of those who failed for others', async () => {
    const { begun, begin, end } = watched(new EngineLanes())
    const lanes = new EngineLanes()
    const leaving = new AbortController()
    for (const name of ['f1', 'f2', 'f3', 'f4']) void begin(name, 'figures')
    const left = begin('left', 'figures', leaving.signal)
    void begin('f5', 'figures')
    leaving.abort(new Error('left'))
    await assert.rejects(left, { message: 'left' })
    await end('f1')
    assert.deepEqual(begun, ['f1', 'f2', 'f3', 'f4', 'f5'])
    for (let failures = 0; failures < 5; failures++)
      await assert.rejects(
        lanes.run('figures', () => Promise.reject(new Error('failed'))),
        { message: 'failed' },
      )
    await assert.rejects(
      lanes.run('writes', async () => {}, leaving.signal),
      { message: 'left' },
    )
  })
})
