import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { applyMutant, mutantsOf } from './mutants.ts'
import { keyOf, pickMutants, readExcused } from './mutate.ts'

const root = join(import.meta.dirname, '..', '..')

function faultsOf(text: string): string[] {
  return mutantsOf('a.ts', text).map((mutant) => applyMutant(text, mutant))
}

test('each kind of fault changes one thing', () => {
  assert.deepEqual(faultsOf('if (a) b'), ['if (!(a)) b'])
  assert.deepEqual(faultsOf('x = a < b'), ['x = a <= b'])
  assert.deepEqual(faultsOf('x = a && b'), ['x = (a) || (b)'])
  assert.deepEqual(faultsOf('x = a ?? b'), ['x = (a)'])
  assert.deepEqual(faultsOf('x = 5'), ['x = (5 + 1)'])
  assert.deepEqual(faultsOf('send(a)'), ['void 0'])
  assert.deepEqual(faultsOf('x = await a'), ['x = (a)'])
  assert.deepEqual(faultsOf('x = put(a, b)'), ['x = put(b, a)'])
  assert.deepEqual(faultsOf('x = all.filter(a)'), ['x = all'])
  assert.deepEqual(faultsOf('x = `select a from b where c is not null`'), [
    'x = `select a from b where c is null`',
  ])
  assert.deepEqual(faultsOf('x = `where c = 1\nand d = 2\nand e = 3`'), [
    'x = `where c = 1\n\nand e = 3`',
    'x = `where c = 1\nand d = 2\n`',
  ])
})

test('types, logs and texts of errors get no faults', () => {
  assert.deepEqual(faultsOf('type A = 1 | 2'), [])
  assert.deepEqual(faultsOf('log.warn({ a: 1 })'), [])
  assert.deepEqual(faultsOf('throw new RangeError(`at most ${1}`)'), [])
})

test('a seed picks the same mutants, from each room in turn', () => {
  const rooms = ['a.ts', 'b.ts'].map((file) => mutantsOf(file, 'x = [1, 2, 3, 4, 5, 6, 7, 8]'))
  const picked = pickMutants(rooms, { count: 6, seed: 7 })
  assert.deepEqual(picked, pickMutants(rooms, { count: 6, seed: 7 }))
  assert.notDeepEqual(picked, pickMutants(rooms, { count: 6, seed: 8 }))
  assert.deepEqual(
    picked.map(({ file }) => file),
    ['a.ts', 'b.ts', 'a.ts', 'b.ts', 'a.ts', 'b.ts'],
  )
})

test('every excused mutant is still a mutant, with a reason', () => {
  for (const excused of readExcused()) {
    const mutants = mutantsOf(excused.file, readFileSync(join(root, excused.file), 'utf8'))
    assert.ok(
      mutants.some((mutant) => keyOf(mutant) === keyOf(excused)),
      `scripts/mutants/excused.json: nothing is left of ${keyOf(excused)}`,
    )
    assert.notEqual(excused.reason, '')
  }
})
