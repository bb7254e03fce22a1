import { organizationExportColumns } from '@everscan/contract/resources/analytics.ts'
import type { ExportedCodes } from '../scan-store.ts'
import { csvCells } from './csv-cells.ts'

/** Codes whose scans are exported together. Every query names them. */
export const codesPerChunk = 1_000

type Lines = AsyncGenerator<Buffer, void, undefined>

/** The calls of an export of several codes to a store. */
type ExportCalls = {
  /** Yields the ids of the codes with scans, in their order, `chunk` at a time. */
  scannedCodes: () => AsyncGenerator<readonly string[]>
  /** Yields the lines of some codes, of which each begins with cells of its own. */
  linesOf: (firstCells: ReadonlyMap<string, string>) => Lines
}

/** Yields the scans of codes as CSV, code by code, with the header of such a file. */
export function exportOfCodes(
  { ids, readCodes }: ExportedCodes,
  chunk: number,
  { scannedCodes, linesOf }: ExportCalls,
): Lines {
  return withHeader(organizationExportColumns, linesOfChunks())

  async function* linesOfChunks(): Lines {
    const chunks = ids === undefined ? scannedCodes() : chunksOf(ids, chunk)
    for await (const some of chunks) {
      const codes = await readCodes(some)
      const firstCells = new Map(
        some.map((id) => [id, csvCells([id, codes.get(id)?.shortCode ?? '', codes.get(id)?.name ?? ''])]),
      )
      yield* linesOf(firstCells)
    }
  }
}

function* chunksOf(ids: readonly string[], size: number): Generator<readonly string[]> {
  for (let start = 0; start < ids.length; start += size) yield ids.slice(start, start + size)
}

/** Yields a header before lines. */
export async function* withHeader(columns: readonly string[], lines: Lines): Lines {
  // The header waits for the first lines: a store that is away is then an error, not half a file.
  const first = await lines.next()
  yield Buffer.from(`${columns.join(',')}\n`)
  if (first.done === true) return
  yield first.value
  yield* lines
}
