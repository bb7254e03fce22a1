import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countryBox } from './country-box.ts'
import shapes from './world-shapes.json' with { type: 'json' }

test('a zoomed map has the proportions of the world and shows the whole largest part', () => {
  const box = countryBox('M0,0l1,0 0,1-1,0zM100,100l40,0 0,10-40,0z', { width: 1200, height: 600 })
  const [x, y, width, height] = box
  assert.equal(width / height, 2)
  assert.ok(x < 100 && x + width > 140 && y < 100 && y + height > 110)
  assert.equal(x + width / 2, 120)
  assert.equal(y + height / 2, 105)
})

test('every country of the map has a box that is smaller than the world, and France is in Europe', () => {
  for (const [code, path] of Object.entries(shapes.paths)) {
    const [, , width] = countryBox(path, shapes)
    assert.ok(width >= 40 && width < 0.75 * shapes.width, `${code}: ${width}`)
  }
  const [x] = countryBox(shapes.paths.FR, shapes)
  assert.ok(x > 0.4 * shapes.width)
})
