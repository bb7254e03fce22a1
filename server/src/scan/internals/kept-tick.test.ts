import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'

/** Returns how V8 knows the five properties of a tick after its memory was cleared. */
function statesAfterClearing(words: readonly string[]): string[] {
  const program = join(import.meta.dirname, 'testing/ticks-around-a-clearing.ts')
  const printed = execFileSync(
    process.execPath,
    ['--expose-gc', '--allow-natives-syntax', program, ...words],
    { encoding: 'utf8' },
  )
  return [...printed.matchAll(/DefineKeyedOwnPropertyInLiteral (\w+)/g)].map(([, state = '']) => state)
}

test('a kept tick keeps the shape of all ticks while V8 clears the memory', () => {
  assert.deepEqual(new Set(statesAfterClearing(['keep'])), new Set(['MONOMORPHIC']))
  // If this one fails, Node no longer needs the kept tick.
  assert.ok(statesAfterClearing([]).includes('MEGAMORPHIC'))
})
