import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CreateQrCode, UpdateQrCode } from '../resources/qr-codes.ts'
import { tidyData } from '../code-types/tidy-data.ts'
import { tidy } from './tidying.ts'
import { withWebScheme } from './web-addresses.ts'

const tidied = <Value>(schema: object, value: Value): Value => {
  tidy(schema, value)
  return value
}

test('names and tags are trimmed, metadata and texts are not', () => {
  const body = { type: 'TEXT', name: ' \tPoster\u00a0', tags: [' a ', 'b'], metadata: { key: ' x ' } }
  assert.deepEqual(tidied(CreateQrCode, body), {
    type: 'TEXT',
    name: 'Poster',
    tags: ['a', 'b'],
    metadata: { key: ' x ' },
  })
})

test('null is absence in new records, and only for optional fields that know no null', () => {
  const body = {
    name: null,
    data: { url: null },
    style: { margin: null },
    styleId: null,
    folderId: null,
    tags: null,
  }
  assert.deepEqual(tidied(CreateQrCode, { ...body }), {
    name: null,
    data: { url: null },
    style: {},
    styleId: null,
    folderId: null,
  })
  const changes = { name: null, style: { margin: null }, tags: null }
  assert.deepEqual(tidied(UpdateQrCode, { ...changes, style: { margin: null } }), changes)
})

test('values without the shape of the schema stay as they are', () => {
  for (const value of [null, 'x', 7, [], [null], { tags: 'x', name: 7, data: [] }, { __proto__: null }])
    assert.deepEqual(tidied(CreateQrCode, structuredClone(value)), structuredClone(value))
  const hostile: unknown = JSON.parse('{"__proto__":{"name":" x "},"constructor":" x "}')
  assert.equal(
    JSON.stringify(tidied(CreateQrCode, hostile)),
    '{"__proto__":{"name":" x "},"constructor":" x "}',
  )
})

test('content: addresses get their scheme, WPA2 and WPA3 are WPA, passwords stay as they are', () => {
  const cases: [Parameters<typeof tidyData>[0], object, object][] = [
    ['URL', { url: ' www.example.com/menu ' }, { url: 'https://www.example.com/menu' }],
    [
      'WIFI',
      { ssid: ' a ', password: ' b ', encryption: 'WPA3', hidden: null },
      { ssid: ' a ', password: ' b ', encryption: 'WPA' },
    ],
    [
      'VCARD',
      { firstName: ' Ada ', email: ' a@b.c ', address: { city: ' Oslo ', zip: null }, note: ' n ' },
      { firstName: 'Ada', email: 'a@b.c', address: { city: 'Oslo' }, note: ' n ' },
    ],
    [
      'SOCIAL',
      { links: [{ platform: ' x ', url: 'x.com/ada', label: ' Me ' }] },
      { links: [{ platform: 'x', url: 'https://x.com/ada', label: 'Me' }] },
    ],
  ]
  for (const [type, data, expected] of cases) {
    tidyData(type, data)
    assert.deepEqual(data, expected)
  }
  const row = { url: 'example.com' }
  tidyData('URL', row, { keepsAddresses: true })
  assert.deepEqual(row, { url: 'example.com' })
})

test('only a host of two labels or more, without anything like a scheme or user, gets https://', () => {
  for (const address of [
    'example.com',
    'www.example.com/a?b#c',
    'bücher.example',
    'example.com:8080/x',
    '1.2.3.4/x',
    'example.com.',
  ])
    assert.equal(withWebScheme(address), `https://${address}`)
  for (const address of [
    'mailto:a@example.com',
    'localhost:1',
    'localhost',
    'javascript:alert(1)',
    'javascript.x:alert(1)',
    'a@example.com',
    'user:pass@example.com/x',
    'tel:123',
    '//example.com',
    '/menu.html',
    'https://example.com',
    'ftp://example.com',
    'example',
    '',
    '.',
    'a b.com',
  ])
    assert.equal(withWebScheme(address), address)
})
