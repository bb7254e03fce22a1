import { FatalError } from '../../errors.ts'
import { columnName } from '../files/parquet/file-sql.ts'
import { SegmentBlock, texts } from '../files/segment-block.ts'
import { classes, ScanColumns } from '../insert/scan-columns.ts'
import {
  columnsOfPiece,
  floats32,
  integers64,
  milliseconds64,
  namesOf,
  readBlocks,
  textsOf,
  uuidsOf,
  type BlockColumn,
  type NativeRows,
} from './native-blocks.ts'

const known = new Set(new ScanColumns().all.map(({ name }) => name))
/** The columns that earlier releases had no values of. `batch_id` is of no use in files. */
const mayLack: ReadonlySet<string> = new Set(['batch_id', 'short_code', 'domain', 'rule', 'arm'])
const knownClasses: ReadonlySet<string> = new Set(Object.keys(classes))

/**
 * Reads a piece of a copy in Native format, of this release or of an earlier one, as blocks for
 * files of scans. No scan is unique yet. Throws a `FatalError` for columns or classes that this
 * release does not know, and an Error for bytes that are not rows.
 */
export function readNativeScans(native: Buffer): SegmentBlock[] {
  const blocks = readBlocks(native)
  const columns = new Set(columnsOfPiece(blocks, known))
  const missing = [...known].filter((name) => !columns.has(name) && !mayLack.has(name))
  if (blocks.length > 0 && missing.length > 0)
    throw new Error(`the scans of a copy have no ${missing.join(', ')}`)
  return blocks.map((block) => scansOf(native, block))
}

function scansOf(native: Buffer, { rows, columns }: NativeRows): SegmentBlock {
  const block = SegmentBlock.ofRows(rows)
  if (rows === 0) return block
  const byName = new Map(columns.map((column) => [column.name, column]))
  const column = (name: 'timeMs' | 'sequence' | 'latitude' | 'longitude' | 'visitor'): BlockColumn =>
    byName.get(columnName(name)) as BlockColumn
  for (const name of texts) {
    const found = byName.get(columnName(name))
    // An absent column is empty, as it is in the scan store.
    if (found === undefined) block.texts[name].numberOf('')
    else if (name === 'class') addClasses(block, namesOf(native, found))
    else {
      const { values, numbers } = textsOf(native, found, rows)
      const numberOf = values.map((value) => block.texts[name].numberOf(value))
      for (let row = 0; row < rows; row++) block.texts[name].numbers[row] = numberOf[numbers[row] ?? 0] ?? 0
    }
  }
  const [timeOf, sequenceOf] = [
    milliseconds64(native, column('timeMs')),
    integers64(native, column('sequence')),
  ]
  const latitudeOf = floats32(native, column('latitude'), rows)
  const longitudeOf = floats32(native, column('longitude'), rows)
  for (let row = 0; row < rows; row++) {
    const [timeMs, sequence] = [timeOf(row), sequenceOf(row)]
    if (timeMs < 0 || !Number.isSafeInteger(sequence))
      throw new Error(`a copy has a scan at ${timeMs} ms with the number ${sequence}`)
    block.timeMs[row] = timeMs
    block.sequence[row] = BigInt(sequence)
    block.latitude[row] = latitudeOf(row)
    block.longitude[row] = longitudeOf(row)
  }
  block.visitor = uuidsOf(native, column('visitor'))
  return block
}

function addClasses(block: SegmentBlock, nameOf: (row: number) => string | undefined): void {
  for (let row = 0; row < block.rows; row++) {
    const name = nameOf(row)
    if (name === undefined || !knownClasses.has(name))
      throw new FatalError(
        `the copy has scans of the class ${name}, which this release does not know: a later release made it; restore it with that one`,
      )
    block.texts.class.add(row, name)
  }
}
