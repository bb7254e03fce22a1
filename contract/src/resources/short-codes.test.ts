import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  canonicalShortCode,
  codeKey,
  codeKeysInUrl,
  isReservedShortCode,
  isExactShortCode,
  isShortCode,
  partsOfCodeKey,
  shortCodeAlphabet,
  shortCodeInUrl,
  shortCodeProblem,
} from './short-codes.ts'

test('the canonical form is upper case with O as 0 and I and L as 1', () => {
  assert.equal(canonicalShortCode('oOiIlL'), '001111')
  assert.equal(canonicalShortCode('Hello-World'), 'HE110-W0R1D')
  assert.equal(canonicalShortCode('7k3m9qx'), '7K3M9QX')
})

test('the canonical form is idempotent and contains every letter of the alphabet', () => {
  assert.equal(canonicalShortCode(shortCodeAlphabet), shortCodeAlphabet)
  assert.equal(canonicalShortCode(canonicalShortCode('solil-OQUY')), canonicalShortCode('solil-OQUY'))
  assert.equal(shortCodeAlphabet.length, 32)
  assert.equal(new Set(shortCodeAlphabet).size, 32)
})

test('a short code is 4 to 32 ASCII letters, digits or "-"', () => {
  for (const code of ['abcd', 'A-1z', '----', 'x'.repeat(32)]) assert.ok(isShortCode(code), code)
  const others = [
    '',
    'abc',
    'x'.repeat(33),
    'ab d',
    'ab_d',
    'abcd\n',
    'abc%2e',
    'ſhort',
    'ıııı',
    'abc.',
    'äbcd',
    'a/bcd',
  ]
  for (const text of others) assert.ok(!isShortCode(text), JSON.stringify(text))
})

test('paths of the service are reserved in every spelling that reads the same', () => {
  for (const word of [
    'docs',
    'DOCS',
    'd0cs',
    'healthz',
    'HEA1THZ',
    'metrics',
    'readyz',
    'robots',
    'r0b0ts',
    'well-known',
  ]) {
    assert.ok(isReservedShortCode(word), word)
  }
  for (const word of ['docs2', 'menu', 'health']) assert.ok(!isReservedShortCode(word), word)
})

const publicUrl = 'https://qr.example.com'

test('finds the short code in every way that a short URL is copied', () => {
  for (const text of [
    'https://qr.example.com/7K3M9QX',
    'HTTPS://QR.EXAMPLE.COM/7K3M9QX',
    'http://qr.example.com/7K3M9QX',
    'qr.example.com/7K3M9QX',
    '  https://qr.example.com/7K3M9QX  ',
    'https://qr.example.com/7K3M9QX/',
    'https://qr.example.com/7K3M9QX).',
    'https://qr.example.com/7K3M9QX?utm=1#top',
    'https://qr.example.com/7K3M9QX&fbclid=1',
    'https://qr.example.com/7K3M9QX%20',
    'https://qr.example.com/7K3M9QX”',
    'https://qr.example.com/7K3M9QX»。',
    'https://qr.example.com/7K3M9QX](https://qr.example.com/7K3M9QX)',
    'https://qr.example.com/7K3M9QX**_`',
  ])
    assert.equal(shortCodeInUrl(text, publicUrl), '7K3M9QX', text)
})

test('no other text is a short URL', () => {
  for (const text of [
    'https://qr.example.org/7K3M9QX',
    'https://evil.example/qr.example.com/7K3M9QX',
    'https://qr.example.com.evil.example/7K3M9QX',
    'https://qr.example.com:8443/7K3M9QX',
    'https://qr.example.com/app',
    'https://qr.example.com/app/org/codes',
    'https://qr.example.com/%E0%A4%A',
    'https://qr.example.com/',
    'mailto:someone@qr.example.com',
    '7K3M9QX',
    '',
  ])
    assert.equal(shortCodeInUrl(text, publicUrl), undefined, text)
})

test('respects the port and the path of the public address', () => {
  assert.equal(shortCodeInUrl('localhost:3000/7K3M9QX', 'http://localhost:3000'), '7K3M9QX')
  assert.equal(shortCodeInUrl('localhost:3001/7K3M9QX', 'http://localhost:3000'), undefined)
  assert.equal(shortCodeInUrl('https://a.example/q/7K3M9QX', 'https://a.example/q'), '7K3M9QX')
  assert.equal(shortCodeInUrl('https://a.example/7K3M9QX', 'https://a.example/q'), undefined)
})

test('the key of a code begins with the host name of its domain', () => {
  assert.equal(codeKey({ shortCode: 'Menu-lio', domain: '' }), 'MENU-110')
  assert.equal(codeKey({ shortCode: 'menu', domain: 'go.example.com' }), 'go.example.com/MENU')
  assert.deepEqual(partsOfCodeKey('go.example.com/MENU'), { domain: 'go.example.com', canonicalCode: 'MENU' })
  assert.deepEqual(partsOfCodeKey('MENU'), { domain: '', canonicalCode: 'MENU' })
})

test('the key of an exact code has it as written', () => {
  const exact = { domain: 'go.example.com', codes: 'exact' } as const
  assert.equal(codeKey({ ...exact, shortCode: 'aBc/lio' }), 'go.example.com/aBc/lio')
  assert.deepEqual(partsOfCodeKey('go.example.com/aBc/lio'), {
    domain: 'go.example.com',
    canonicalCode: 'aBc/lio',
  })
  assert.equal(codeKey({ ...exact, shortCode: 'menu', domain: '' }), 'MENU', 'PUBLIC_URL is canonical')
})

test('an exact short code is a path that browsers and servers leave as it is', () => {
  const all = 'AZaz09-_.~+/'.split('').join('a')
  for (const code of ['a', all, 'api', 'docs', 'a/b', 'a/', '...', '.a', 'a.', 'a/.b/c..', 'x'.repeat(128)]) {
    assert.equal(shortCodeProblem(code, 'exact'), undefined, code)
    assert.equal(new URL(`https://go.example.com/${code}`).pathname, `/${code}`)
  }
  const refused = ['', '/', '/a', 'a//b', 'a//', '.', '..', './a', '../a', 'a/.', 'a/..', 'a/./b', 'a/../b']
  for (const code of [...refused, 'a b', 'a%41', 'ä', 'a?b', 'a#', 'a&b', 'a\n', 'x'.repeat(129)])
    assert.ok(!isExactShortCode(code), JSON.stringify(code))
  for (const code of ['robots.txt', 'favicon.ico', '.well-known', '.well-known/acme-challenge/x'])
    assert.match(shortCodeProblem(code, 'exact')?.message ?? '', /path that every host answers/)
  assert.match(shortCodeProblem('docs', 'canonical')?.message ?? '', /reserved/)
  assert.match(shortCodeProblem('a.b', 'canonical')?.message ?? '', /4 to 32/)
  assert.equal(shortCodeProblem('menu', 'canonical'), undefined)
})

test('finds the keys of a code in its short URL, on any host', () => {
  for (const [text, expected] of [
    ['https://qr.example.com/7k3m9qx', ['7K3M9QX']],
    ['GO.example.com/menu', ['go.example.com/menu', 'go.example.com/MENU']],
    ['go.example.com/MENU', ['go.example.com/MENU']],
    ['go.example.com/a/b.', ['go.example.com/a/b.', 'go.example.com/a/b']],
    ['http://go.example.com:8080/menu?a=1', ['go.example.com/menu', 'go.example.com/MENU']],
    ['https://qr.example.com:8443/7K3M9QX', []],
    ['https://127.0.0.1/7K3M9QX', []],
    ['https://go.example.com/', []],
    ['spring poster', []],
  ] as const)
    assert.deepEqual(codeKeysInUrl(text, publicUrl), expected, text)
})
