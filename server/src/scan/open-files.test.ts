import assert from 'node:assert/strict'
import { test } from 'node:test'
import { divideOpenFiles } from './open-files.ts'

const limitsOf = (soft: string) =>
  `Limit  Soft Limit  Hard Limit  Units\nMax open files            ${soft}                  1048576  files\n`

test('clients leave files to everything else, under any limit', () => {
  for (const soft of [256, 1_024, 4_096, 65_536, 1_048_576]) {
    const { clients, upstreams } = divideOpenFiles(limitsOf(String(soft)))
    assert.ok(soft - clients - upstreams >= 64, `${soft}: ${clients} + ${upstreams}`)
    assert.ok(clients >= Math.min(soft / 2, 100_000), `${soft}: ${clients}`)
    assert.ok(upstreams >= clients / 4, `${soft}: ${upstreams}`)
  }
  assert.deepEqual(divideOpenFiles(limitsOf('1024')), { clients: 597, upstreams: 299 })
  assert.deepEqual(divideOpenFiles(limitsOf('1048576')), { clients: 100_000, upstreams: 100_000 })
})

test('a system that says no limit gets one of 65,536', () => {
  const expected = divideOpenFiles(limitsOf('65536'))
  assert.deepEqual(divideOpenFiles(''), expected)
  assert.deepEqual(divideOpenFiles(limitsOf('unlimited')), expected)
})
