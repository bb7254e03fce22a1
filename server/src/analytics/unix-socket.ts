import { chmod, rm } from 'node:fs/promises'
import { connect, type Server } from 'node:net'

/**
 * Has a server listen on a socket that only this user may open. Throws if another process answers
 * there.
 */
export async function listenOnUnixSocket(server: Server, socketPath: string): Promise<void> {
  await freeSocket(socketPath)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(socketPath, resolve)
  })
  await chmod(socketPath, 0o600)
}

/** Removes the socket file of a killed engine. Throws if another process answers on it. */
async function freeSocket(socketPath: string): Promise<void> {
  const answered = await new Promise<boolean>((resolve) => {
    const socket = connect(socketPath)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
  if (answered) throw new Error(`another scan store answers on ${socketPath}`)
  await rm(socketPath, { force: true })
}
