import { hash as digest } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { limits } from '@everscan/contract/schema/limits.ts'
import type { Refusal } from '@everscan/pages/access-pages.ts'
import { networkOf } from '../../address-networks.ts'
import type { PasswordQuestion, TurnAnswer } from '../../turns/code-password-turns.ts'
import type { TryOutcome } from '../../turns/code-brake.ts'
import type { CodeGuard } from './guarded-code.ts'
import type { RightAnswers } from './right-answers.ts'

/** Bounds the checks of passwords of a machine. */
export type PasswordGate = {
  /** After `go`, the returned function must be called once. */
  begin: (question: PasswordQuestion) => Promise<BegunTurn>
  verify: (password: string, hash: string) => Promise<boolean>
  right: RightAnswers
}

export type BegunTurn = TurnAnswer & { end: (outcome: TryOutcome) => void }

/** The message of the form; none at first. */
export type FormOutcome = { refusal?: Refusal | undefined; retryAfterSeconds?: number | undefined }

const formType = 'application/x-www-form-urlencoded'

/** The form of a password: asked for with GET or HEAD, sent with POST. */
export class PasswordForm {
  readonly #gate: PasswordGate
  readonly #request: IncomingMessage
  readonly #address: string

  constructor(gate: PasswordGate, { request, address }: { request: IncomingMessage; address: string }) {
    this.#gate = gate
    this.#request = request
    this.#address = address
  }

  /** Returns `right`, or what the form says. The password itself goes nowhere else. */
  async check({ organizationId, qrCodeId }: CodeGuard, hash: string): Promise<'right' | FormOutcome> {
    if (this.#request.method !== 'POST') return {}
    const { password, isLarge } = await this.#read()
    if (isLarge === true) return { refusal: 'large' }
    // A form without a password is asked again, and is no try.
    if (password === undefined || password === '') return { refusal: 'wrong' }
    const { right } = this.#gate
    const turn = await this.#gate.begin({
      organizationId,
      qrCodeId,
      version: digest('sha256', hash, 'base64url').slice(0, 16),
      network: networkOf(this.#address),
      isFree: right.knows(hash),
    })
    if (turn.kind === 'limited') return { refusal: 'limited', retryAfterSeconds: turn.retryAfterSeconds }
    if (turn.kind === 'busy') return { refusal: 'busy', retryAfterSeconds: 2 }
    let isRight = false
    try {
      // Another one may have been right while this one waited.
      isRight = right.check(password, hash) ?? (await this.#gate.verify(password, hash))
      if (isRight) right.add(password, hash)
    } finally {
      turn.end(isRight ? 'right' : 'wrong')
    }
    return isRight ? 'right' : { refusal: 'wrong' }
  }

  #read(): Promise<{ password?: string | undefined; isLarge?: true }> {
    const request = this.#request
    const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase()
    const pieces: Buffer[] = []
    let bytes = 0
    return new Promise((resolve, reject) => {
      request.on('data', (piece: Buffer) => {
        bytes += piece.length
        // The rest is read and dropped, so that the answer arrives; the front bounds the time.
        if (bytes > limits.accessFormBytesMax) resolve({ isLarge: true })
        else pieces.push(piece)
      })
      request.once('end', () => {
        if (type !== formType) return resolve({})
        const fields = new URLSearchParams(Buffer.concat(pieces).toString())
        resolve({ password: fields.get('password') ?? undefined })
      })
      request.once('close', () => reject(new Error('the client went away')))
    })
  }
}
