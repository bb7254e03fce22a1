// A client may break off a file at any time, and the front breaks off one that stalls.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { connect, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '@everscan/contract/schema/limits.ts'
import { uploadRoutes } from '@everscan/contract/schema/uploads.ts'
import type { Database } from '../db/database.ts'
import { onEitherDatabase } from '../db/testing/databases.ts'
import { openTestApi, testConfig } from './testing/api.ts'

const boundary = '--b\r\nContent-Disposition: form-data; name='
const fieldsOf = (path: string): string =>
  path.endsWith('/moves')
    ? `${boundary}"source"\r\n\r\ncsv\r\n`
    : path.endsWith('/bulk-import')
      ? `${boundary}"type"\r\n\r\nURL\r\n`
      : ''
const file = `${boundary}"file"; filename="links.csv"\r\n\r\nname,slug,url\n`
const rows = Array.from({ length: 5_000 }, (_, at) => `Link ${at},link-${at},https://example.com/${at}\n`)

onEitherDatabase('a file that breaks off', (open) => {
  for (const { method, path } of uploadRoutes)
    for (const how of ['end', 'reset'] as const)
      test(`leaves nothing behind and gives its place back: ${method} ${path} (${how})`, async () => {
        const dataDir = mkdtempSync(join(tmpdir(), 'everscan-uploads-'))
        after(() => rmSync(dataDir, { recursive: true, force: true }))
        const db = await open()
        const observed: number[] = []
        const { app, orgId, keys } = await openTestApi(db, {
          config: { ...testConfig, dataDir },
          observe: ({ status }) => observed.push(status),
        })
        await app.listen({ port: 0, host: '127.0.0.1' })
        after(() => app.close())
        const { port } = app.server.address() as AddressInfo
        const isArchive = path === '/organizations/imports'
        const url = `/api/v1${path.replace(':orgId', orgId)}${isArchive ? `?organizationId=${orgId}` : ''}`
        const body = [fieldsOf(path), file, ...rows].join('')
        // One more than fit at once: each has given its place back.
        for (let times = 0; times <= limits.uploads.keyMax; times++) {
          const arrived = once(app.server, 'request')
          const socket = connect(port, '127.0.0.1')
          let answered = ''
          socket.on('error', () => undefined).on('data', (chunk) => (answered += String(chunk)))
          socket.write(`${method} ${url} HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${keys.ADMIN}\r\n`)
          socket.write('Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 50000000\r\n\r\n')
          socket.write(body)
          await arrived
          if (isArchive) await until(() => foldersOf(dataDir).length > 0)
          else if (path.endsWith('/preview')) await sleep(50)
          else await until(async () => (await chunksOf(db)) > 0)
          if (how === 'reset') socket.resetAndDestroy()
          else socket.destroy()
          await until(() => observed.length > times)
          assert.equal(answered, '')
          await until(() => foldersOf(dataDir).length === 0)
          await until(async () => (await chunksOf(db)) === 0)
        }
        assert.deepEqual(new Set(observed), new Set([499]))
      })
})

function foldersOf(dataDir: string): string[] {
  const uploads = join(dataDir, 'uploads')
  return existsSync(uploads) ? readdirSync(uploads) : []
}

async function chunksOf(db: Database): Promise<number> {
  return (await db.kysely.selectFrom('import_chunks').select('chunk').execute()).length
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const untilMs = Date.now() + 10_000; !(await holds()); await sleep(5))
    assert.ok(Date.now() < untilMs, String(holds))
}
