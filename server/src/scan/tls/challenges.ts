import { problem } from '@everscan/contract/problems/problem.ts'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { frontError } from '../front-errors.ts'

/** Answers a challenge of an authority, or returns false for every other request. */
export type AnswerChallenge = (request: IncomingMessage, response: ServerResponse) => boolean

/** RFC 8555, 8.3. A token has only characters of base64url. */
const challengePath = '/.well-known/acme-challenge/'
const tokenForm = /^[\w-]{1,200}$/

/** Creates the answer to challenges of http-01, on every host. `read` returns that of a token. */
export function createChallengeAnswer(read: (token: string) => Promise<string | undefined>): AnswerChallenge {
  return (request, response) => {
    const { url = '' } = request
    if (!url.startsWith(challengePath)) return false
    const token = url.slice(challengePath.length)
    void answer(request, response, tokenForm.test(token) ? read(token) : Promise.resolve(undefined))
    return true
  }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  reading: Promise<string | undefined>,
): Promise<void> {
  request.resume()
  let text: string | undefined
  try {
    text = await reading
  } catch {
    return void response.destroy()
  }
  if (text === undefined) {
    const { headers, body } = frontError(404, 'NOT_FOUND', problem('noSuchChallenge'))
    response.writeHead(404, headers)
    return void response.end(body)
  }
  const length = String(Buffer.byteLength(text))
  response.writeHead(200, ['Content-Type', 'application/octet-stream', 'Content-Length', length])
  response.end(text)
}
