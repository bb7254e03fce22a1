// The process that reads one xlsx file, for `readSheetRows`.
import { getPriority, setPriority } from 'node:os'
import { limits } from '@everscan/contract/schema/limits.ts'
import { readSheet } from 'read-excel-file/universal'
import { fromBufferPromise } from 'yauzl'
import type { CsvRow } from './read-csv.ts'

/** Why a file has no rows. `tooLarge`: unpacked; `tooMuchText`: in its cells. */
export type SheetProblem = 'tooLarge' | 'tooMuchText' | 'unreadable'
export type SheetAnswer = { rows: CsvRow[] } | { problem: SheetProblem }

/** How much later than its parent this process gets a processor. Other requests come first. */
const laterNice = 5
const nicest = 19

setPriority(Math.min(nicest, getPriority() + laterNice))

process.once('message', (file: Uint8Array<ArrayBuffer>) => {
  void answerOf(file)
    .catch((): SheetAnswer => ({ problem: 'unreadable' }))
    .then((answer) => process.send?.(answer, () => process.disconnect()))
})

async function answerOf(file: Uint8Array<ArrayBuffer>): Promise<SheetAnswer> {
  const unpackedBytes = await countUnpackedBytes(file)
  if (unpackedBytes === undefined) return { problem: 'tooLarge' }
  const sheet = await readSheet(file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength), {
    trim: false,
  })
  const rows: CsvRow[] = []
  let chars = 0
  for (const [index, values] of sheet.entries()) {
    // The header says how many columns there are; of other rows, one more cell shows that it lacks.
    const cells = (rows.length === 0 ? values : values.slice(0, limits.importColumnsMax + 1)).map(cellText)
    if (cells.every((cell) => cell.trim() === '')) continue
    chars += cells.reduce((sum, cell) => sum + cell.length, 0)
    if (chars > limits.importBytesMax) return { problem: 'tooMuchText' }
    rows.push({ line: index + 1, cells: withoutEmptyEnd(cells) })
    // One row more than an import may have shows that there are too many.
    if (rows.length > limits.importRowsMax + 1) break
  }
  return { rows }
}

/**
 * Unpacks every part of the file without keeping it, because the sizes that a file states may be
 * wrong. Returns undefined if the parts are too large.
 */
async function countUnpackedBytes(file: Uint8Array<ArrayBuffer>): Promise<number | undefined> {
  const zip = await fromBufferPromise(Buffer.from(file.buffer, file.byteOffset, file.byteLength))
  let bytes = 0
  for await (const entry of zip.eachEntry()) {
    if (bytes + entry.uncompressedSize > limits.importUnpackedBytesMax) return undefined
    // The library ends a stream that has another size than the entry states.
    for await (const chunk of await zip.openReadStreamPromise(entry)) bytes += (chunk as Buffer).length
  }
  return bytes
}

/** Digits that a spreadsheet shows of a number. */
const shownDigits = 15

/** Returns the value of a cell as a spreadsheet shows it. Formulas have their last result. */
function cellText(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return String(Number(value.toPrecision(shownDigits)))
  if (typeof value === 'boolean') return String(value).toUpperCase()
  if (value instanceof Date && !Number.isNaN(value.getTime()))
    return value.toISOString().replace(/T00:00:00\.000Z$/, '')
  return ''
}

/** Sheets fill their rows up to the width of the widest. */
function withoutEmptyEnd(cells: string[]): string[] {
  return cells.slice(0, cells.findLastIndex((cell) => cell.trim() !== '') + 1)
}
