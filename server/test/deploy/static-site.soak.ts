import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import type { AnyCreateQrCode } from '@everscan/client/create-client.ts'
import { inherited, startService, type Service } from '../support/service.ts'
import { startStaticServer, staticServerNames, type StaticServer } from '../support/static-servers.ts'

// The static site answers as the service does. Requires Debian's nginx and Caddy: without them this
// suite fails, because it would prove nothing.

const host = 'go.example.com'
const codesMany = 10_000
const perBatch = 100

let service: Service
let folder: string
let shortCodes: string[]

type Answer = { status: number; type: string | undefined; location: string | undefined; body: string }

async function answerOf(port: number, path: string): Promise<Answer> {
  const headers = { host, 'accept-language': 'en' }
  const asked = request({ host: '127.0.0.1', port, path, headers }).end()
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  const body = await text(response)
  const { statusCode: status = 0, headers: sent } = response
  const isRedirect = status === 302
  return {
    status,
    type: isRedirect ? undefined : sent['content-type'],
    // Caddy's settings need braces percent-encoded.
    location: sent.location?.replaceAll('{', '%7B').replaceAll('}', '%7D'),
    // nginx adds a page to a redirect, which nobody sees.
    body: isRedirect ? '' : body,
  }
}

/** One code of every kind of answer, and very many redirects and pages. */
const created = (i: number): AnyCreateQrCode => {
  const name = `Code ${i}`
  const url = `https://example.com/${i}?a=$b&q={x}\`;'"#$c`
  const closed = { message: `Closed ${i}` }
  const kinds: readonly (() => AnyCreateQrCode)[] = [
    () => ({ type: 'URL', name, data: { url } }),
    () => ({ type: 'TEXT', name, data: { text: `Text ${i} <b>` } }),
    () => ({ type: 'VCARD', name, data: { firstName: 'Ada', lastName: `No ${i}`, phone: '+4930123' } }),
    () => ({ type: 'WIFI', name, data: { ssid: `Net ${i}`, password: 'secret12', encryption: 'WPA' } }),
    () => ({ type: 'URL', name, data: { url }, access: { startsAt: '2099-01-01T00:00:00Z', closed } }),
    () => ({ type: 'URL', name, data: { url }, access: { endsAt: '2020-01-01T00:00:00Z', closed } }),
    () => ({
      type: 'URL',
      name,
      data: { url },
      access: { endsAt: '2020-01-01T00:00:00Z', closed: { url: `https://example.com/closed/${i}` } },
    }),
    () => ({ type: 'URL', name: 'Archived', data: { url } }),
    () => ({
      type: 'APP',
      name,
      data: { iosUrl: 'https://apps.apple.com/app/id1', fallbackUrl: `https://example.com/app/${i}` },
    }),
    () => ({ type: 'URL', name, shortCode: `Shop-Oil-${i}`, data: { url } }),
  ]
  return (kinds[i % kinds.length] ?? assert.fail())()
}

before(async () => {
  service = await startService({ PUBLIC_URL: `http://${host}` })
  const client = service.client()
  folder = join(mkdtempSync(join(tmpdir(), 'everscan-site-')), 'site')
  const [{ id: orgId } = assert.fail()] = await client.organizations.listMine()
  shortCodes = []
  for (let from = 0; from < codesMany; from += perBatch) {
    const codes = Array.from({ length: perBatch }, (_, i) => created(from + i))
    const { data, errors } = await client.batches.create(orgId, codes)
    assert.deepEqual(errors, [])
    shortCodes.push(...data.map(({ shortCode }) => shortCode))
    const archived = data.filter(({ name }) => name === 'Archived').map(({ id }) => id)
    await client.batches.update(orgId, archived, { status: 'ARCHIVED' })
  }
  const main = join(import.meta.dirname, '..', '..', 'src', 'main.mjs')
  const env = { ...inherited(), DATA_DIR: service.dataDir, PUBLIC_URL: `http://${host}` }
  console.log(execFileSync(process.execPath, [main, 'export', '--static', folder], { env, encoding: 'utf8' }))
})
after(async () => {
  await service.remove()
  rmSync(join(folder, '..'), { recursive: true, force: true })
})

for (const name of staticServerNames)
  describe(`a static site in ${name}`, () => {
    let server: StaticServer
    before(async () => {
      server = await startStaticServer(name, folder)
    })
    after(() => server.stop())

    test('a contact is a file; what does not exist is our page', async () => {
      const port = Number(new URL(service.baseUrl).port)
      const contact = shortCodes[2] ?? assert.fail()
      for (const path of [`/${contact}.vcf`, `/${contact}/`, '/N0TH1NG', '/', '/a/b'])
        assert.deepEqual(
          [path, await answerOf(server.port, path)],
          [path, await answerOf(port, path === '/a/b' ? '/N0TH1NG' : path)],
        )
    })

    test('answers every code with the status, the address and the page of the service', async () => {
      const port = Number(new URL(service.baseUrl).port)
      for (const shortCode of shortCodes) {
        const expected = await answerOf(port, `/${shortCode}`)
        for (const path of [`/${shortCode}`, `/${shortCode.toLowerCase()}`, `/${shortCode}?utm=1`]) {
          const answer = await answerOf(server.port, path)
          assert.deepEqual([path, answer], [path, expected])
        }
      }
    })
  })
