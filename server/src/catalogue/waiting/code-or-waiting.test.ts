import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeOrWaiting } from './code-or-waiting.ts'

test('a code that stops waiting between the two looks is found, and one that is neither is not', async () => {
  let isCode = false
  const ofCode = async () => (isCode ? 'code' : undefined)
  const found = await codeOrWaiting(ofCode, async () => {
    isCode = true
    return undefined
  })
  assert.equal(found, 'code')
  isCode = false
  assert.equal(await codeOrWaiting(ofCode, async () => 'waiting'), 'waiting')
  assert.equal(await codeOrWaiting(ofCode, async () => undefined), undefined)
})
