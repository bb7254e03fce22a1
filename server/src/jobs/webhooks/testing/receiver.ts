import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Event } from '@everscan/contract/resources/events.ts'

export type ReceivedCall = { path: string; headers: IncomingMessage['headers']; body: string; atMs: number }

/** The reaction of a receiver to a call; undefined: it answers 204. */
export type Behaviour = (call: ReceivedCall, response: ServerResponse, count: number) => void

export type Receiver = {
  url: string
  port: number
  /** Every call whose body arrived whole. */
  calls: ReceivedCall[]
  events: () => Event[]
  behave: (behaviour: Behaviour | undefined) => void
  /** Returns the largest number of calls that were in progress at a time. */
  atOnceMax: () => number
  close: () => Promise<void>
}

/** Starts a receiver of webhooks on this machine. */
export async function startReceiver(behaviour?: Behaviour): Promise<Receiver> {
  const calls: ReceivedCall[] = []
  let behave = behaviour
  let atOnce = 0
  let atOnceMax = 0
  const server = createServer((request, response) => {
    atOnce++
    atOnceMax = Math.max(atOnceMax, atOnce)
    response.once('close', () => atOnce--)
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { url: path = '', headers } = request
      const call = { path, headers, body: Buffer.concat(chunks).toString(), atMs: Date.now() }
      calls.push(call)
      if (behave === undefined) response.writeHead(204).end()
      else behave(call, response, calls.length)
    })
  })
  const port = await listen(server)
  return {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    calls,
    events: () => calls.map(({ body }) => JSON.parse(body) as Event),
    behave: (next) => {
      behave = next
    },
    atOnceMax: () => atOnceMax,
    close: () => closeNow(server),
  }
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

function closeNow(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}
