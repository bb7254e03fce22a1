import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { diskBytesOf, figuresMsOf, perCore, readCosts, scalingPage, sizingOf } from './scale-model.ts'

const costs = {
  frontUs: 10,
  workerUs: 20,
  storeUs: 40,
  workerPerSecond: 10_000,
  figuresMs: 100,
  figuresScans: 1_000_000,
  figuresExponent: 0.5,
  rowBytes: 20,
  projectionBytes: 5,
  firstScanBytes: 15,
}

it('parts get twice the cores that their costs take, and machines twice the workers', () => {
  assert.equal(perCore(costs.workerUs), 50_000)
  assert.deepEqual(sizingOf(costs, 100_000), { front: 2, worker: 4, store: 8, machines: 20 })
  assert.equal(sizingOf(costs, 1).machines, 1)
})

it('figures grow by their exponent', () => {
  assert.equal(figuresMsOf(costs, 100_000_000), 1_000)
})

it('the disk holds rows, projections and first scans', () => {
  assert.equal(diskBytesOf(costs, 1_000_000_000), 40e9)
})

it('docs/scaling.md is computed from the results in the repository', () => {
  const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'scaling.md'), 'utf8')
  assert.equal(page, scalingPage(readCosts()), 'write it anew: node bench/src/scale-model.ts')
})
