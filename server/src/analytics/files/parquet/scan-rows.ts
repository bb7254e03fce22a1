import type { ScanRow } from '../../insert/scan-row.ts'
import { texts } from '../segment-block.ts'
import { columnName, pathList } from './file-sql.ts'
import type { FileWrites } from './file-writes.ts'

/** As many rows are objects at a time. */
const rowsAtOnce = 20_480

/** Yields the scans of a file in its order, some ten thousand at a time. */
export async function* scanRowsOf(
  engine: Pick<FileWrites, 'rows'>,
  { path, rows: all }: { path: string; rows: number },
): AsyncGenerator<ScanRow[]> {
  const columns = texts.map((name) => `${columnName(name)}::varchar`).join(', ')
  for (let from = 0; from < all; from += rowsAtOnce) {
    const rows = await engine.rows(
      `select epoch_ms(time), sequence, replace(visitor::varchar, '-', ''), latitude, longitude, ${columns}
       from read_parquet(${pathList([path])}, file_row_number = true)
       where file_row_number >= ${from} and file_row_number < ${from + rowsAtOnce}
       order by file_row_number`,
    )
    yield rows.map(([timeMs, sequence, visitor, latitude, longitude, ...values]) => ({
      ...(Object.fromEntries(texts.map((name, at) => [name, String(values[at] ?? '')])) as TextsOfRow),
      timeMs: Number(timeMs),
      sequence: BigInt(String(sequence)),
      visitor: String(visitor),
      latitude: numberOf(latitude),
      longitude: numberOf(longitude),
    }))
  }
}

type TextsOfRow = Pick<ScanRow, (typeof texts)[number]>

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}
