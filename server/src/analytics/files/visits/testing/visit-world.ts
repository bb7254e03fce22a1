import assert from 'node:assert/strict'
import { pick, type Random } from '@everscan/contract/testing/random.ts'
import type { ScanRow } from '../../../insert/scan-row.ts'
import { isClosedOwner } from '../../../store/closed-owner.ts'
import { nobody } from '../../../store/first-scans.ts'
import { SegmentBlock } from '../../segment-block.ts'
import { coverageOf, joinStretches, type Stretch } from '../../stretches.ts'
import type { FirstVisit, StoredVisits, VisitIndex } from '../visit-index.ts'

const months = [202602, 202603]

/** A scan as the store has it. */
export type WorldScan = { row: ScanRow; month: number; isUnique: boolean }

/** The stored scans, and the plain judge of what an index says of them. */
export class VisitWorld {
  scans: WorldScan[] = []
  covered: Stretch[] = []
  version = 0
  /** Unique scans of stored ones that an index has read. */
  readVisits = 0
  readonly #next = new Map<string, number>()

  /** Returns the scan that is the first one of each visitor of a code. */
  firsts(): Map<string, WorldScan> {
    return new Map(this.scans.filter(({ isUnique }) => isUnique).map((scan) => [visitorOf(scan.row), scan]))
  }

  stored(): StoredVisits {
    return {
      covered: this.covered,
      marksVersion: `${this.version}`,
      read: (stretches) => this.#read(stretches),
    }
  }

  /** Returns scans of a writer that were never stored, in the order of their sequences. */
  newScans(
    random: Random,
    { writer, rows, visitors }: { writer: string; rows: number; visitors: number },
  ): WorldScan[] {
    const first = this.#next.get(writer) ?? 1
    this.#next.set(writer, first + rows)
    return Array.from({ length: rows }, (_, at) => ({
      month: pick(random, months),
      isUnique: false,
      row: {
        ...plainRow,
        organizationId: pick(random, ['org_1', 'org_1', 'org_2', 'org_1-closed']),
        qrCodeId: pick(random, ['qr_1', 'qr_2']),
        writer,
        sequence: first + at,
        visitor: random() < 0.05 ? nobody : visitorNumber(Math.floor(random() * visitors)),
        class: random() < 0.1 ? 'bot' : 'human',
      },
    }))
  }

  /** Gives scans the marks that they must get. */
  judge(scans: readonly WorldScan[]): WorldScan[] {
    const firsts = this.firsts()
    return scans.map(({ row, month }) => {
      const isCounted = row.class === 'human' && !isClosedOwner(row.organizationId) && row.visitor !== nobody
      const first = firsts.get(visitorOf(row))?.row
      const isSame = first === undefined || (first.writer === row.writer && first.sequence === row.sequence)
      const scan = { row, month, isUnique: isCounted && isSame }
      if (scan.isUnique) firsts.set(visitorOf(row), scan)
      return scan
    })
  }

  /** Stores scans, unless they are. */
  add(scans: readonly WorldScan[]): Stretch[] {
    const has = coverageOf(this.covered)
    const stretches = [...Map.groupBy(scans, ({ row, month }) => `${row.writer} ${month}`).values()].flatMap(
      ([first]) => (first === undefined ? [] : [this.#stretchOf(scans, first)]),
    )
    this.scans.push(
      ...scans.filter(
        ({ month, row: { writer, sequence } }) => !has({ month, writer, sequence: Number(sequence) }),
      ),
    )
    this.covered = joinStretches([...this.covered, ...stretches])
    return joinStretches(stretches)
  }

  /** Deletes the first of the stored scans, and gives their marks to the next ones. */
  deleteFirst(count: number): (FirstVisit | { organizationId: string; qrCodeId: string; visitor: string })[] {
    const deleted = this.scans.splice(0, count)
    this.version++
    return deleted
      .filter(({ isUnique }) => isUnique)
      .map(({ row: { organizationId, qrCodeId, visitor } }) => {
        const next = this.scans.find(
          ({ row }) =>
            row.class === 'human' && visitorOf(row) === visitorOf({ organizationId, qrCodeId, visitor }),
        )
        if (next === undefined) return { organizationId, qrCodeId, visitor }
        next.isUnique = true
        return next.row
      })
  }

  /** Puts back the store that had only the first of the scans: their journals are read again. */
  putBack(count: number): void {
    this.scans = this.scans.slice(0, count)
    this.covered = []
    this.add(this.scans.splice(0))
    this.version++
  }

  /** Asserts that an index gives each mark again, and no other scan of these visitors one. */
  async check(index: VisitIndex, context: string): Promise<void> {
    const firsts = [...this.firsts().values()]
    const others = firsts.map((scan, at) => ({
      ...scan,
      row: { ...scan.row, writer: 'other', sequence: at + 1 },
    }))
    for (const [scans, expected] of [
      [firsts, 1],
      [others, 0],
    ] as const) {
      const blocks = blocksOf(scans)
      const mark = (): Promise<boolean> => index.storeBatch(blocks, () => Promise.resolve([]))
      // Damage of an open file is found when it is read: all is then made again.
      if (!(await mark())) {
        await index.catchUp(this.stored())
        assert.ok(await mark(), context)
      }
      for (const block of blocks)
        assert.deepEqual(
          [...block.isUnique],
          Array.from({ length: block.rows }, () => expected),
          context,
        )
    }
  }

  /** A writer's scans come without gaps: between two of a batch are only those of other months. */
  #stretchOf(scans: readonly WorldScan[], { month, row: { writer } }: WorldScan): Stretch {
    const sequences = scans.filter(({ row }) => row.writer === writer).map(({ row }) => Number(row.sequence))
    return { month, writer, from: Math.min(...sequences) - 1, to: Math.max(...sequences) }
  }

  async *#read(stretches: readonly Stretch[]): AsyncGenerator<FirstVisit[]> {
    const has = coverageOf(stretches)
    const found = this.scans.filter(
      ({ isUnique, month, row: { writer, sequence } }) =>
        isUnique && has({ month, writer, sequence: Number(sequence) }),
    )
    for (let at = 0; at < found.length; at += 50) {
      const list = found.slice(at, at + 50).map(({ row }) => row)
      this.readVisits += list.length
      yield await Promise.resolve(list)
    }
  }
}

/** Returns the blocks of a batch, one for each month. */
export function blocksOf(scans: readonly WorldScan[]): SegmentBlock[] {
  return months.map((month) => {
    const rows = scans.filter((scan) => scan.month === month)
    const block = new SegmentBlock(rows.length)
    for (const { row } of rows) block.add(row, false)
    return block
  })
}

/** Returns the marks of blocks, by writer and sequence. */
export function marksOf(blocks: readonly SegmentBlock[]): Map<string, boolean> {
  return new Map(
    blocks.flatMap((block) =>
      [...block.isUnique].map((mark, row) => [
        `${block.texts.writer.valueOf(row)} ${block.sequence[row]}`,
        mark === 1,
      ]),
    ),
  )
}

export function marksOfScans(scans: readonly WorldScan[]): Map<string, boolean> {
  return new Map(scans.map(({ row, isUnique }) => [`${row.writer} ${row.sequence}`, isUnique]))
}

export function visitorNumber(number: number): string {
  return number.toString(16).padStart(32, '0')
}

function visitorOf(row: Pick<ScanRow, 'organizationId' | 'qrCodeId' | 'visitor'>): string {
  return `${row.organizationId} ${row.qrCodeId} ${row.visitor}`
}

export const plainRow: ScanRow = {
  organizationId: 'org_1',
  qrCodeId: 'qr_1',
  shortCode: 'A',
  domain: '',
  rule: '',
  arm: '',
  timeMs: 0,
  writer: 'a',
  sequence: 1,
  visitor: visitorNumber(1),
  class: 'human',
  botReason: '',
  country: 'DE',
  city: 'Berlin',
  region: '',
  latitude: null,
  longitude: null,
  deviceType: 'mobile',
  os: 'iOS',
  browser: 'Safari',
  referrer: '',
  language: 'de',
}
