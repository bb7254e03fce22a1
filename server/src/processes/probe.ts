import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** Header that asks `/healthz` whether this installation answers, and how the request arrived. */
export const probeHeader = 'X-Everscan-Probe'

/** A request as the process on the public port saw it. */
export type Arrival = {
  /** The address of the connection, which is that of the proxy, if there is one. */
  peer: string
  forwardedFor: string | undefined
  forwardedProto: string | undefined
}

/**
 * The header to send, and the reader of its answer, which returns undefined unless this
 * installation made the answer.
 */
export type ProbeQuestion = { header: string; read: (answer: string | null) => Arrival | undefined }

export type Probe = {
  ask: () => ProbeQuestion
  /** Returns undefined for a question of another installation, which learns nothing. */
  answer: (headers: IncomingHttpHeaders, peer: string) => string | undefined
}

const nonceBytes = 16
const questionCharsMax = 200
const forwardedCharsMax = 500

/**
 * Creates questions and answers that need the visitor key, which is the secret that fronts have.
 * Both are signed with a key derived from it for this purpose alone (HKDF, RFC 5869).
 */
export function createProbe(visitorKey: string): Probe {
  const key = Buffer.from(hkdfSync('sha256', visitorKey, '', 'everscan probe', 32))
  const codeOf = (kind: 'ask' | 'answer', text: string): string =>
    createHmac('sha256', key).update(`${kind} ${text}`).digest('base64url')
  const isCode = (kind: 'ask' | 'answer', text: string, code: string): boolean => {
    const [given, right] = [Buffer.from(code), Buffer.from(codeOf(kind, text))]
    return given.length === right.length && timingSafeEqual(given, right)
  }
  return {
    ask: () => {
      const nonce = randomBytes(nonceBytes).toString('base64url')
      return {
        header: `${nonce}.${codeOf('ask', nonce)}`,
        read: (answer) => {
          const [body = '', code = ''] = answer?.split('.') ?? []
          return isCode('answer', `${nonce} ${body}`, code) ? arrivalOf(body) : undefined
        },
      }
    },
    answer: (headers, peer) => {
      const question = headers['x-everscan-probe']
      if (typeof question !== 'string' || question.length > questionCharsMax) return undefined
      const [nonce = '', code = ''] = question.split('.')
      if (!isCode('ask', nonce, code)) return undefined
      const arrival = {
        peer,
        forwardedFor: textOf(headers['x-forwarded-for']),
        forwardedProto: textOf(headers['x-forwarded-proto']),
      }
      const body = Buffer.from(JSON.stringify(arrival)).toString('base64url')
      return `${body}.${codeOf('answer', `${nonce} ${body}`)}`
    },
  }
}

function textOf(value: string | string[] | undefined): string | undefined {
  return value === undefined ? undefined : String(value).slice(0, forwardedCharsMax)
}

function arrivalOf(body: string): Arrival {
  return JSON.parse(Buffer.from(body, 'base64url').toString()) as Arrival
}
