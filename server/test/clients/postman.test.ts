// Sends every request of the Postman collection, in its order, as Postman does: with its variables,
// its example bodies and its scripts.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { runInNewContext } from 'node:vm'
import { startService, type Service } from '../support/service.ts'

type Pair = { key: string; value: string; disabled?: true; type?: string }
type Item = {
  name: string
  event?: { script: { exec: string[] } }[]
  request: {
    method: string
    header: Pair[]
    url: { raw: string; path: string[]; query?: Pair[]; variable: Pair[] }
    body?: { mode: 'raw'; raw: string } | { mode: 'formdata'; formdata: Pair[] }
  }
}
/** An assertion of a script. */
type Check = { title: string; holds: boolean }
type Collection = { auth: { apikey: Pair[] }; variable: Pair[]; item: { name: string; item: Item[] }[] }

const docs = join(import.meta.dirname, '..', '..', '..', 'docs')
const read = (name: string): unknown => JSON.parse(readFileSync(join(docs, name), 'utf8'))
const collection = read('postman/everscan.postman_collection.json') as Collection
const { paths } = read('openapi.json') as {
  paths: Record<string, Record<string, { security?: object[]; operationId: string }>>
}

/** `POST /api/v1/organizations/:orgId/qr-codes` */
const addressOf = ({ request: { method, url } }: Item): string => `${method} /${url.path.join('/')}`

describe('the Postman collection', { concurrency: 1 }, () => {
  let service: Service
  let receiver: Server
  const variables = new Map(collection.variable.map(({ key, value }) => [key, value]))
  before(async () => {
    service = await startService({ WEBHOOK_ALLOW_PRIVATE: 'true' })
    receiver = createServer((_, response) => response.writeHead(204).end())
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    variables.set('baseUrl', service.baseUrl)
    variables.set('apiKey', service.apiKey)
  })
  after(async () => {
    await service.remove()
    receiver.close()
  })
  const filled = (text: string): string =>
    text.replaceAll(/\{\{(\w+)\}\}/g, (_, name) => variables.get(name) ?? `no ${name}`)

  const send = async ({ event, request }: Item): Promise<{ response: Response; checks: Check[] }> => {
    const { method, header, url, body } = request
    const ids = new Map(url.variable.map(({ key, value }) => [`:${key}`, encodeURIComponent(filled(value))]))
    const address = new URL(url.path.map((part) => ids.get(part) ?? part).join('/'), `${service.baseUrl}/`)
    for (const { key, value, disabled } of url.query ?? [])
      if (!disabled) address.searchParams.append(key, filled(value))
    const { key: name = '', value: key = '' } = Object.fromEntries(
      collection.auth.apikey.map((one) => [one.key, one.value]),
    )
    const headers = new Headers([[name, filled(key)]])
    for (const one of header) if (!one.disabled) headers.set(one.key, one.value)
    const { port } = receiver.address() as AddressInfo
    const raw =
      body?.mode === 'raw'
        ? filled(body.raw).replace('https://example.com/hooks', `http://127.0.0.1:${port}`)
        : undefined
    const sent = body?.mode === 'formdata' ? formOf(body.formdata) : raw
    const response = await fetch(address, { method, headers, ...(sent !== undefined && { body: sent }) })
    const answer = response.headers.get('content-type')?.includes('json')
      ? await response.clone().json()
      : undefined
    const checks: Check[] = []
    const pm = {
      test: (title: string, check: () => boolean) => checks.push({ title, holds: check() }),
      expect: (value: unknown) => ({ to: { be: { oneOf: (list: unknown[]) => list.includes(value) } } }),
      response: { code: response.status, json: () => answer },
      collectionVariables: { set: (variable: string, value: string) => variables.set(variable, value) },
    }
    for (const { script } of event ?? []) runInNewContext(script.exec.join('\n'), { pm })
    return { response, checks }
  }

  test('it has every operation that accepts an API key, but the live stream', () => {
    const expected = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { security = [], operationId }]) =>
        security.some((one) => 'apiKey' in one) && operationId !== 'streamEvents'
          ? [`${method.toUpperCase()} /api/v1${path.replaceAll(/\{(\w+)\}/g, ':$1')}`]
          : [],
      ),
    )
    const items = collection.item.flatMap(({ item }) => item)
    assert.deepEqual(items.map(addressOf).sort(), expected.sort())
    for (const { request } of items)
      assert.ok(request.url.raw.startsWith(`{{baseUrl}}/${request.url.path.join('/')}`))
  })

  test('variables that are used exist, and the key is not shown', () => {
    const used = [...JSON.stringify(collection).matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name)
    assert.deepEqual(
      [...new Set(used)].filter((name) => !variables.has(name)),
      [],
    )
    assert.equal(collection.variable.find(({ key }) => key === 'apiKey')?.type, 'secret')
  })

  for (const folder of collection.item)
    test(`${folder.name}: every request answers as its script says, in its order`, async () => {
      for (const item of folder.item) {
        const { response, checks } = await send(item)
        const told = `${addressOf(item)}: ${response.status} ${await response.text()}`
        assert.deepEqual(
          checks.map(({ holds }) => holds),
          [true],
          told,
        )
      }
    })

  test('a parameter that is switched on is accepted with its example', async () => {
    const items = collection.item.flatMap(({ item }) => item)
    const creating = items.find((one) => addressOf(one) === 'POST /api/v1/organizations/:orgId/qr-codes')
    assert.ok(creating && (await send(creating)).response.ok)
    for (const item of items) {
      const query = item.request.url.query ?? []
      if (item.request.method !== 'GET' || query.length === 0) continue
      for (const one of query) {
        // Dots per inch have a meaning only with a printed size.
        const together = query.filter(({ key }) => key === one.key || (one.key === 'dpi' && key === 'sizeMm'))
        const pairs = together.map(({ key, value }) => ({ key, value }))
        // Color spaces, bleed and crop marks are those of a print.
        if (['colorSpace', 'bleed', 'cropMarks'].includes(one.key))
          pairs.push({ key: 'format', value: 'pdf' })
        const url = { ...item.request.url, query: pairs }
        const { response } = await send({ ...item, request: { ...item.request, url } })
        const { status } = response
        assert.ok(
          status < 300 || status === 404,
          `${addressOf(item)} ${one.key}=${one.value}: ${status} ${await response.text()}`,
        )
      }
    }
  })
})

/** The file that a person chooses comes from here. */
function formOf(fields: readonly Pair[]): FormData {
  const form = new FormData()
  const isMove = fields.some(({ key }) => key === 'source')
  const file = isMove
    ? 'Link,Long URL\nMoved,https://example.com/\n'
    : 'name,url\nGood,https://example.com/\n'
  for (const { key, value, type, disabled } of fields) {
    if (disabled) continue
    if (type === 'file') form.append(key, new Blob([file]), 'codes.csv')
    else form.append(key, value)
  }
  return form
}
