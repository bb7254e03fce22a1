import type { ScanRow } from '../../insert/scan-row.ts'

/** The columns of a segment that are texts, in the order of the file. */
export const texts = [
  'organizationId',
  'qrCodeId',
  'shortCode',
  'domain',
  'rule',
  'arm',
  'writer',
  'class',
  'botReason',
  'country',
  'city',
  'region',
  'deviceType',
  'os',
  'browser',
  'referrer',
  'language',
] as const satisfies readonly (keyof ScanRow)[]

type TextColumn = (typeof texts)[number]

/** A text column as the numbers of its values, and the values in the order of their numbers. */
export class NumberedTexts {
  readonly values = new Map<string, number>()
  readonly numbers: Uint32Array

  constructor(rowsMax: number) {
    this.numbers = new Uint32Array(rowsMax)
  }

  add(row: number, value: string): void {
    let number = this.values.get(value)
    if (number === undefined) this.values.set(value, (number = this.values.size))
    this.numbers[row] = number
  }

  /** Returns the place of each value in the order of all values, by its number. */
  ranks(): Uint32Array {
    const values = [...this.values.keys()]
    const ranks = new Uint32Array(values.length)
    const ordered = values.map((_, number) => number)
    ordered.sort((a, b) => ((values[a] ?? '') < (values[b] ?? '') ? -1 : 1))
    for (const [rank, number] of ordered.entries()) ranks[number] = rank
    return ranks
  }
}

/** Rows on their way into a segment, as columns from the start. */
export class SegmentBlock {
  readonly texts: Readonly<Record<TextColumn, NumberedTexts>>
  readonly timeMs: Float64Array
  readonly sequence: BigUint64Array
  readonly visitor: Buffer
  readonly latitude: Float32Array
  readonly longitude: Float32Array
  readonly isUnique: Uint8Array
  #rows = 0

  constructor(rowsMax: number) {
    this.texts = Object.fromEntries(texts.map((name) => [name, new NumberedTexts(rowsMax)])) as Record<
      TextColumn,
      NumberedTexts
    >
    this.timeMs = new Float64Array(rowsMax)
    this.sequence = new BigUint64Array(rowsMax)
    this.visitor = Buffer.alloc(rowsMax * 16)
    this.latitude = new Float32Array(rowsMax)
    this.longitude = new Float32Array(rowsMax)
    this.isUnique = new Uint8Array(rowsMax)
  }

  get rows(): number {
    return this.#rows
  }

  add(row: ScanRow, isUnique: boolean): void {
    const at = this.#rows++
    for (const name of texts) this.texts[name].add(at, row[name])
    this.timeMs[at] = row.timeMs
    this.sequence[at] = BigInt(row.sequence)
    this.visitor.write(row.visitor, at * 16, 'hex')
    this.latitude[at] = row.latitude ?? Number.NaN
    this.longitude[at] = row.longitude ?? Number.NaN
    this.isUnique[at] = Number(isUnique)
  }

  /** Returns the rows by organization, code, time, writer and sequence. */
  order(): Uint32Array {
    const { timeMs, sequence } = this
    const [organizations, codes, writers] = (['organizationId', 'qrCodeId', 'writer'] as const).map(
      (name) => {
        const ranks = this.texts[name].ranks()
        const { numbers } = this.texts[name]
        return (row: number) => ranks[numbers[row] ?? 0] ?? 0
      },
    ) as [RankOf, RankOf, RankOf]
    const order = Uint32Array.from({ length: this.#rows }, (_, row) => row)
    return order.sort(
      (a, b) =>
        organizations(a) - organizations(b) ||
        codes(a) - codes(b) ||
        (timeMs[a] ?? 0) - (timeMs[b] ?? 0) ||
        writers(a) - writers(b) ||
        Number((sequence[a] ?? 0n) - (sequence[b] ?? 0n)),
    )
  }
}

type RankOf = (row: number) => number
