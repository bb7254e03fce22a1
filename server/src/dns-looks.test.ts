import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startDnsServer } from './api/testing/dns-server.ts'
import { createDnsLook, hostRecords } from './dns-looks.ts'

const of = (publicUrl: string) => hostRecords('go.example.com', publicUrl)[0]

test('finds the proof of a host and where it leads; no record is no failure', async () => {
  const server = await startDnsServer({
    '_everscan.go.example.com': { TXT: ['v=spf1 -all', 'everscan=abc'] },
    'go.example.com': { A: ['192.0.2.7'] },
    'alias.example.com': { CNAME: ['qr.example.com'] },
  })
  try {
    const look = createDnsLook([server.address], 500)
    assert.deepEqual(await look('go.example.com'), {
      found: [
        { type: 'TXT', name: '_everscan.go.example.com', value: 'v=spf1 -all' },
        { type: 'TXT', name: '_everscan.go.example.com', value: 'everscan=abc' },
        { type: 'A', name: 'go.example.com', value: '192.0.2.7' },
      ],
      failure: undefined,
    })
    assert.deepEqual((await look('alias.example.com')).found[0], {
      type: 'CNAME',
      name: 'alias.example.com',
      value: 'qr.example.com',
    })
    assert.deepEqual(await look('never.example.com'), { found: [], failure: undefined })
    server.state.isBroken = true
    assert.deepEqual(await look('go.example.com'), { found: [], failure: 'ESERVFAIL' })
  } finally {
    server.close()
  }
})

test('keeps at most 10 records of each kind', async () => {
  const values = Array.from({ length: 15 }, (_, index) => `value-${index}`)
  const server = await startDnsServer({ '_everscan.go.example.com': { TXT: values } })
  try {
    assert.equal((await createDnsLook([server.address], 500)('go.example.com')).found.length, 10)
  } finally {
    server.close()
  }
})

test('a DNS that does not answer is a failure', async () => {
  const server = await startDnsServer({})
  server.close()
  const { found, failure } = await createDnsLook([server.address], 100)('go.example.com')
  assert.deepEqual(found, [])
  assert.match(failure ?? '', /^E(TIMEOUT|CONNREFUSED)$/)
})

test('a host needs a record that leads to the host of the public address', () => {
  const name = 'go.example.com'
  assert.deepEqual(of('https://qr.example.com'), { type: 'CNAME', name, value: 'qr.example.com' })
  assert.deepEqual(of('http://192.0.2.7:3000'), { type: 'A', name, value: '192.0.2.7' })
  assert.deepEqual(of('http://[2001:db8::1]'), { type: 'AAAA', name, value: '2001:db8::1' })
  assert.equal(of('http://localhost:3000'), undefined)
})
