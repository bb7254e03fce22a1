import { mapMoveColumns } from '@everscan/contract/moves/move-sources.ts'
import type { Scannability } from '@everscan/contract/resources/styles.ts'
import type { MoveInput } from '../../catalogue/rows/import-row.ts'

const header = ['slug', 'url', 'clicks']

/** A move of any CSV whose rows are short code, address and clicks. */
export function someMove(totalRows: number): Omit<MoveInput, 'origin'> {
  const scannability = { readers: [], minPrintMm: 10, warnings: [] } as unknown as Scannability
  return {
    source: 'csv',
    dryRun: false,
    fileName: null,
    header,
    mapping: mapMoveColumns('csv', header),
    preview: [],
    totalRows,
    look: { style: {}, scannability },
  }
}
