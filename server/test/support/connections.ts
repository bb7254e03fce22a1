import { once } from 'node:events'
import { connect } from 'node:net'

/**
 * A bare HTTP/1.1 connection that stays open, so that a test sees the result of each request on it.
 */
export type Connection = {
  /** Sends a request, in two pieces if `pause` is given, which it awaits in between. */
  send: (path: string, headers?: Record<string, string>, pause?: Promise<unknown>) => Promise<Answer>
  /** Whether the service closed the connection or announced that it will. */
  isClosed: () => boolean
  destroy: () => void
}

/** Undefined if the connection ended before the response was complete. */
export type Answer = { status: number; body: string } | undefined

export async function openConnection(port: number): Promise<Connection> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  let received = ''
  let closed = false
  let waiting: ((answer: Answer) => void) | undefined

  const answer = (value: Answer): void => {
    waiting?.(value)
    waiting = undefined
  }
  socket.setEncoding('latin1')
  socket.on('data', (chunk: string) => {
    received += chunk
    const complete = takeAnswer(received)
    if (complete === undefined) return
    received = received.slice(complete.length)
    closed ||= complete.closes
    answer({ status: complete.status, body: complete.body })
  })
  for (const event of ['end', 'error', 'close'])
    socket.on(event, () => {
      closed = true
      answer(undefined)
    })

  return {
    send: async (path, headers = {}, pause) => {
      const lines = Object.entries({ host: 'localhost', ...headers }).map(
        ([name, value]) => `${name}: ${value}\r\n`,
      )
      const text = `GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`
      const done = new Promise<Answer>((resolve) => {
        waiting = resolve
      })
      if (pause === undefined) socket.write(text)
      else {
        socket.write(text.slice(0, text.length >> 1))
        await pause
        socket.write(text.slice(text.length >> 1))
      }
      return await done
    },
    isClosed: () => closed,
    destroy: () => socket.destroy(),
  }
}

/** The first response in the received text, once it is complete. */
function takeAnswer(
  text: string,
): { status: number; body: string; closes: boolean; length: number } | undefined {
  const headEnd = text.indexOf('\r\n\r\n') + 4
  if (headEnd < 4) return undefined
  const head = text.slice(0, headEnd)
  const length = headEnd + Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0)
  if (text.length < length) return undefined
  const closes = /\r\nconnection: close\r\n/i.test(head)
  return { status: Number(head.split(' ')[1]), body: text.slice(headEnd, length), closes, length }
}
