import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test, type TestContext } from 'node:test'
import { createClient } from '@everscan/client/create-client.ts'
import { decodePicture } from '../support/decode-picture.ts'
import { installForArm64, nodeOn, type Processor } from '../support/emulated.ts'
import { startService, until, type Service } from '../support/service.ts'

// Requires qemu-user, and for arm64 the registry of packages: see support/emulated.ts. Without them
// this suite fails, because it would prove nothing.

const root = join(import.meta.dirname, '..', '..', '..')
const packages = (architecture: string) => join('node_modules', `node-linux-${architecture}`, 'bin', 'node')
/** An emulated processor is ten to thirty times as slow. */
const waitMs = 900_000
const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1'
const password = 'a password on an old processor'
const settings = { BOOTSTRAP_PASSWORD: password, TRUST_PROXY: '127.0.0.1' }

const nehalem: Processor = { emulator: 'qemu-x86_64', cpu: 'Nehalem' }
/** A processor of virtual machines without SSE4.2, which pictures need. */
const withoutSse4: Processor = { emulator: 'qemu-x86_64', cpu: 'qemu64' }
const cortexA72: Processor = {
  emulator: 'qemu-aarch64',
  cpu: 'cortex-a72',
  libraries: '/usr/aarch64-linux-gnu',
}

function scratch(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'everscan-processors-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

/** Says how long a step took. */
async function timed<Result>(t: TestContext, name: string, run: () => Promise<Result>): Promise<Result> {
  const fromMs = performance.now()
  const result = await run()
  t.diagnostic(`${name}: ${((performance.now() - fromMs) / 1000).toFixed(1)} s`)
  return result
}

const isReady = async (service: Service) =>
  (await service.readiness().catch(() => undefined))?.status === 'ready'

/** The first day of a user; returns the path of the code. */
async function walk(t: TestContext, service: Service): Promise<string> {
  await timed(t, 'all parts are up', () => until('all parts are up', () => isReady(service), waitMs))
  const person = createClient({ baseUrl: service.baseUrl, timeoutMs: waitMs })
  await timed(t, 'sign-in', () => person.auth.signIn({ email: 'admin@localhost', password }))
  const client = service.client({ timeoutMs: waitMs })
  const orgId = (await client.organizations.listMine())[0]?.id ?? ''
  const code = await timed(t, 'a code', () =>
    client.qrCodes.create(orgId, { type: 'URL', name: 'Menu', data: { url: 'https://example.com/menu' } }),
  )
  for (const format of ['png', 'jpeg'] as const) {
    const picture = await timed(t, format, () => client.qrCodes.download(orgId, code.id, { format }))
    const read = (await decodePicture(picture.bytes)).map(({ text }) => text)
    assert.deepEqual(read, [code.shortUrl.toUpperCase()])
  }
  const path = `/${code.shortCode}`
  await timed(t, 'ten scans', async () => {
    for (let scan = 0; scan < 10; scan++) await scanOnce(service, path, `81.169.181.${scan}`)
  })
  await timed(t, 'figures', () =>
    until(
      'figures',
      async () => (await client.qrCodes.analytics(orgId, code.id)).summary.totalScans === 10,
      waitMs,
    ),
  )
  const { summary, geography } = await client.qrCodes.analytics(orgId, code.id)
  assert.deepEqual([summary.totalScans, geography.countries[0]?.country], [10, 'DE'])
  const text = await timed(t, 'export', async () => {
    const { body } = await client.analytics.export(orgId, code.id)
    return Buffer.concat(await Array.fromAsync(body)).toString()
  })
  assert.equal(text.trim().split('\n').length, 11)
  return path
}

async function scanOnce({ baseUrl }: Service, path: string, address: string): Promise<void> {
  const headers = { 'user-agent': phone, 'x-forwarded-for': address }
  const response = await fetch(baseUrl + path, { redirect: 'manual', headers })
  assert.deepEqual([response.status, response.headers.get('location')], [302, 'https://example.com/menu'])
}

describe('old processors', () => {
  test('everything works on x86-64-v2; without it, codes redirect, and sharp is named', async (t) => {
    const dir = scratch(t)
    const node = nodeOn(nehalem, { node: join(root, packages('x64')), dir })
    const dataDir = join(dir, 'data')
    const first = await startService({ ...settings, DATA_DIR: dataDir }, { node, wait: false })
    t.after(() => first.remove())
    const path = await walk(t, first)
    assert.equal(await first.stop(), 0)
    // In /proc/cpuinfo QEMU shows the processor of this machine, whichever it emulates.
    rmSync(join(dataDir, 'run', 'native-packages'))

    const older = nodeOn(withoutSse4, { node: join(root, packages('x64')), dir })
    const second = await startService({ ...settings, DATA_DIR: dataDir }, { node: older, wait: false })
    t.after(() => second.remove())
    const part = async () => (await second.readiness().catch(() => undefined))?.parts['nativePackages']
    await until('the package is named', async () => (await part()) !== undefined, waitMs)
    const { ok, problem, values } = (await part()) ?? assert.fail()
    const needs = 'x86-64-v2 (SSE4.2)'
    assert.deepEqual(
      [ok, problem, values],
      [false, 'apiCannotRun', { package: 'sharp', needs, reason: 'SIGILL' }],
    )
    await scanOnce(second, path, '81.169.181.99')
    assert.equal(await second.stop(), 0)
  })

  test('everything works on the ARM processor of a small board', async (t) => {
    const dir = scratch(t)
    const installation = join(dir, 'arm64')
    installForArm64(installation)
    const node = nodeOn(cortexA72, { node: join(installation, packages('arm64')), dir })
    const service = await startService(settings, { node, installation, wait: false })
    t.after(() => service.remove())
    await walk(t, service)
    assert.equal(await service.stop(), 0)
  })
})
