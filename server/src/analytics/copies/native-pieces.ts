import { ScanBlock } from '../insert/scan-block.ts'
import type { ScanRow } from '../insert/scan-row.ts'

/** No batch is under way whose rows would have to be counted. */
const noBatch = ''

/** Yields scans of one month in pieces that ClickHouse takes at once, in Native format. */
export async function* nativePieces(
  scans: AsyncIterable<readonly ScanRow[]>,
): AsyncGenerator<{ rows: number; native: Buffer }, void, undefined> {
  let block = new ScanBlock(noBatch)
  const made = () => {
    const piece = { rows: block.rows, native: Buffer.concat(block.native()) }
    block = new ScanBlock(noBatch)
    return piece
  }
  for await (const some of scans)
    for (const scan of some) {
      if (!block.takes(scan)) yield made()
      block.add(scan)
    }
  if (block.rows > 0) yield made()
}
