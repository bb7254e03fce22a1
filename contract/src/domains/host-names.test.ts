import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hostnameProblem, normalHostname } from './host-names.ts'

const problem = (text: string) => hostnameProblem(normalHostname(text))

test('host names are compared in punycode and lower case, without port and trailing dot', () => {
  for (const [text, expected] of [
    ['go.example.com', 'go.example.com'],
    ['GO.Example.COM:8443', 'go.example.com'],
    ['go.example.com.', 'go.example.com'],
    ['go.example.com.:80', 'go.example.com'],
    ['Bücher.Example', 'xn--bcher-kva.example'],
    ['XN--BCHER-KVA.example', 'xn--bcher-kva.example'],
    ['[2001:DB8::1]:8080', '[2001:db8::1]'],
    ['127.0.0.1:3000', '127.0.0.1'],
    ['localhost', 'localhost'],
  ] as const)
    assert.equal(normalHostname(text), expected, text)
})

test('no other text is a host name', () => {
  for (const text of ['', 'a b.example', 'user@go.example.com', 'go.example.com/a', 'a?b', 'a#b', 'a:b:c'])
    assert.equal(normalHostname(text), undefined, text)
  assert.equal(normalHostname(`${'a'.repeat(600)}.example`), undefined)
})

test('addresses, single labels and what no name may have cannot be domains', () => {
  for (const text of ['go.example.com', 'xn--bcher-kva.example', 'a-1.b.example'])
    assert.equal(problem(text), undefined, text)
  for (const text of ['127.0.0.1', '0x7f.1', '[::1]'])
    assert.match(problem(text)?.message ?? '', /not an IP address/, text)
  assert.match(problem('localhost')?.message ?? '', /must have a dot/)
  for (const text of ['a_b.example.com', '-a.example.com', 'a-.example.com', 'a..example.com'])
    assert.match(problem(text)?.message ?? '', /must consist of|must be a host name/, text)
  assert.match(problem(`${'a'.repeat(60)}.`.repeat(5) + 'example')?.message ?? '', /at most 253/)
})
