import assert from 'node:assert/strict'
import { once } from 'node:events'
import { stat } from 'node:fs'
import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { test } from 'node:test'
import { closeServer, listenPublicly } from './listening.ts'

const connectionsCount = 100

test('a stop takes the connections that the system holds, and answers what was asked on them', async (t) => {
  const server = createServer((_request, response) => response.end('answered'))
  await listenPublicly(server, { port: 0, host: '127.0.0.1' })
  t.after(() => server.closeAllConnections())
  const { port } = server.address() as AddressInfo

  // Connected and asked within one turn of the event loop, at whose end the stop comes: nothing of it was seen yet.
  const stopped = Promise.withResolvers<void>()
  const answers = await new Promise<Promise<string>[]>((resolve) =>
    stat('.', () => {
      const asked = Array.from({ length: connectionsCount }, () => ask(port))
      process.nextTick(() => {
        closeServer(server, 10_000).then(stopped.resolve, stopped.reject)
        resolve(asked)
      })
    }),
  )
  const whole = (await Promise.all(answers)).filter((answer) => answer.endsWith('answered'))
  assert.equal(whole.length, connectionsCount)
  await stopped.promise
})

async function ask(port: number): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.setEncoding('latin1')
  let received = ''
  socket.on('data', (text: string) => {
    received += text
  })
  // A reset shows as an answer that is not whole.
  socket.on('error', () => undefined)
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await once(socket, 'close')
  return received
}
