import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { TestContext } from 'node:test'
import { createClient, type Client, type ClientSettings } from '../create-client.ts'

export type Received = { method: string; url: string; headers: IncomingMessage['headers']; body: string }
export type Respond = (response: ServerResponse, received: Received, count: number) => void

/** Starts a server with the test's responses, and its client. `received` has all requests. */
export async function startFakeService(
  t: TestContext,
  respond: Respond,
  settings: Partial<ClientSettings> = {},
): Promise<{ client: Client; received: Received[]; baseUrl: string }> {
  const received: Received[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      const one = { method, url, headers, body: Buffer.concat(chunks).toString() }
      received.push(one)
      respond(response, one, received.length)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  const baseUrl = `http://127.0.0.1:${address.port}`
  return { client: createClient({ baseUrl, apiKey: 'evs_test', ...settings }), received, baseUrl }
}

export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

/** Responds with an error body of the service. */
export function failure(
  response: ServerResponse,
  status: number,
  code: string,
  headers: Record<string, string> = {},
): void {
  const body = {
    statusCode: status,
    message: `${code}, said the service.`,
    error: 'Phrase',
    code,
    requestId: 'req_1',
  }
  json(response, status, body, headers)
}
