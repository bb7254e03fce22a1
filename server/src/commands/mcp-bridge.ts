import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import {
  StreamableHTTPClientTransport,
  StreamableHTTPError,
} from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  isInitializeRequest,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js'
import { errorMessage } from '../errors.ts'
import { release } from '../release.ts'

type BridgeOptions = {
  /** Address of the service. */
  url: string
  apiKey: string
  input: Readable
  output: Writable
  warn: (text: string) => void
  /** Ends the bridge. */
  signal: AbortSignal
}

/** JSON-RPC leaves the codes from -32000 to -32099 to servers. */
const notPassedOn = -32_000

/**
 * Passes messages of MCP between two streams, with one message a line, and `/mcp` of a service.
 * Resolves when the input has ended and its last message is answered. A request that the service
 * does not answer gets an error.
 */
export async function bridgeMcp({ url, apiKey, input, output, warn, signal }: BridgeOptions): Promise<void> {
  const local = new StdioServerTransport(input, output)
  const remote = new StreamableHTTPClientTransport(new URL('/mcp', url), {
    requestInit: { headers: { authorization: `Bearer ${apiKey}`, 'user-agent': `everscan-mcp/${release}` } },
  })
  const passing = new Set<Promise<void>>()
  let initializeId: RequestId | undefined

  const pass = async (message: JSONRPCMessage): Promise<void> => {
    if (isInitializeRequest(message) && isJSONRPCRequest(message)) initializeId = message.id
    try {
      await remote.send(message)
    } catch (error) {
      const problem = `${url} did not answer: ${problemOf(error)}`
      if (!isJSONRPCRequest(message)) return warn(problem)
      const answer = { code: notPassedOn, message: problem }
      await local.send({ jsonrpc: '2.0', id: message.id, error: answer })
    }
  }
  const closed = Promise.withResolvers<void>()
  handle(local, {
    onmessage: (message) => {
      const passed = pass(message).finally(() => passing.delete(passed))
      passing.add(passed)
    },
    onerror: (error) => warn(`a message was not understood: ${errorMessage(error)}`),
    onclose: closed.resolve,
  })
  handle(remote, {
    onmessage: (message) => {
      if (isJSONRPCResultResponse(message) && message.id === initializeId) {
        const { protocolVersion } = message.result
        // Every later request names the version that was agreed on.
        if (typeof protocolVersion === 'string') remote.setProtocolVersion(protocolVersion)
      }
      void local.send(message)
    },
  })
  const ended = Promise.race([once(input, 'end'), once(signal, 'abort'), closed.promise])
  await remote.start()
  await local.start()
  await ended
  if (!signal.aborted) await Promise.all(passing)
  await remote.close()
  await local.close()
}

/** The SDK calls properties of a transport; it has no listeners. */
function handle(
  transport: Transport,
  handlers: Partial<Pick<Transport, 'onmessage' | 'onerror' | 'onclose'>>,
): void {
  Object.assign(transport, handlers)
}

/** The message of the service, if it answered with an error. */
function problemOf(error: unknown): string {
  const text = errorMessage(error)
  if (!(error instanceof StreamableHTTPError)) {
    const { cause } = error as Error
    return cause === undefined ? text : `${text} (${errorMessage(cause)})`
  }
  const body = /\{.*\}/s.exec(text)?.[0]
  try {
    const { message } = JSON.parse(body ?? '') as { message?: unknown }
    return typeof message === 'string' ? message : text
  } catch {
    return text
  }
}
