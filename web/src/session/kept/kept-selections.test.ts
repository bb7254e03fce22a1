import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dropSelections, keepSelection, readSelection, type TabStorage } from './kept-selections.ts'

/** The storage of a tab with room for some characters, and one that other code has put there. */
function openStorage(charsMax = Infinity): TabStorage {
  const kept = new Map([['other', 'x']])
  return {
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, value) => {
      const chars = [...kept.values()].reduce((sum, one) => sum + one.length, value.length)
      if (chars > charsMax) throw new Error('QuotaExceededError')
      kept.set(name, value)
    },
    removeItem: (name) => void kept.delete(name),
    key: (at) => [...kept.keys()][at] ?? null,
    get length() {
      return kept.size
    },
  }
}

test('a selection is found by its name, which depends on its codes only', () => {
  const storage = openStorage()
  const name = keepSelection(['qr_1', 'qr_2'], storage) ?? ''
  assert.match(name, /^s[0-9a-z]{1,13}$/)
  assert.deepEqual(readSelection(name, storage), ['qr_1', 'qr_2'])
  assert.equal(keepSelection(['qr_1', 'qr_2'], storage), name)
  assert.notEqual(keepSelection(['qr_1', 'qr_3'], storage), name)
  assert.equal(readSelection('unknown', storage), undefined)
  dropSelections(storage)
  assert.equal(readSelection(name, storage), undefined)
  assert.equal(storage.getItem('other'), 'x')
})

test('a full tab forgets earlier selections, and one that keeps nothing says so', () => {
  const storage = openStorage(12)
  const first = keepSelection(['qr_1', 'qr_2'], storage) ?? ''
  const second = keepSelection(['qr_3', 'qr_4'], storage) ?? ''
  assert.equal(readSelection(first, storage), undefined)
  assert.deepEqual(readSelection(second, storage), ['qr_3', 'qr_4'])
  assert.equal(keepSelection(['qr_1', 'qr_2', 'qr_3'], storage), undefined)
  // Node has no storage of a tab.
  assert.equal(keepSelection(['qr_1']), undefined)
  assert.equal(readSelection('any'), undefined)
})
