import { request, createServer, type IncomingMessage, type ServerResponse } from 'node:http'

/** Faults of a request on its way. `fine` is no fault. */
export type Fault = 'fine' | 'request lost' | 'answer lost' | 'twice' | 'hangs'

/**
 * A socket in front of the store's own. It loses, doubles and holds up requests as a test decides.
 */
export type FaultyNetwork = { readonly socketPath: string; close(): Promise<void> }

/** Starts the network. Calls `faultOf` with the statement of every request. */
export async function startFaultyNetwork(
  storeSocketPath: string,
  faultOf: (statement: string) => Fault,
): Promise<FaultyNetwork> {
  const socketPath = `${storeSocketPath}.faulty`
  const server = createServer((incoming, answer) => {
    void pass(incoming, answer).catch(() => answer.destroy())
  })

  async function pass(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    const statement =
      new URL(incoming.url ?? '/', 'http://store').searchParams.get('query') ?? body.toString()
    const fault = faultOf(statement)
    if (fault === 'hangs') return
    if (fault === 'request lost') return void answer.destroy()
    let got = await forward(incoming, body)
    if (fault === 'twice') got = await forward(incoming, body)
    if (fault === 'answer lost') return void answer.destroy()
    answer.writeHead(got.status, got.headers)
    answer.end(got.body)
  }

  function forward(
    { method, url, headers }: IncomingMessage,
    body: Buffer,
  ): Promise<{ status: number; headers: Record<string, string>; body: Buffer }> {
    return new Promise((resolve, reject) => {
      const length = { 'content-length': String(body.length) }
      const { 'transfer-encoding': _chunked, ...kept } = headers
      const sent = request(
        { socketPath: storeSocketPath, method, path: url, headers: { ...kept, ...length } },
        (got) => {
          const chunks: Buffer[] = []
          got.on('data', (chunk: Buffer) => chunks.push(chunk))
          got.on('end', () => {
            const code = got.headers['x-clickhouse-exception-code']
            const answerHeaders = code === undefined ? {} : { 'x-clickhouse-exception-code': String(code) }
            resolve({ status: got.statusCode ?? 500, headers: answerHeaders, body: Buffer.concat(chunks) })
          })
        },
      )
      sent.on('error', reject)
      sent.end(body)
    })
  }

  await new Promise<void>((resolve) => server.listen(socketPath, resolve))
  return {
    socketPath,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
