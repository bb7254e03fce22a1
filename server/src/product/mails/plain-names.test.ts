import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plainName } from './plain-names.ts'

test('a name stays readable in every script', () => {
  for (const name of [
    'Trattoria da Lucia',
    'Müller & Söhne (Köln)',
    "L'Atelier 1984",
    '株式会社サクラ',
    'Καφενείο',
    'Smith-Jones+Co',
  ])
    assert.equal(plainName(name), name)
})

test('no link, telephone number, line or long text of a stranger is left', () => {
  for (const [name, plain] of [
    ['Pay at https://evil.example/x?a=1', 'Pay at https evil example x a 1'],
    ['evil.example', 'evil example'],
    ['evil．example', 'evil example'],
    ['evil。example', 'evil example'],
    ['pay@evil.example', 'pay evil example'],
    ['Call 0800 123456 now', 'Call now'],
    ['Call ０８００ ١٢٣٤٥٦', 'Call'],
    ['Acme\r\nBcc: x@y', 'Acme Bcc x y'],
    ['a\u202eb\u200bc', 'a b c'],
    ['<b>"Bank"</b>', 'b Bank b'],
    ['x'.repeat(100), 'x'.repeat(40)],
    ['...', '?'],
    ['Zalgo' + '\u0300'.repeat(50), `Zalg${'o\u0300'.normalize('NFKC')}${'\u0300'.repeat(2)}`],
  ] as const)
    assert.equal(plainName(name), plain)
})
