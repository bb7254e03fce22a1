import type { StoredDay } from '../insert/stored-scans.ts'
import { milliseconds64, readBlocks, repeatedStrings } from './native-blocks.ts'

const dayMs = 86_400_000

/** Counts the hits of copied scans by writer and day (UTC, days since 1970). */
export class CopiedDays {
  readonly #hits = new Map<string, Map<number, number>>()

  /** Adds a piece of `copyScans`. */
  add(native: Buffer): void {
    for (const { rows, columns } of readBlocks(native)) {
      const [writer, time] = ['writer', 'time'].map((name) => columns.find((one) => one.name === name))
      if (rows === 0 || writer === undefined || time === undefined) continue
      const { values, placeOf } = repeatedStrings(native, writer)
      const timeMs = milliseconds64(native, time)
      const ofPlace = values.map((name) => this.#ofWriter(name))
      for (let row = 0; row < rows; row++) {
        const hits = ofPlace[placeOf(row)]
        const day = Math.floor(timeMs(row) / dayMs)
        hits?.set(day, (hits.get(day) ?? 0) + 1)
      }
    }
  }

  rows(): StoredDay[] {
    return [...this.#hits].flatMap(([writer, days]) =>
      [...days].map(([day, hits]) => ({ writer, day, hits })),
    )
  }

  #ofWriter(name: string): Map<number, number> {
    const known = this.#hits.get(name) ?? new Map<number, number>()
    this.#hits.set(name, known)
    return known
  }
}
