import assert from 'node:assert/strict'
import { chmodSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fingerprintOf } from '../processes/fingerprint.ts'
import { contextFor, findingOf, scratchDir, textOf } from './testing/doctor.ts'
import { judgeFingerprint } from './secret-checks.ts'

const secret = 's'.repeat(32)

test('a missing secret fails, a damaged one is reported, and one in the environment needs no file', async () => {
  const dataDir = scratchDir()
  assert.match(
    textOf(await findingOf('secrets.secret', contextFor({ DATA_DIR: dataDir }))),
    /^failed: neither SECRET nor .* -> restore the file from a copy, or set SECRET.*adopt secret/,
  )
  assert.equal(
    (await findingOf('secrets.secret', contextFor({ DATA_DIR: dataDir, SECRET: secret }))).state,
    'ok',
  )
  writeFileSync(join(dataDir, 'secret'), 'short\n')
  assert.match(
    textOf(await findingOf('secrets.secret', contextFor({ DATA_DIR: dataDir }))),
    /is damaged.*Restore it from a backup/,
  )
  writeFileSync(join(dataDir, 'secret'), `${secret}\n`)
  const found = await findingOf('secrets.secret', contextFor({ DATA_DIR: dataDir }))
  assert.match(textOf(found), /^ok: in .* since \d{4}-\d\d-\d\d/)
  assert.ok(!found.says.includes(secret))
})

test('open permissions of secret and visitor-key are reported with the command, and closed by --fix', async () => {
  const dataDir = scratchDir()
  const context = contextFor({ DATA_DIR: dataDir })
  assert.equal((await findingOf('secrets.mode', context)).state, 'ok')
  for (const name of ['secret', 'visitor-key']) {
    writeFileSync(join(dataDir, name), secret)
    chmodSync(join(dataDir, name), 0o644)
  }
  assert.match(
    textOf(await findingOf('secrets.mode', context)),
    /^failed: .*secret and .*visitor-key.* -> chmod 600 '.*secret' '/,
  )
  assert.equal((await findingOf('secrets.mode', context, { fix: true })).state, 'ok')
  for (const name of ['secret', 'visitor-key'])
    assert.equal(statSync(join(dataDir, name)).mode & 0o777, 0o600)
})

test('the fingerprint of SECRET is judged: the same, another, none, not known yet', () => {
  assert.equal(judgeFingerprint(fingerprintOf(secret), secret).state, 'ok')
  assert.match(
    textOf(judgeFingerprint(fingerprintOf('other'), secret)),
    /^failed: it is not the one .* -> set SECRET/,
  )
  assert.equal(judgeFingerprint(fingerprintOf(secret), undefined).state, 'failed')
  assert.equal(judgeFingerprint(null, secret).state, 'unknown')
})

test('secrets of the first start that are still set, and metrics that a proxy would expose, are reported', async () => {
  const dataDir = scratchDir()
  const of = async (name: string, env: Record<string, string>) =>
    textOf(await findingOf(name, contextFor({ DATA_DIR: dataDir, ...env })))
  const bootstrap = { BOOTSTRAP_PASSWORD: 'correct horse' }
  const text = await of('secrets.bootstrap', bootstrap)
  assert.match(text, /^notice: BOOTSTRAP_PASSWORD is still .* -> remove BOOTSTRAP_PASSWORD from/)
  assert.doesNotMatch(text, /correct horse/)
  assert.match(await of('secrets.bootstrap', {}), /^ok/)
  const url = { PUBLIC_URL: 'https://go.example.com' }
  assert.match(await of('secrets.metrics-token', url), /^notice: .* -> set METRICS_TOKEN/)
  assert.match(await of('secrets.metrics-token', { ...url, TRUST_PROXY: '10.0.0.1' }), /^ok/)
  assert.match(await of('secrets.metrics-token', { ...url, METRICS_TOKEN: 't'.repeat(16) }), /^ok/)
})
