import { endpoint } from '@everscan/contract/endpoints/endpoint.ts'
import assert from 'node:assert/strict'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { OrganizationParams } from '@everscan/contract/schema/common.ts'
import type { ErrorBody } from '@everscan/contract/schema/errors.ts'
import { startTestStore } from '../analytics/testing/store.ts'
import { createApiKey } from '../catalogue/organizations/api-keys.ts'
import { someOrigin } from '../catalogue/testing/catalogue.ts'
import { onEitherDatabase } from '../db/testing/databases.ts'
import { routes } from '../api/routes.ts'
import { openTestApi, type TestApi } from '../api/testing/api.ts'
import { Answer, routeOf } from '../api/http/handler.ts'

const { scanStore, remove } = await startTestStore()
after(remove)

/** A download that never ends by itself. */
const endless = routeOf(
  endpoint({
    id: 'endless',
    method: 'GET',
    path: '/organizations/:orgId/endless',
    role: 'VIEWER',
    scope: 'codes:read',
    tag: 'Documentation',
    summary: 'Endless.',
    params: OrganizationParams,
    takes: 'downloads',
    status: 200,
    produces: ['application/zip'],
  }),
  {
    handle: () => new Answer(new Readable({ read: () => undefined }), { 'content-type': 'application/zip' }),
  },
)

const taking = (kind: string) => routes.filter(({ takes }) => takes === kind).map(({ id }) => id)

type Request = { port: number; path: string; key: string; method?: string; rest?: string }

/**
 * Sends the head of a request, perhaps a part of its body, and keeps the connection open. An answer
 * means that the request was refused, so it is sent again. Returns a function that leaves.
 */
function hold({ port, path, key, method = 'GET', rest = '' }: Request): () => void {
  let isHeld = true
  let socket: Socket | undefined
  const begin = (): void => {
    if (!isHeld) return
    socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write(`${method} /api/v1${path} HTTP/1.1\r\nHost: a\r\nX-Api-Key: ${key}\r\n${rest}\r\n`)
    socket.once('data', () => {
      socket?.destroy()
      setTimeout(begin, 20)
    })
  }
  begin()
  const leave = (): void => {
    isHeld = false
    socket?.destroy()
  }
  after(leave)
  return leave
}

async function listen({ app }: TestApi): Promise<number> {
  await app.listen({ port: 0, host: '127.0.0.1' })
  after(() => app.close())
  return (app.server.address() as AddressInfo).port
}

test('exports, archives, replays and files of many pictures are downloads; imports are uploads', () => {
  assert.deepEqual(taking('downloads').toSorted(), [
    'batchDownloadQrCodes',
    'downloadArchivedIds',
    'exportOrganization',
    'exportOrganizationAnalytics',
    'exportQrCodeAnalytics',
    'printLabelSheet',
    'replayRules',
  ])
  assert.deepEqual(taking('uploads').toSorted(), [
    'previewImport',
    'startArchiveImport',
    'startImport',
    'startMove',
  ])
})

onEitherDatabase('places', (open) => {
  test('429: a key has four downloads and an organization eight, with many keys; others are served', async () => {
    const db = await open()
    const api = await openTestApi(db, { endpoints: [endless] })
    const { app, orgId, foreignOrgId, keys } = api
    const port = await listen(api)
    const get = async (key: string, organizationId = orgId) => {
      const url = `http://127.0.0.1:${port}/api/v1/organizations/${organizationId}/endless`
      return fetch(url, { headers: { 'x-api-key': key }, signal: AbortSignal.timeout(200) }).then(
        async (answer) => ({
          status: answer.status,
          headers: answer.headers,
          body: (await answer.json()) as ErrorBody,
        }),
        () => undefined,
      )
    }
    const path = `/organizations/${orgId}/endless`
    const inUse = [1, 2, 3, 4].map(() => hold({ port, path, key: keys.VIEWER }))
    await until(async () => (await get(keys.VIEWER))?.status === 429)
    const refused = await get(keys.VIEWER)
    assert.equal(refused?.headers.get('retry-after'), '5')
    assert.equal(refused?.body.code, 'RATE_LIMITED')
    assert.match(refused?.body.message ?? '', /^This API key has 4 downloads open/)
    inUse.push(...[1, 2, 3, 4].map(() => hold({ port, path, key: keys.EDITOR })))
    const fresh = await createApiKey(db, orgId, { name: 'Fresh', role: 'ADMIN', origin: someOrigin })
    await until(
      async () => (await get(fresh.value))?.body.message.startsWith('This organization has 8') === true,
    )
    // Without an answer within its time, it is being served.
    assert.equal(await get(keys.foreign, foreignOrgId), undefined)
    // A client that leaves gives its place back.
    inUse[0]?.()
    await until(async () => (await get(keys.VIEWER)) === undefined)
    for (const leave of inUse) leave()
    app.server.closeAllConnections()
  })

  test('a client that leaves while its key is looked up keeps no place', async () => {
    const api = await openTestApi(await open(), { endpoints: [endless] })
    const { app, orgId, keys } = api
    const port = await listen(api)
    const path = `/organizations/${orgId}/endless`
    for (let count = 0; count < 50; count++) {
      const socket = connect(port, '127.0.0.1')
      socket.on('error', () => undefined)
      const head = `GET /api/v1${path} HTTP/1.1\r\nHost: a\r\nX-Api-Key: ${keys.VIEWER}\r\n\r\n`
      await new Promise<unknown>((resolve) => void socket.write(head, resolve))
      socket.resetAndDestroy()
    }
    const url = `http://127.0.0.1:${port}/api/v1${path}`
    const get = async () =>
      fetch(url, { headers: { 'x-api-key': keys.VIEWER }, signal: AbortSignal.timeout(200) }).then(
        ({ status }) => status,
        () => 'served',
      )
    await until(async () => (await get()) === 'served')
    const answers = await Promise.all([get(), get(), get(), get()])
    assert.deepEqual(answers, ['served', 'served', 'served', 'served'])
    app.server.closeAllConnections()
  })

  test('429: a key has four uploads at a time, however slow they are; one that ends makes room', async () => {
    const api = await openTestApi(await open())
    const { app, orgId, keys } = api
    const port = await listen(api)
    const path = `/organizations/${orgId}/qr-codes/bulk-import`
    const rest = 'Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 100000\r\n\r\n--b\r\n'
    const slow = [1, 2, 3, 4].map(() => hold({ port, path, key: keys.EDITOR, method: 'POST', rest }))
    const start = async () => {
      const form = new FormData()
      form.append('type', 'URL')
      form.append('file', new File(['name,url\na,https://example.com/\n'], 'codes.csv', { type: 'text/csv' }))
      const url = `http://127.0.0.1:${port}/api/v1${path}`
      return (await fetch(url, { method: 'POST', headers: { 'x-api-key': keys.EDITOR }, body: form })).status
    }
    await until(async () => (await start()) === 429)
    slow[0]?.()
    await until(async () => (await start()) === 202)
    // Each gives its place back.
    for (let count = 0; count < 10; count++) assert.equal(await start(), 202)
    for (const leave of slow) leave()
    app.server.closeAllConnections()
  })

  test('every kind of download gives its place back, also if it fails or is a HEAD', async () => {
    const db = await open()
    const { call, orgId, keys } = await openTestApi(db)
    const archives = await openTestApi(db, { store: scanStore })
    const archive = [`/organizations/${archives.orgId}/export`, { key: archives.keys.ADMIN }] as const
    const path = `/organizations/${orgId}`
    const payload = { type: 'URL', name: 'Poster', data: { url: 'https://example.com/' } }
    const { id } = (await call('POST', `${path}/qr-codes`, { key: keys.EDITOR, payload })).json<{
      id: string
    }>()
    const sheet = 'avery-l7160'
    const key = keys.ADMIN
    for (let count = 0; count < 6; count++) {
      const answers = [
        await archives.call('GET', ...archive),
        await archives.call('HEAD', ...archive),
        // The scan store is down.
        await call('GET', `${path}/export`, { key }),
        await call('POST', `${path}/qr-codes/batch/download`, { key, payload: { ids: [id] } }),
        await call('POST', `${path}/qr-codes/batch/download`, { key, payload: { ids: ['qr_nothing'] } }),
        await call('POST', `${path}/qr-codes/label-sheets`, { key, payload: { ids: [id], sheet } }),
        await call('GET', `${path}/qr-codes/${id}/analytics/export`, { key }),
      ]
      assert.deepEqual(
        answers.map(({ statusCode }) => statusCode),
        [200, 200, 503, 200, 404, 200, 503],
      )
    }
  })
})

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  for (const endMs = Date.now() + 10_000; !(await isTrue()); await sleep(10))
    if (Date.now() > endMs) throw new Error(`not within 10 s: ${isTrue.toString()}`)
}
