// Runs the examples of the client as a user would: in a project of their own, with the package as
// it is published.
import assert from 'node:assert/strict'
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Client } from '@everscan/client/create-client.ts'
import { freePort, inherited, until, type Service } from '../support/service.ts'
import { openTenant } from '../support/shared-service.ts'

const clientDir = join(import.meta.dirname, '..', '..', '..', 'client')
const phone = { 'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Mobile' }

describe('examples of the client', { concurrency: 1 }, () => {
  let service: Service
  let client: Client
  let orgId: string
  let project: string
  before(async () => {
    ;({ service } = await openTenant())
    client = service.client()
    orgId = (await client.organizations.listMine())[0]?.id ?? ''
    project = mkdtempSync(join(tmpdir(), 'everscan-examples-'))
    execFileSync(process.execPath, [
      join(clientDir, 'build.ts'),
      join(project, 'node_modules', '@everscan', 'client'),
    ])
    cpSync(join(clientDir, 'examples'), project, { recursive: true })
  })
  after(async () => {
    await service.remove()
    rmSync(project, { recursive: true, force: true })
  })

  const start = (name: string, env: Record<string, string> = {}, ...args: string[]): Program => {
    const child = spawn(process.execPath, [name, ...args], {
      cwd: project,
      env: { ...inherited(), EVERSCAN_URL: service.baseUrl, EVERSCAN_API_KEY: service.apiKey, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    return programOf(child)
  }

  test('every example is run here', () => {
    const tested = [...readFileSync(import.meta.filename, 'utf8').matchAll(/start\('([\w-]+\.mjs)'/g)]
    assert.deepEqual(
      tested.map(([, name = '']) => name).sort(),
      readdirSync(join(clientDir, 'examples')).sort(),
    )
  })

  test('quick start: creates a code, changes it, saves its picture and reads its scans', async () => {
    const output = await start('quick-start.mjs').ended()
    assert.match(output, /^http:\S+ leads to https:\/\/example\.com\/spring\nsaved Poster\.svg\n0 scans\n$/)
    assert.match(readFileSync(join(project, 'Poster.svg'), 'utf8'), /^<svg[^>]* width="40mm"/)
    const [, shortCode = ''] = /\/([0-9A-Z]{7}) /.exec(output) ?? []
    const scan = await fetch(`${service.baseUrl}/${shortCode}`, { redirect: 'manual', headers: phone })
    assert.equal(scan.headers.get('location'), 'https://example.com/summer')
  })

  test('import: creates the good rows once, and saves the others with their reasons', async () => {
    const rows = 'name,url,tags\nGood,https://example.com/,print\nBad,nope,\n'
    writeFileSync(join(project, 'codes.csv'), rows)
    for (const _ of ['first', 'repeated'])
      assert.equal(
        await start('import-csv.mjs', {}, 'codes.csv').ended(),
        'COMPLETED: 1 created, 1 rejected\n',
      )
    assert.match(readFileSync(join(project, 'codes.csv.errors.csv'), 'utf8'), /Bad,nope/)
    assert.equal((await client.qrCodes.list(orgId, { search: 'Good' })).pagination.total, 1)
  })

  test('export: prints every code with its scans, and saves single scans', async () => {
    await until('the scan is counted', async () => {
      const { data } = await client.qrCodes.list(orgId, { search: 'Poster' })
      return data[0]?.totalScans === 1
    })
    const output = await start('export-scans.mjs').ended()
    assert.match(output, /^Poster: 1 scans$/m)
    assert.match(output, /^Good: 0 scans\nprint: 1 codes$/m)
    const [file = ''] = readdirSync(project).filter((name) => /^[0-9A-Z]{7}\.csv$/.test(name))
    assert.equal(readFileSync(join(project, file), 'utf8').trim().split('\n').length, 2)
  })

  test('errors: creates once, and names each failure', async () => {
    const expected = [
      'created once',
      'someone was faster: read again',
      'invalid: name',
      'taken: choose another short code',
    ]
    assert.equal(await start('errors-and-retries.mjs').ended(), `${expected.join('\n')}\n`)
  })

  test('events: prints a scan as it happens, until it is interrupted', async () => {
    const program = start('live-events.mjs')
    await until('the stream is open', () => program.output().includes('connection: open'))
    const [code] = (await client.qrCodes.list(orgId)).data
    await fetch(`${service.baseUrl}/${code?.shortCode}`, { redirect: 'manual', headers: phone })
    await until('the scan is printed', () => /^20\S+Z \S+ \S+$/m.test(program.output()))
    program.child.kill('SIGINT')
    await program.ended()
  })

  test('webhook: registers, receives verified events only, and removes itself', async () => {
    const port = await freePort()
    const program = start('webhook-receiver.mjs', { PORT: String(port) })
    await until('it is registered', () => program.output().includes('registered whk_'))
    await client.folders.create(orgId, { name: 'No event' })
    await client.qrCodes.create(orgId, { type: 'TEXT', name: 'Received', data: { text: 'A' } })
    await until('the event is received', () => program.output().includes('qr.created Received'))
    const forged = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: '{}' })
    assert.equal(forged.status, 400)
    program.child.kill('SIGINT')
    assert.match(await program.ended(), /removed\n$/)
    assert.deepEqual((await client.webhooks.list(orgId)).data, [])
  })
})

type Program = { child: ChildProcess; output: () => string; ended: () => Promise<string> }

/** Returns a program with its standard output so far. `ended` rejects if it fails. */
function programOf(child: ChildProcess): Program {
  let output = ''
  let errors = ''
  child.stdout?.on('data', (text) => (output += String(text)))
  child.stderr?.on('data', (text) => (errors += String(text)))
  const closed = new Promise<number | null>((resolve) => child.on('close', resolve))
  return {
    child,
    output: () => output,
    ended: async () => {
      const status = await closed
      if (status !== 0) throw new Error(`the program ended with ${status}: ${errors}${output}`)
      return output
    },
  }
}
