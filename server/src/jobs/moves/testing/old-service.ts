import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type OldAnswer = { status: number; headers?: Readonly<Record<string, string>> }

export type OldService = {
  url: string
  /** Each request as `METHOD /path`. */
  asked: string[]
  /** The largest number of requests that were in progress at a time. */
  atOnceMax: () => number
  close: () => Promise<void>
}

/** Starts a service of short URLs on this machine. */
export async function startOldService(
  answerTo: (path: string, method: string, count: number) => OldAnswer,
): Promise<OldService> {
  const asked: string[] = []
  let atOnce = 0
  let most = 0
  const server = createServer(({ method = '', url = '' }, response) => {
    most = Math.max(most, ++atOnce)
    response.once('close', () => atOnce--)
    asked.push(`${method} ${url}`)
    const { status, headers = {} } = answerTo(url, method, asked.length)
    response.writeHead(status, headers).end(method === 'HEAD' ? undefined : 'x'.repeat(100_000))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    atOnceMax: () => most,
    close: async () => {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
