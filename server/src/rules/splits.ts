import { hash } from 'node:crypto'

/** Divides visitors among the arms of a rule. */
export type Split = (visitorKey: string) => number

/** Creates the split of a rule: returns the index of the arm of a visitor. */
export type CreateSplit = (
  ruleId: string,
  arms: readonly { readonly name: string; readonly weight: number }[],
) => Split

/**
 * Returns a function that creates splits. The key is derived from SECRET. Each arm draws a number
 * for the visitor from an exponential distribution whose rate is its weight, and the smallest
 * number wins (weighted rendezvous hashing). An arm therefore wins by its share of the weights. If
 * one arm's weight changes, visitors move only to it or only from it: exactly as many as its share
 * changes. Between any two sets of weights, no other method without a memory moves fewer visitors
 * in every case (Moulton, Jiang: Maximally Consistent Sampling, 2018).
 */
export function createSplits(splitKey: string): CreateSplit {
  return (ruleId, arms) => {
    const key = hash('sha256', `${splitKey}\0${ruleId}`, 'hex')
    const seeds = arms.map(({ name }) => Buffer.from(hash('sha256', `${key}\0${name}`, 'hex'), 'hex'))
    const rates = arms.map(({ weight }) => weight)
    const high = Uint32Array.from(seeds, (seed) => seed.readUInt32LE(0))
    const low = Uint32Array.from(seeds, (seed) => seed.readUInt32LE(4))
    return (visitorKey) => {
      const drawn = hash('sha256', `${key}${visitorKey}`, 'binary')
      const first = wordOf(drawn, 0)
      const second = wordOf(drawn, 4)
      let best = 0
      let least = Infinity
      for (let arm = 0; arm < rates.length; arm++) {
        const mixed = mix(first ^ (high[arm] as number))
        const draw = -Math.log(fractionOf(mixed, mix(mixed ^ second ^ (low[arm] as number))))
        const time = draw / (rates[arm] as number)
        if (time >= least) continue
        least = time
        best = arm
      }
      return best
    }
  }
}

function wordOf(text: string, at: number): number {
  return (
    text.charCodeAt(at) |
    (text.charCodeAt(at + 1) << 8) |
    (text.charCodeAt(at + 2) << 16) |
    (text.charCodeAt(at + 3) << 24)
  )
}

/** The finalizer of MurmurHash3: each bit of the result depends on each bit of the word. */
function mix(word: number): number {
  let mixed = word
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}

/** Returns a number above 0 and at most 1 from 53 bits. */
function fractionOf(high: number, low: number): number {
  return ((high >>> 0) * 2 ** 21 + (low >>> 11) + 1) / 2 ** 53
}
