import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { answerOf, createCodesOfAllKinds } from '../support/codes-of-all-kinds.ts'
import { inherited, startService, type Service } from '../support/service.ts'
import { startStaticServer, staticServerNames, type StaticServer } from '../support/static-servers.ts'

// The static site answers as the service does. Requires Debian's nginx and Caddy: without them this
// suite fails, because it would prove nothing.

const host = 'go.example.com'
const codesMany = 10_000

let service: Service
let folder: string
let shortCodes: string[]

before(async () => {
  service = await startService({ PUBLIC_URL: `http://${host}` })
  const client = service.client()
  folder = join(mkdtempSync(join(tmpdir(), 'everscan-site-')), 'site')
  const [{ id: orgId } = assert.fail()] = await client.organizations.listMine()
  shortCodes = (await createCodesOfAllKinds(client, orgId, codesMany)).map(({ shortCode }) => shortCode)
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
          [path, await answerOf(server.port, host, path)],
          [path, await answerOf(port, host, path === '/a/b' ? '/N0TH1NG' : path)],
        )
    })

    test('answers every code with the status, the address and the page of the service', async () => {
      const port = Number(new URL(service.baseUrl).port)
      for (const shortCode of shortCodes) {
        const expected = await answerOf(port, host, `/${shortCode}`)
        for (const path of [`/${shortCode}`, `/${shortCode.toLowerCase()}`, `/${shortCode}?utm=1`]) {
          const answer = await answerOf(server.port, host, path)
          assert.deepEqual([path, answer], [path, expected])
        }
      }
    })
  })
