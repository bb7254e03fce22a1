import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { listenOnUnixSocket } from '../../unix-socket.ts'

/** How the engine is, as the process that starts it sees it. */
export type EngineState = 'awake' | 'asleep' | 'starting' | 'down'

/** `wake` is answered when the engine is awake, or cannot be. */
export type EngineQuestion = 'state' | 'wake'

/** One byte, so that a question arrives as a whole. */
const questionOf: Readonly<Record<string, EngineQuestion>> = { s: 'state', w: 'wake' }

/** An engine that is about to sleep has left its socket, and nobody knows yet. */
const againMs = 20

/**
 * Answers callers who find nobody on the socket of the engine, on a socket beside it. The server
 * keeps no process alive.
 */
export async function serveWaking(
  engineSocket: string,
  answer: (question: EngineQuestion) => Promise<EngineState>,
): Promise<{ close: () => void }> {
  const server = createServer((socket) => {
    // A caller may leave before the answer.
    socket.on('error', () => socket.destroy())
    socket.once('data', (bytes) => {
      void answer(questionOf[bytes.toString('latin1', 0, 1)] ?? 'state').then((state) => socket.end(state))
    })
  })
  server.unref()
  await listenOnUnixSocket(server, wakingSocket(engineSocket))
  return { close: () => void server.close() }
}

/** Asks for the engine of a socket. It is down if nobody answers. */
export async function askForEngine(engineSocket: string, question: EngineQuestion): Promise<EngineState> {
  try {
    const socket = await connected(wakingSocket(engineSocket))
    socket.write(question.slice(0, 1))
    const chunks = (await socket.setEncoding('latin1').toArray()) as string[]
    return (chunks.join('') || 'down') as EngineState
  } catch {
    return 'down'
  }
}

/**
 * Connects to the engine, which is started first if it sleeps. Throws errors of the connection if
 * it cannot be, or after the signal.
 */
export async function connectAwake(engineSocket: string, signal: AbortSignal): Promise<Socket> {
  for (let pauseMs = 0; ; pauseMs = againMs) {
    try {
      return await connected(engineSocket)
    } catch (error) {
      if (pauseMs > 0) await sleep(pauseMs)
      if (signal.aborted || (await askForEngine(engineSocket, 'wake')) === 'down') throw error
    }
  }
}

/** Throws errors of the connection. */
export async function connected(path: string): Promise<Socket> {
  const socket = connect(path)
  await once(socket, 'connect')
  return socket
}

/** Its name is shorter than that of the engine's: paths of sockets have few bytes. */
function wakingSocket(engineSocket: string): string {
  return join(dirname(engineSocket), 'wake.sock')
}
