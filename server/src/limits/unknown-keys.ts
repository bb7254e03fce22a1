import { problem } from '@everscan/contract/problems/problem.ts'
import { hash } from 'node:crypto'
import { limits } from '@everscan/contract/schema/limits.ts'
import { ApiError } from '../errors.ts'

const windowMs = 60_000
/** Networks and keys in memory, each about 100 bytes. */
const countedMax = 10_000

/**
 * Bounds how many unknown API keys a network can try in a minute, before the catalogue is asked.
 * Beyond the bound, the network's keys that were valid recently still pass: one guesser must not
 * lock out the others behind the same router.
 */
export class UnknownKeys {
  readonly #valid = new Set<string>()
  #tries = new Map<string, number>()
  #window = 0
  /** How many processes count: each allows its part of the tries. */
  readonly #members: () => number

  constructor(members: () => number = () => 1) {
    this.#members = members
  }

  /** Throws ApiError 429 if the network has tried too many, unless this key is a known one. */
  admit(key: string, network: string, nowMs: number): void {
    this.#begin(nowMs)
    const tries = this.#tries.get(network) ?? 0
    if (tries < Math.max(1, Math.floor(limits.unknownKeysPerMinute / this.#members()))) return
    if (this.#valid.has(nameOf(key))) return
    const seconds = Math.ceil(((this.#window + 1) * windowMs - nowMs) / 1000)
    const found = problem('tooManyUnknownKeys', { count: tries, seconds })
    throw new ApiError(429, 'RATE_LIMITED', found, { headers: { 'retry-after': String(seconds) } })
  }

  /** The key does not exist. */
  noteUnknown(network: string, nowMs: number): void {
    this.#begin(nowMs)
    if (this.#tries.size < countedMax || this.#tries.has(network))
      this.#tries.set(network, (this.#tries.get(network) ?? 0) + 1)
  }

  /** The key is valid. */
  noteValid(key: string): void {
    const name = nameOf(key)
    if (this.#valid.has(name)) return
    this.#valid.add(name)
    // A Set keeps insertion order.
    const [oldest] = this.#valid
    if (this.#valid.size > countedMax && oldest !== undefined) this.#valid.delete(oldest)
  }

  #begin(nowMs: number): void {
    const current = Math.floor(nowMs / windowMs)
    if (current === this.#window) return
    this.#window = current
    this.#tries = new Map()
  }
}

/** Keys themselves are not kept in memory. */
function nameOf(key: string): string {
  return hash('sha256', key, 'base64')
}
