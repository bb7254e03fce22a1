import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startTestStore } from '../testing/store.ts'
import { cityHash64 } from './city-hash.ts'

const { store, remove } = await startTestStore()
after(remove)

test('texts of every length have the hash that the store gives them', async () => {
  const texts = Array.from({ length: 300 }, (_, length) =>
    Array.from({ length }, (__, at) => String.fromCharCode(33 + ((at * 31 + length * 7) % 90))).join(''),
  )
  texts.push('ä', '🏙 北京')
  const rows = await store.select<{ hash: string }>(
    'select toString(cityHash64(arrayJoin({texts:Array(String)}))) as hash',
    { texts },
  )
  assert.deepEqual(
    rows.map(({ hash }) => hash),
    texts.map((text) => String(cityHash64(text))),
  )
})
