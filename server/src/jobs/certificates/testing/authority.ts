import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createTestIssuer } from '../../../scan/testing/certificates.ts'

/** The ways in which the authority of tests misbehaves. */
export type Mood = 'good' | 'limits' | 'hangs' | 'refuses' | 'other name' | 'garbage'

/** Returns whether a name is proved in a way other than http-01. */
export type ProveName = (way: 'tls-alpn-01' | 'dns-01', name: string) => Promise<boolean>

/**
 * Starts an authority (RFC 8555) that proves names by `readChallenge` or `proveName` and does not
 * check signatures. `mood` is how it answers from then on.
 */
export async function startTestAuthority(
  readChallenge: (token: string) => Promise<string | undefined>,
  proveName: ProveName = async () => true,
) {
  const issuer = await createTestIssuer()
  const state = {
    mood: 'good' as Mood,
    lifeMs: 90 * 86_400_000,
    accounts: 0,
    orders: 0,
    /** Ways in which it was asked to prove a name. */
    asked: [] as string[],
  }
  const orders: { name: string; token: string; isProved: boolean; isRefused?: boolean; chain?: string }[] = []
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const send = (status: number, content: unknown, headers: Record<string, string> = {}): void => {
      response.writeHead(status, { 'Replay-Nonce': randomBytes(8).toString('base64url'), ...headers })
      response.end(typeof content === 'string' ? content : JSON.stringify(content))
    }
    const problem = (status: number, type: string, detail: string, headers = {}): void =>
      send(
        status,
        { type: `urn:ietf:params:acme:error:${type}`, detail },
        { 'Content-Type': 'application/problem+json', ...headers },
      )
    const [, path = '', number = '0', way = ''] = (request.url ?? '').split('/')
    const { payload = '' } = body === '' ? {} : (JSON.parse(body) as { payload?: string })
    const asked = payload === '' ? {} : JSON.parse(Buffer.from(payload, 'base64url').toString())
    const order: (typeof orders)[number] = orders[Number(number)] ?? { name: '', token: '', isProved: false }
    const json = { 'Content-Type': 'application/json' }
    const orderBody = {
      status: order.chain !== undefined ? 'valid' : order.isProved ? 'ready' : 'pending',
      identifiers: [{ type: 'dns', value: order.name }],
      authorizations: [`${origin}/authorization/${number}`],
      finalize: `${origin}/finalize/${number}`,
      ...(order.chain !== undefined && { certificate: `${origin}/certificate/${number}` }),
    }
    const challenges = ['http-01', 'tls-alpn-01', 'dns-01'].map((type) => ({
      type,
      url: `${origin}/challenge/${number}/${type}`,
      token: order.token,
      status: order.isProved ? 'valid' : 'pending',
    }))
    switch (path) {
      case 'directory':
        return send(
          200,
          {
            newNonce: `${origin}/nonce`,
            newAccount: `${origin}/account`,
            newOrder: `${origin}/order`,
          },
          json,
        )
      case 'nonce':
        return send(200, '')
      case 'account':
        state.accounts++
        return send(201, { status: 'valid' }, { ...json, Location: `${origin}/accounts/${state.accounts}` })
      case 'order': {
        if (number !== '0' || request.url?.endsWith('/0') === true)
          return send(200, orderBody, { ...json, Location: `${origin}/order/${number}` })
        state.orders++
        if (state.mood === 'hangs') return
        if (state.mood === 'limits')
          return problem(429, 'rateLimited', 'too many orders', { 'Retry-After': '7200' })
        if (state.mood === 'refuses') return problem(403, 'rejectedIdentifier', 'this name is not allowed')
        const [identifier] = asked.identifiers
        orders.push({
          name: identifier.value,
          token: randomBytes(16).toString('base64url'),
          isProved: false,
        })
        const at = orders.length - 1
        return send(
          201,
          {
            ...orderBody,
            status: 'pending',
            identifiers: asked.identifiers,
            authorizations: [`${origin}/authorization/${at}`],
            finalize: `${origin}/finalize/${at}`,
          },
          { ...json, Location: `${origin}/order/${at}` },
        )
      }
      case 'authorization':
        return send(
          200,
          {
            status: order.isProved ? 'valid' : 'pending',
            identifier: { type: 'dns', value: order.name },
            challenges,
          },
          json,
        )
      case 'challenge': {
        if (payload !== '') {
          state.asked.push(way)
          order.isProved =
            way === 'tls-alpn-01' || way === 'dns-01'
              ? await proveName(way, order.name)
              : (await readChallenge(order.token))?.startsWith(order.token) === true
          order.isRefused = !order.isProved
        }
        const challenge = { ...challenges.find(({ type }) => type === way) }
        challenge.status = order.isProved ? 'valid' : 'pending'
        return order.isRefused !== true
          ? send(200, challenge, json)
          : send(200, { ...challenge, status: 'invalid', error: { detail: 'no answer at the path' } }, json)
      }
      case 'finalize': {
        const names = state.mood === 'other name' ? { names: ['other.example.org'] } : {}
        const nowMs = Date.now()
        const times = { fromMs: nowMs, untilMs: nowMs + state.lifeMs, ...names }
        const chain = await issuer.sign(Buffer.from(asked.csr, 'base64url'), times)
        order.chain = state.mood === 'garbage' ? 'no certificate' : chain
        return send(
          200,
          { ...orderBody, status: 'valid', certificate: `${origin}/certificate/${number}` },
          {
            ...json,
            Location: `${origin}/order/${number}`,
          },
        )
      }
      case 'certificate':
        return send(200, order.chain ?? '', { 'Content-Type': 'application/pem-certificate-chain' })
      default:
        return problem(404, 'malformed', 'unknown path')
    }
  }

  return {
    directoryUrl: `${origin}/directory`,
    ca: issuer.ca,
    state,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
