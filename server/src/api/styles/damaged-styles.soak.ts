// The share of damaged pictures of accepted styles that each reader reads, by damage: 600 styles in
// five formats with thirteen damages. `STYLES=50` takes fewer styles, `SEED=…` others.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasZbar } from '@everscan/qr/testing/readers.ts'
import { damageNames } from '@everscan/qr/testing/damages.ts'
import { seed } from '@everscan/qr/testing/pictures.ts'
import { acceptedStyle } from '../testing/accepted-style.ts'
import { readDamaged, type DamagedReading } from '../testing/damaged-pictures.ts'
import { sampleStyles } from '../testing/random-styles.ts'

const count = Number(process.env['STYLES'] ?? 600)
const formats = ['png', 'svg', 'pdf', 'jpeg', 'webp'] as const
const modulePxs = [3, 4, 5, 6, 8]
const withZbar = hasZbar()

test('accepted styles are read with damages', { timeout: 6 * 3_600_000 }, async () => {
  const shares = new Shares()
  let accepted = 0
  let tried = 0
  for await (const sample of sampleStyles({ seed, count: 4 * count })) {
    if (accepted === count) break
    tried++
    const style = await acceptedStyle(sample)
    if (style === undefined) continue
    accepted++
    for (const [at, format] of formats.entries()) {
      const modulePx = modulePxs[(accepted + at) % modulePxs.length] ?? 5
      // A process for each format would take most of the time.
      const zbar = withZbar && at === accepted % formats.length
      shares.add(await readDamaged({ sample, style, format, modulePx, withZbar: zbar }))
    }
  }
  console.log(`${accepted} of ${tried} random styles were accepted`)
  console.log(shares.table())
  assert.equal(accepted, count)
  for (const [reader, least] of [
    ['zxing', 0.99],
    ['qr', 0.97],
  ] as const)
    assert.ok(shares.of(reader, 'none') >= least, `${reader} reads ${shares.of(reader, 'none')} undamaged`)
})

/** Counts of readings by reader and damage. */
class Shares {
  readonly #counts = new Map<string, { read: number; of: number }>()

  add(readings: readonly DamagedReading[]): void {
    for (const { reader, damage, isRead } of readings)
      for (const key of [`${reader} ${damage}`, `${reader} all`]) {
        const { read, of } = this.#counts.get(key) ?? { read: 0, of: 0 }
        this.#counts.set(key, { read: read + (isRead ? 1 : 0), of: of + 1 })
      }
  }

  /** The share that a reader read, 0 to 1. NaN for a reader without readings. */
  of(reader: string, damage: string): number {
    const { read, of } = this.#counts.get(`${reader} ${damage}`) ?? { read: 0, of: 0 }
    return read / of
  }

  /** A line for each damage and a column for each reader, in percent. */
  table(): string {
    const names = [...new Set([...this.#counts.keys()].map((key) => key.split(' ')[0] ?? ''))]
    const lines = [...damageNames, 'all'].map((damage) =>
      [
        damage.padEnd(8),
        ...names.map((name) => `${(100 * this.of(name, damage)).toFixed(1)} %`.padStart(9)),
      ].join(''),
    )
    return [`${' '.repeat(8)}${names.map((name) => name.padStart(9)).join('')}`, ...lines].join('\n')
  }
}
