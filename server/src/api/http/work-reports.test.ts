import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fastify } from 'fastify'
import { reportWork } from './work-reports.ts'

test('work is reported from the end of the file until the answer begins, and not before', async (t) => {
  const app = fastify()
  t.after(() => app.close())
  app.addContentTypeParser('*', (_request, body, done) => {
    body.resume()
    done(null)
  })
  let reported = 0
  app.post('/', async (request, reply) => {
    reportWork(request, reply, 50)
    await once(request.raw, 'end')
    await sleep(400)
    return 'done'
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const sent = httpRequest({ port, method: 'POST', headers: { 'content-type': 'text/x' } })
  sent.on('information', ({ statusCode }) => {
    assert.equal(statusCode, 102)
    reported++
  })
  const answered = once(sent, 'response')
  sent.write('half')
  await sleep(300)
  assert.equal(reported, 0, 'the client is still sending')
  sent.end('half')
  const [answer] = (await answered) as [IncomingMessage]
  assert.equal(answer.statusCode, 200)
  answer.resume()
  await once(answer, 'end')
  assert.ok(reported >= 2, `${reported} reports`)
  const atAnswer = reported
  await sleep(200)
  assert.equal(reported, atAnswer)
})
