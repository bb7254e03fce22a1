import { endpoint } from '@everscan/contract/endpoints/endpoint.ts'
// A client may break off its request at any time. That is no error of the service.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { Writable } from 'node:stream'
import { after, before, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { Type } from 'typebox'
import { routeOf } from './http/handler.ts'
import { openTableApi } from './testing/api.ts'
import { echo } from './testing/echo.ts'

type Line = { level: number; msg: string; status?: number; err?: unknown }
const slowMs = 100
const lines: Line[] = []
const observed: number[] = []
let app: FastifyInstance
let port: number

before(async () => {
  const log = pino(
    new Writable({
      write: (line, _encoding, done) => {
        lines.push(JSON.parse(String(line)) as Line)
        done()
      },
    }),
  )
  app = openTableApi(
    [
      echo,
      routeOf(
        endpoint({
          id: 'slow',
          method: 'GET',
          path: '/slow',
          role: 'public',
          tag: 'Documentation',
          summary: 'Takes its time.',
          status: 200,
          response: Type.Object({}),
        }),
        {
          handle: () => wait(slowMs, {}),
        },
      ),
    ],
    { log, observe: ({ status }) => observed.push(status) },
  )
  await app.listen({ port: 0, host: '127.0.0.1' })
  port = (app.server.address() as AddressInfo).port
  lines.length = 0
})
after(() => app.close())

const bodyHead = 'POST /api/v1/echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'

for (const [broken, sent] of [
  ['a body of a known length', `${bodyHead}Content-Length: 1000\r\n\r\n{"text":"`],
  ['a body in chunks', `${bodyHead}Transfer-Encoding: chunked\r\n\r\n9\r\n{"text":"\r\n`],
  ['a body of which nothing came', `${bodyHead}Content-Length: 1000\r\n\r\n`],
  ['its wait for the answer', 'GET /api/v1/slow HTTP/1.1\r\nHost: x\r\n\r\n'],
] as const)
  for (const how of ['end', 'reset'] as const)
    test(`499, one line and no error: a client breaks off ${broken} (${how})`, async () => {
      lines.length = 0
      observed.length = 0
      const requested = once(app.server, 'request')
      const socket = connect(port, '127.0.0.1')
      socket.write(sent)
      await requested
      if (how === 'reset') socket.resetAndDestroy()
      else socket.destroy()
      while (lines.length === 0) await wait(5)
      // The slow endpoint also ends meanwhile.
      await wait(2 * slowMs)
      assert.deepEqual(
        lines.map(({ level, msg, status, err }) => ({ level, msg, status, err })),
        [{ level: 30, msg: 'answered', status: 499, err: undefined }],
      )
      assert.deepEqual(observed, [499])
    })

test('an answered request is one line with its own status, although its connection closes', async () => {
  lines.length = 0
  const url = `http://127.0.0.1:${port}/api/v1/echo`
  const headers = { 'content-type': 'application/json', connection: 'close' }
  assert.equal((await fetch(url, { method: 'POST', headers, body: '{"text":"a"}' })).status, 201)
  assert.equal((await fetch(url, { method: 'POST', headers, body: '{"text":' })).status, 400)
  await wait(50)
  assert.deepEqual(
    lines.map(({ status }) => status),
    [201, 400],
  )
})
