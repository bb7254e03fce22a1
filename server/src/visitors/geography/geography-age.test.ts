import assert from 'node:assert/strict'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { Reader } from 'mmdb-lib'
import { packagedCityFile, readBuildTime } from './geography-age.ts'

test('the packaged files have the build time that the library reads', async () => {
  for (const family of ['v4', 'v6'] as const) {
    const path = packagedCityFile(family)
    const { metadata } = new Reader(readFileSync(path))
    assert.equal(await readBuildTime(path), metadata.buildEpoch.getTime(), family)
  }
})

test('a file that is missing, empty, truncated or of another format has no build time', async (t) => {
  const path = join(tmpdir(), `everscan-age-${process.pid}`)
  t.after(() => rmSync(path, { force: true }))
  assert.equal(await readBuildTime(path), undefined)
  const truncated = Buffer.from('\xab\xcd\xefMaxMind.com\x4bbuild_epoch\x04\x02\x66', 'latin1')
  for (const content of [Buffer.alloc(0), Buffer.from('build_epoch'), truncated]) {
    writeFileSync(path, content)
    assert.equal(await readBuildTime(path), undefined)
  }
})
