import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '@everscan/contract/testing/random.ts'
import { visitorNetwork } from '../address-networks.ts'
import { addressTrail, clientAddress, createTrustedProxies } from './client-address.ts'

const hex = (numbers: readonly number[]): string => numbers.map((number) => number.toString(16)).join(':')
const trusted = createTrustedProxies(['10.0.0.0/8', '::1', 'fd00::/8'])

test('without trusted proxies the peer is the client, whatever it says', () => {
  assert.equal(clientAddress('203.0.113.7', '198.51.100.1', undefined), '203.0.113.7')
  assert.equal(clientAddress('::ffff:203.0.113.7', undefined, undefined), '203.0.113.7')
})

test('the forwarded list is read right to left, as far as it is trusted', () => {
  const cases = [
    ['10.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['10.0.0.1', '1.2.3.4, 198.51.100.1', '198.51.100.1'],
    ['10.0.0.1', '198.51.100.1, 10.2.3.4', '198.51.100.1'],
    ['10.0.0.1', '10.9.9.9, 10.2.3.4', '10.9.9.9'],
    ['::1', '2001:db8::7', '2001:db8::7'],
    ['10.0.0.1', '[2001:db8::7]:4711', '2001:db8::7'],
    ['10.0.0.1', '198.51.100.1:4711', '198.51.100.1'],
    ['10.0.0.1', 'unknown', '10.0.0.1'],
    ['10.0.0.1', '', '10.0.0.1'],
    ['10.0.0.1', '<script>, 198.51.100.1, 10.0.0.2', '198.51.100.1'],
    ['203.0.113.7', '198.51.100.1', '203.0.113.7'],
    ['::ffff:10.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['10.0.0.1', '::ffff:198.51.100.1', '198.51.100.1'],
    ['10.0.0.1', '::FFFF:198.51.100.1', '198.51.100.1'],
    ['10.0.0.1', '::ffff:c633:6401', '198.51.100.1'],
    ['10.0.0.1', '[0:0:0:0:0:ffff:198.51.100.1]:4711', '198.51.100.1'],
    ['10.0.0.1', '0000::ffff:c633:6401', '198.51.100.1'],
    ['10.0.0.1', '::fffe:c633:6401', '::fffe:c633:6401'],
    ['10.0.0.1', '0:0:0:1:0:ffff:c633:6401', '0:0:0:1:0:ffff:c633:6401'],
    ['10.0.0.1', 'fe80::1%eth0', 'fe80::1'],
  ] as const
  for (const [peer, forwarded, expected] of cases)
    assert.equal(clientAddress(peer, forwarded, trusted), expected, `${peer} <- ${forwarded}`)
})

test('the trail has every proxy that was believed, and nobody else', () => {
  const forwarded = '1.2.3.4, 198.51.100.1, 10.2.3.4'
  assert.deepEqual(addressTrail('10.0.0.1', forwarded, trusted), ['10.0.0.1', '10.2.3.4', '198.51.100.1'])
  assert.deepEqual(addressTrail('203.0.113.7', forwarded, trusted), ['203.0.113.7'])
  assert.deepEqual(addressTrail('10.0.0.1', forwarded, undefined), ['10.0.0.1'])
})

test('a wrong entry of TRUST_PROXY is named', () => {
  for (const entry of ['1', 'proxy.local', '10.0.0.0/33', '10.0.0.0/x', '::/129'])
    assert.throws(() => createTrustedProxies([entry]), {
      message: new RegExp(`TRUST_PROXY.*"${entry.replaceAll('/', '\\/')}"`),
    })
})

test('a visitor is known by the IPv4 address or the IPv6 /64, however the address is written', () => {
  const random = seededRandom()
  const group = (): number => (random() < 0.4 ? 0 : Math.floor(random() * 65_536))
  const groups = (count: number): number[] => Array.from({ length: count }, group)
  for (let run = 0; run < 3000; run++) {
    // Addresses that begin with 0 are reserved, among them IPv4 in IPv6.
    const network = [0x20_01 + Math.floor(random() * 4000), ...groups(3)]
    const [one, other] = [groups(4), groups(4)]
    const expected = `${hex(network)}::`
    for (const host of [one, other])
      for (const written of spellings([...network, ...host]))
        assert.equal(visitorNetwork(written), expected, written)
    const at = Math.floor(random() * 4)
    const changed = network.map((number, index) =>
      index === at ? number ^ (1 << Math.floor(random() * 12)) : number,
    )
    assert.notEqual(visitorNetwork(hex([...changed, ...one])), expected, hex(changed))
    const [a, b] = [group(), group()]
    const ipv4 = [a >> 8, a & 255, b >> 8, b & 255].join('.')
    assert.equal(visitorNetwork(ipv4), ipv4)
    for (const mapped of spellings([0, 0, 0, 0, 0, 0xff_ff, a, b]))
      assert.equal(visitorNetwork(clientAddress(mapped, undefined, undefined)), ipv4, mapped)
  }
})

/**
 * Returns spellings of one address: the shortest, as `URL` writes it, in full, in capitals, and
 * with its end as in IPv4.
 */
function spellings(groups: readonly number[]): string[] {
  const plain = hex(groups)
  const shortest = new URL(`http://[${plain}]/`).hostname.slice(1, -1)
  const full = groups.map((number) => number.toString(16).padStart(4, '0')).join(':')
  const bytes = groups.slice(6).flatMap((number) => [number >> 8, number & 255])
  const dotted = `${hex(groups.slice(0, 6))}:${bytes.join('.')}`
  return [plain, shortest, full, shortest.toUpperCase(), dotted]
}
