import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newHostnameProblem } from './host-name-problems.ts'

const problem = (hostname: string, privateDomains = false) =>
  newHostnameProblem(hostname, { publicUrl: 'https://qr.example.com/', privateDomains })

test('a public suffix cannot be a domain, and any name below one can', () => {
  for (const suffix of ['co.uk', 'com.au', 'gov.br', 'k12.ca.us', 'xn--55qx5d.cn'])
    assert.match(problem(suffix)?.message ?? '', /public suffix/, suffix)
  // Suffixes of companies are their own names: the ICANN section does not have them.
  for (const name of ['example.co.uk', 'go.example.com', 'example.com', 'github.io', 'x.github.io'])
    assert.equal(problem(name), undefined, name)
})

test('names that only one network knows can be domains with PRIVATE_DOMAINS=true alone', () => {
  for (const name of ['everscan.internal', 'go.everscan.internal', 'printer.local', 'qr.lan']) {
    assert.match(problem(name)?.message ?? '', /PRIVATE_DOMAINS=true/, name)
    assert.equal(problem(name, true), undefined, name)
  }
  for (const name of ['internal.example.com', 'local.example.com', 'vlan.example.com'])
    assert.equal(problem(name), undefined, name)
})

test('the host of PUBLIC_URL, single labels and addresses can never be domains', () => {
  for (const name of ['qr.example.com', 'localhost', 'lan', '192.0.2.1', '[2001:db8::1]'])
    assert.notEqual(problem(name, true), undefined, name)
})
