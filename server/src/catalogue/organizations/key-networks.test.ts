import assert from 'node:assert/strict'
import { isIP } from 'node:net'
import { test } from 'node:test'
import { limits } from '@everscan/contract/schema/limits.ts'
import { seededRandom } from '@everscan/contract/testing/random.ts'
import { isInNetworks, isWithinNetworks, readNetwork } from './key-networks.ts'

function networkOf(text: string): string {
  const network = readNetwork(text)
  return typeof network === 'string' ? network : assert.fail(network.message)
}

function refusalOf(text: string): string {
  const network = readNetwork(text)
  return typeof network === 'string' ? assert.fail(network) : network.message
}

test('a network is read in its canonical form; an address is a network of its own', () => {
  for (const [text, canonical] of [
    ['203.0.113.7', '203.0.113.7/32'],
    ['203.0.113.7/32', '203.0.113.7/32'],
    ['10.0.0.0/8', '10.0.0.0/8'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['128.0.0.0/1', '128.0.0.0/1'],
    ['2001:DB8:0:0::1', '2001:db8::1/128'],
    ['2001:db8::/32', '2001:db8::/32'],
    ['2001:0db8:0000:0000:0000:0000:0000:0000/32', '2001:db8::/32'],
    ['::/0', '::/0'],
    ['::1', '::1/128'],
    ['64:ff9b::192.0.2.33', '64:ff9b::c000:221/128'],
    // IPv4 in IPv6: RFC 4291, section 2.5.5.2.
    ['::ffff:203.0.113.7', '203.0.113.7/32'],
    ['::FFFF:cb00:7107', '203.0.113.7/32'],
    ['::ffff:10.0.0.0/104', '10.0.0.0/8'],
    ['0:0:0:0:0:ffff:10.0.0.0/104', '10.0.0.0/8'],
    ['::ffff:0:0/96', '0.0.0.0/0'],
  ] as const) {
    assert.equal(readNetwork(text), canonical, text)
    assert.equal(readNetwork(canonical), canonical)
    assert.ok(text.length <= limits.networkCharsMax)
  }
  const longest = 'ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255/128'
  assert.equal(longest.length, limits.networkCharsMax)
  assert.equal(readNetwork(longest), 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff/128')
})

test('a text that is no network is refused with the form; an address inside of one with its first', () => {
  for (const text of [
    '',
    ' ',
    'everywhere',
    'example.com',
    '10.0.0.0/',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/08',
    '10.0.0.0/8.0',
    '10.0.0.0/1e1',
    '10.0.0.0/8/8',
    '10.0.0.0/255.0.0.0',
    '/8',
    '10.0.0/24',
    '10.0.0.256',
    '010.0.0.1',
    '0x0a.0.0.1',
    '167772161',
    '10.0.0.1:443',
    ' 10.0.0.1',
    '[2001:db8::1]',
    '2001:db8::/129',
    'fe80::1%eth0',
    'fe80::%1/64',
    '1::2::3',
    ':::',
    '::1.2.3.4',
    '0:0:0:0:0:0:1.2.3.4/128',
    '::ffff:10.0.0.0/95',
    '::ffff:10.0.0.0/129',
    '10.0.0.0/8,10.0.0.0/8',
    '10.0.0.0\u0000/8',
  ])
    assert.match(refusalOf(text), /^must be an IP address or a network /, text)
  for (const [text, first] of [
    ['203.0.113.7/24', '203.0.113.0/24'],
    ['203.0.113.7/0', '0.0.0.0/0'],
    ['2001:db8::1/32', '2001:db8::/32'],
    ['::ffff:203.0.113.7/120', '203.0.113.0/24'],
  ] as const)
    assert.equal(refusalOf(text), `must begin with the first address of the network, as in ${first}`)
})

test('a client is in a network by its address alone, however it is written', () => {
  const networks = '203.0.113.0/24,10.0.0.7/32,2001:db8:1::/48'
  for (const [address, isIn] of [
    ['203.0.113.0', true],
    ['203.0.113.255', true],
    ['203.0.112.255', false],
    ['203.0.114.0', false],
    ['10.0.0.7', true],
    ['10.0.0.8', false],
    ['2001:db8:1::', true],
    ['2001:DB8:1:ffff:ffff:ffff:ffff:ffff', true],
    ['2001:db8:2::', false],
    ['::ffff:203.0.113.9', true],
    ['::ffff:cb00:7109', true],
    ['::ffff:203.0.114.9', false],
    ['::203.0.113.9', false],
    ['', false],
    ['unknown', false],
    ['203.0.113.0/24', true],
    [undefined, false],
  ] as const)
    assert.equal(isInNetworks(address, networks), isIn, address)
  assert.equal(isInNetworks('10.0.0.1', '::/0'), false)
  assert.equal(isInNetworks('::1', '0.0.0.0/0'), false)
})

test('a network lies within another of its family with at most its length', () => {
  for (const [network, outer, isWithin] of [
    ['10.1.0.0/16', ['10.0.0.0/8'], true],
    ['10.0.0.0/8', ['10.0.0.0/8'], true],
    ['10.0.0.0/7', ['10.0.0.0/8'], false],
    ['0.0.0.0/0', ['10.0.0.0/8'], false],
    ['11.0.0.0/16', ['10.0.0.0/8'], false],
    ['11.0.0.0/16', ['10.0.0.0/8', '11.0.0.0/8'], true],
    ['10.0.0.0/8', ['::/0'], false],
    ['::/0', ['0.0.0.0/0'], false],
    ['2001:db8::/33', ['2001:db8::/32'], true],
    ['2001:db8::/31', ['2001:db8::/32'], false],
  ] as const)
    assert.equal(isWithinNetworks(network, outer), isWithin, `${network} in ${outer.join()}`)
})

test('random addresses are in a network exactly if their first bits are its own', () => {
  const random = seededRandom()
  const below = (count: number) => Math.floor(random() * count)
  for (let run = 0; run < 3_000; run++) {
    const isV4 = random() < 0.5
    const bitsMax = isV4 ? 32 : 128
    const some = () => Array.from({ length: bitsMax / 8 }, () => (random() < 0.3 ? 0 : below(256)))
    const bytes = some()
    const bits = below(bitsMax + 1)
    const shared = below(bitsMax + 1)
    const other = mixed(bytes, some(), shared)
    const network = networkOf(
      `${written(
        mixed(
          bytes,
          bytes.map(() => 0),
          bits,
        ),
        random,
      )}/${bits}`,
    )
    const isIn = mixed(bytes, other, bits).every((byte, at) => byte === other[at])
    const address = written(other, random)
    const title = `${address} in ${network}`
    assert.notEqual(isIP(address), 0, title)
    assert.equal(isInNetworks(address, network), isIn, title)
    assert.equal(isWithinNetworks(networkOf(address), [network]), isIn, title)
  }
})

/** The first bits of one address with the remaining bits of another. */
function mixed(first: readonly number[], rest: readonly number[], bits: number): number[] {
  return first.map((byte, at) => {
    const kept = Math.min(8, Math.max(0, bits - at * 8))
    const mask = (0xff << (8 - kept)) & 0xff
    return (byte & mask) | ((rest[at] ?? 0) & ~mask & 0xff)
  })
}

/** An address in one of its many spellings. */
function written(bytes: readonly number[], random: () => number): string {
  if (bytes.length === 4) return bytes.join('.')
  const groups = Array.from({ length: 8 }, (_, at) => (bytes[2 * at] ?? 0) * 256 + (bytes[2 * at + 1] ?? 0))
  const text = groups.map((group) => {
    const hex = group.toString(16).padStart(random() < 0.2 ? 4 : 0, '0')
    return random() < 0.2 ? hex.toUpperCase() : hex
  })
  const gapAt = text.findIndex((group) => /^0+$/.test(group))
  if (gapAt < 0 || random() < 0.5) return text.join(':')
  let end = gapAt
  while (/^0+$/.test(text[end] ?? '')) end++
  return `${text.slice(0, gapAt).join(':')}::${text.slice(end).join(':')}`
}
