import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contentDisposition } from './file-names.ts'

test('a plain name is kept in both forms', () => {
  assert.equal(
    contentDisposition('attachment', 'Summer menu', 'png'),
    `attachment; filename="Summer menu.png"; filename*=UTF-8''Summer%20menu.png`,
  )
})

test('characters beyond ASCII appear in filename* only', () => {
  assert.equal(
    contentDisposition('inline', 'Menü', 'svg'),
    `inline; filename="Men_.svg"; filename*=UTF-8''Men%C3%BC.svg`,
  )
})

test('no name can break out of the header or the folder, or be refused by a file system', () => {
  const names = [
    'a"b',
    'a\r\nSet-Cookie: x',
    '../../etc/passwd',
    '..',
    '',
    '   ',
    'x'.repeat(200),
    '\ud800',
    '😀'.repeat(90),
    "o'(x)*",
    'a%00',
    '\u202egnp.exe',
  ]
  for (const name of names) {
    const header = contentDisposition('attachment', name, 'png')
    assert.match(
      header,
      /^attachment; filename="[ !#-.0-9;=@-[\]-{}~_$&'()+,]+\.png"; filename\*=UTF-8''[\w%.!~-]+\.png$/,
      name,
    )
    assert.doesNotMatch(header, /filename="\./)
    assert.ok(header.length < 900, `${header.length}`)
  }
})
