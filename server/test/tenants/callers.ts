import assert from 'node:assert/strict'
import { Agent, request, type IncomingHttpHeaders } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { MailReceiver } from '../../src/api/testing/mail-receiver.ts'
import { until, type Service } from '../support/service.ts'

/** PUBLIC_URL's host in this suite: no name of this machine. */
export const publicHost = 'qr.example.net'

export type Answer = { status: number; headers: IncomingHttpHeaders; body: Buffer }

type Request = {
  headers?: Readonly<Record<string, string>>
  payload?: object | Buffer
  /** Host names are ours to choose, so that one machine is all hosts. */
  host?: string
}

const agent = new Agent({ keepAlive: true })

/** Sends a request to the service, under any host name. */
export async function send(
  { port }: Pick<Service, 'port'>,
  method: string,
  path: string,
  { headers = {}, payload, host = publicHost }: Request = {},
): Promise<Answer> {
  const isBytes = Buffer.isBuffer(payload)
  const type = payload === undefined || isBytes ? {} : { 'content-type': 'application/json' }
  const body = payload === undefined || isBytes ? payload : JSON.stringify(payload)
  return new Promise((resolve, reject) => {
    const sent = request(
      { port, agent, method, path, host: '127.0.0.1', headers: { host, ...type, ...headers } },
      (response) => {
        const { statusCode: status = 0, headers: received } = response
        // A stream of events never ends.
        if (received['content-type']?.startsWith('text/event-stream') === true) {
          response.destroy()
          resolve({ status, headers: received, body: Buffer.alloc(0) })
        } else buffer(response).then((bytes) => resolve({ status, headers: received, body: bytes }), reject)
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

/** An account that signed up by itself, with an organization, an ADMIN key and a session. */
export type Stranger = { orgId: string; email: string; key: string; signIn: () => Promise<string> }

const password = 'correct horse battery'

const tokenOf = (text: string): string | undefined => /\/app\/confirm-sign-up#(\S+)/.exec(text)?.[1]

/** Signs somebody up, as anybody can. */
export async function signUp(service: Service, mailbox: MailReceiver, name: string): Promise<Stranger> {
  const email = `${name}@example.com`
  const post = async (path: string, payload: object, headers = {}): Promise<Answer> => {
    const answer = await send(service, 'POST', `/api/v1${path}`, {
      payload,
      headers: { ...fromPage, ...headers },
    })
    assert.ok(answer.status < 300, `${path}: ${answer.body.toString()}`)
    return answer
  }
  await post('/auth/sign-up', { email, name, organizationName: name })
  const mail = () => mailbox.mails.find(({ to, text }) => to === email && tokenOf(text) !== undefined)
  await until(`a mail to ${email}`, () => mail() !== undefined)
  await post('/auth/sign-up/confirm', { token: tokenOf(mail()?.text ?? ''), password })
  const signIn = async (): Promise<string> => {
    const { headers } = await post('/auth/sign-in', { email, password })
    return String(headers['set-cookie']?.[0]).replace(/;.*$/s, '')
  }
  const cookie = await signIn()
  const mine = await send(service, 'GET', '/api/v1/users/me/organizations', { headers: { cookie } })
  const { organizations } = JSON.parse(mine.body.toString()) as { organizations: { id: string }[] }
  const orgId = organizations[0]?.id ?? assert.fail('no organization')
  const made = await post(
    `/organizations/${orgId}/api-keys`,
    { name: 'Everything', role: 'ADMIN' },
    { cookie },
  )
  const { key } = JSON.parse(made.body.toString()) as { key: string }
  return { orgId, email, key, signIn }
}

/** The headers that a page of the service sends with each request. */
export const fromPage = { origin: `http://${publicHost}` }
