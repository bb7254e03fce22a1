import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readResult } from '../results.ts'
import { benchVisitors } from './visitors.ts'

test('the simulation gives the figures that the guide states', async () => {
  const saved = readResult('visitors')
  assert.deepEqual(
    { bench: 'visitors', ...(await benchVisitors()) },
    saved?.result,
    'npm run bench -- visitors, then npm run generate',
  )
})
