import assert from 'node:assert/strict'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { test, type TestContext } from 'node:test'
import { endpoint } from '@everscan/contract/endpoints/endpoint.ts'
import { Answer, routeOf, type Route } from '../api/http/handler.ts'
import { streamOf } from './streams.ts'
import { openTableApi } from '../api/testing/api.ts'

const piece = 'x'.repeat(1_000_000)

/** The fate of the pieces of the last response. */
const made = { pieces: 0, ended: false }

test('the pieces are the body, in order', async (t) => {
  const answer = await ask(t, async function* () {
    yield 'a'
    yield ''
    yield 'ü'
  })
  assert.equal(answer.statusCode, 200)
  assert.equal(await text(answer), 'aü')
})

test('a failure before the first piece is an error response', async (t) => {
  const answer = await ask(t, () => failingAfter([]))
  assert.equal(answer.statusCode, 500)
  assert.equal((JSON.parse(await text(answer)) as { code: string }).code, 'INTERNAL_ERROR')
})

test('a later failure breaks the response off, so that no client takes a part for the whole', async (t) => {
  const answer = await ask(t, () => failingAfter(['a']))
  assert.equal(answer.statusCode, 200)
  await assert.rejects(text(answer), { code: 'ECONNRESET' })
})

test('pieces are produced no faster than they are read, and no longer once the client has left', async (t) => {
  const answer = await ask(t, async function* () {
    for (let count = 0; count < 1_000; count++) yield piece
  })
  answer.pause()
  await sleep(300)
  assert.ok(made.pieces < 20, `${made.pieces} pieces for a client that reads nothing`)
  answer.destroy()
  for (let waitedMs = 0; !made.ended && waitedMs < 2_000; waitedMs += 10) await sleep(10)
  assert.ok(made.ended)
  assert.ok(made.pieces < 20)
})

async function* failingAfter(pieces: readonly string[]): AsyncGenerator<string, void, undefined> {
  yield* pieces
  throw new Error('no more')
}

async function ask(
  t: TestContext,
  pieces: () => AsyncGenerator<string, void, undefined>,
): Promise<IncomingMessage> {
  Object.assign(made, { pieces: 0, ended: false })
  async function* counted() {
    try {
      for await (const one of pieces()) {
        made.pieces++
        yield Buffer.from(one)
      }
    } finally {
      made.ended = true
    }
  }
  const table: readonly Route[] = [
    routeOf(
      endpoint({
        id: 'stream',
        method: 'GET',
        path: '/stream',
        role: 'public',
        tag: 'Documentation',
        summary: 'Streams.',
        status: 200,
        produces: ['text/plain'],
      }),
      {
        handle: async () => new Answer(await streamOf(counted()), { 'content-type': 'text/plain' }),
      },
    ),
  ]
  const app = openTableApi(table)
  await app.listen({ host: '127.0.0.1', port: 0 })
  t.after(async () => {
    app.server.closeAllConnections()
    await app.close()
  })
  const { port } = app.server.address() as AddressInfo
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path: '/api/v1/stream' }, resolve).once('error', reject)
  })
}
