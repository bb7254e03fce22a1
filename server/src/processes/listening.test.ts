import assert from 'node:assert/strict'
import { once } from 'node:events'
import { stat } from 'node:fs'
import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { test } from 'node:test'
import { closeServer, listenPublicly } from './listening.ts'

const connectionsCount = 100

test('a stop accepts the connections that wait in the backlog, and answers their requests', async (t) => {
  const server = createServer((_request, response) => response.end('answered'))
  await listenPublicly(server, { port: 0, host: '127.0.0.1' })
  t.after(() => server.closeAllConnections())
  const { port } = server.address() as AddressInfo

  // The clients connect and send within one turn of the event loop, and the stop comes at its end:
  // the server has seen nothing yet.
  const stopped = Promise.withResolvers<void>()
  const answers = await new Promise<Promise<string>[]>((resolve) =>
    stat('.', () => {
      const asked = Array.from({ length: connectionsCount }, () => ask(port))
      process.nextTick(() => {
        closeServer(server, { drainMs: 10_000 }).then(stopped.resolve, stopped.reject)
        resolve(asked)
      })
    }),
  )
  const complete = (await Promise.all(answers)).filter((answer) => answer.endsWith('answered'))
  assert.equal(complete.length, connectionsCount)
  await stopped.promise
})

async function ask(port: number): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.setEncoding('latin1')
  let received = ''
  socket.on('data', (text: string) => {
    received += text
  })
  // A reset shows as an incomplete answer.
  socket.on('error', () => undefined)
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await once(socket, 'close')
  return received
}
