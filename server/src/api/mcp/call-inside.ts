import type { FastifyInstance } from 'fastify'
import inject, { type InjectOptions, type Response } from 'light-my-request'
import { noteInnerCall, type InnerCall } from '../http/inner-calls.ts'

/**
 * Sends a request to the API without a connection and returns the whole response. Everything is as
 * for a request from outside, except that the gate does not authenticate and count it again. Throws
 * if the client leaves, which ends work on styles.
 */
export async function callInside(
  app: FastifyInstance,
  { signal, ...call }: InnerCall & { signal: AbortSignal },
  options: InjectOptions,
): Promise<Response> {
  signal.throwIfAborted()
  const ended = new AbortController()
  try {
    return await inject((request, response) => {
      noteInnerCall(request, call)
      signal.addEventListener('abort', () => void response.destroy(), { signal: ended.signal })
      app.routing(request, response)
    }, options)
  } finally {
    ended.abort()
  }
}
