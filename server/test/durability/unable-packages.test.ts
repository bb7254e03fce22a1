import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { startService, until } from '../support/service.ts'

const signals = join(import.meta.dirname, '..', '..', 'src', 'processes', 'testing', 'signals.ts')

test('where DuckDB does not run, codes are made and redirect, and it is named instead of started', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'everscan-unable-'))
  t.after(() => rmSync(dir, { recursive: true }))
  const preload = join(dir, 'processor.cjs')
  // Ends the process that tries packages before it tells that DuckDB worked.
  writeFileSync(
    preload,
    `const tell = process.send
if (process.argv[1]?.includes('native-trial-main'))
  process.send = (told, ...rest) => {
    if (told.name === '@duckdb/node-api')
      require(${JSON.stringify(signals)}).sendSignal(process.pid, 'SIGILL')
    return tell.call(process, told, ...rest)
  }`,
  )
  const service = await startService({ NODE_OPTIONS: `--require ${preload}` })
  t.after(() => service.remove())
  await until('the start is complete', () => service.output().includes('not up yet'))

  const { parts } = await service.readiness()
  const { ok, problem, values } = parts['nativePackages'] ?? assert.fail()
  const named = { package: '@duckdb/node-api', needs: 'x86-64', reason: 'SIGILL' }
  assert.deepEqual([ok, problem], [false, 'figuresCannotRun'])
  // The name of the processor depends on that of this machine.
  assert.deepEqual({ ...values, needs: named.needs }, named)
  assert.deepEqual([service.pids('engine'), service.pids('worker').length], [[], 1])

  const client = service.client()
  const orgId = (await client.organizations.listMine())[0]?.id ?? ''
  const data = { url: 'https://example.com/' }
  const { shortCode } = await client.qrCodes.create(orgId, { type: 'URL', name: 'Menu', data })
  const scan = await fetch(`${service.baseUrl}/${shortCode}`, { redirect: 'manual' })
  assert.deepEqual([scan.status, scan.headers.get('location')], [302, data.url])
})
