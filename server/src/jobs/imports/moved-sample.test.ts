import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '@everscan/contract/testing/random.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import type { MoveInput } from '../../catalogue/rows/import-row.ts'
import { addToSample, shortUrlIn } from './moved-sample.ts'

const links = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => ({ shortCode: String(from + at) }))

test('a sample has each link of a move once, and each with the same chance', () => {
  const random = seededRandom()
  const below = (max: number) => Math.floor(random() * max)
  const size = limits.comparedLinksMax
  const few = addToSample([], { earlier: 0, made: links(0, size - 1) }, below)
  assert.equal(few.length, size - 1)
  let fromFirstHalf = 0
  const rounds = 50
  for (let round = 0; round < rounds; round++) {
    let sample = addToSample([], { earlier: 0, made: links(0, 500) }, below)
    sample = addToSample(sample, { earlier: 500, made: links(500, 500) }, below)
    assert.equal(new Set(sample.map(({ shortCode }) => shortCode)).size, size)
    fromFirstHalf += sample.filter(({ shortCode }) => Number(shortCode) < 500).length
  }
  // Half of 10,000, with a standard deviation of less than 50.
  assert.ok(Math.abs(fromFirstHalf / (rounds * size) - 0.5) < 0.04, String(fromFirstHalf))
})

test('the short URL of a row is the first one in the columns of its short code', () => {
  const input = {
    header: ['key', 'link', 'url'],
    mapping: { shortCode: ['key', 'link'] },
  } as unknown as MoveInput
  const urlOf = (...cells: string[]) => shortUrlIn({ row: 1, line: 2, cells }, input)
  assert.deepEqual(urlOf('menu', 'https://go.example.com/menu', 'https://example.com/'), {
    url: 'https://go.example.com/menu',
  })
  assert.deepEqual(urlOf('menu', 'go.example.com/menu', 'https://example.com/'), {})
  assert.deepEqual(urlOf('menu', `https://go.example.com/${'a'.repeat(500)}`, ''), {})
})
