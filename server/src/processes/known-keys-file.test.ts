import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { knownKeysMax, readKnownKeys, rememberKeys, type RememberedKey } from './known-keys-file.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'everscan-keys-'))
after(() => rmSync(dataDir, { recursive: true }))
const file = join(dataDir, 'known-keys.json')

function key(id: string, times: Partial<RememberedKey>): RememberedKey {
  return { organizationId: 'org_1', id, prefix: 'evs_abcd', lastUsedAtMs: null, revokedAtMs: null, ...times }
}

test('a revoked key stays revoked, and the latest use is kept, whatever an older catalogue says', () => {
  assert.deepEqual(readKnownKeys(dataDir, 'ins_1'), [])
  rememberKeys(dataDir, 'ins_1', [key('a', { lastUsedAtMs: 5 }), key('b', { revokedAtMs: 7 })])
  rememberKeys(dataDir, 'ins_1', [
    key('a', { lastUsedAtMs: 4 }),
    key('b', { lastUsedAtMs: 2 }),
    key('c', { lastUsedAtMs: 9 }),
  ])
  assert.deepEqual(readKnownKeys(dataDir, 'ins_1'), [
    key('b', { lastUsedAtMs: 2, revokedAtMs: 7 }),
    key('c', { lastUsedAtMs: 9 }),
    key('a', { lastUsedAtMs: 5 }),
  ])
  assert.equal(statSync(file).mode & 0o777, 0o600)
  const { ino } = statSync(file)
  rememberKeys(dataDir, 'ins_1', [key('a', { lastUsedAtMs: 5 })])
  assert.equal(statSync(file).ino, ino, 'the file is not written again without a change')
})

test('keys of another installation, and an unreadable file, yield no keys', () => {
  assert.deepEqual(readKnownKeys(dataDir, 'ins_2'), [])
  for (const text of [
    '',
    'null',
    '{"installation":"ins_1"}',
    '{"installation":"ins_1","keys":[null,{"id":1}]}',
  ]) {
    writeFileSync(file, text)
    assert.deepEqual(readKnownKeys(dataDir, 'ins_1'), [], text)
  }
  rememberKeys(dataDir, 'ins_2', [key('a', { lastUsedAtMs: 1 })])
  assert.deepEqual(readKnownKeys(dataDir, 'ins_2'), [key('a', { lastUsedAtMs: 1 })])
})

function many(prefix: string, times: (index: number) => Partial<RememberedKey>): RememberedKey[] {
  return Array.from({ length: knownKeysMax + 10 }, (_, index) => key(`${prefix}${index}`, times(index)))
}

test('the latest keys are remembered, and used keys do not displace revoked keys', () => {
  rememberKeys(dataDir, 'ins_3', [
    ...many('r', (index) => ({ revokedAtMs: index + 1 })),
    ...many('u', (index) => ({ lastUsedAtMs: 1e6 + index })),
  ])
  const ids = new Set(readKnownKeys(dataDir, 'ins_3').map(({ id }) => id))
  assert.equal(ids.size, 2 * knownKeysMax)
  for (const prefix of ['r', 'u'])
    assert.deepEqual([ids.has(`${prefix}9`), ids.has(`${prefix}10`)], [false, true], prefix)
})
