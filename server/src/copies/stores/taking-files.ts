import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { insertCopiedScans } from '../../analytics/copies/scan-copies.ts'
import { nativePieces } from '../../analytics/copies/native-pieces.ts'
import { PlacedFiles } from '../../analytics/copies/placed-files.ts'
import type { ScanFiles } from '../../analytics/files/scan-files.ts'
import type { ClickHouse } from '../../analytics/store/clickhouse.ts'
import type { CopyEntry } from '../copy-archive.ts'
import type { RestoredStore } from './copied-store.ts'
import { withPlacedFiles } from './file-copies.ts'

/**
 * Has an empty ClickHouse take copies of scans in files, too. The files are put into the data
 * directory for as long as their scans are inserted.
 */
export function takingFiles(store: ClickHouse, rows: RestoredStore, dataDir: string): RestoredStore {
  // Beside the folders of other copies: the next one removes it if this process is killed.
  const folder = join(dataDir, 'run', 'copies', 'copy-restored')
  const folders = { segments: join(folder, 'segments'), records: join(folder, 'records') }
  let placed: PlacedFiles | undefined
  return {
    ...rows,
    takes: (name) => rows.takes(name) || PlacedFiles.isPart(name),
    add: async (entry: CopyEntry) => {
      if (!PlacedFiles.isPart(entry.name)) return await rows.add(entry)
      if (placed === undefined) await rm(folder, { recursive: true, force: true })
      placed ??= new PlacedFiles(folders)
      await placed.add(entry)
      return 0
    },
    end: async (...options) => {
      if (placed !== undefined) {
        await placed.end()
        await withPlacedFiles({ dataDir, ...folders }, (files) => insertFiles(store, files))
        await rm(folder, { recursive: true })
      }
      return await rows.end(...options)
    },
  }
}

async function insertFiles(store: ClickHouse, files: ScanFiles): Promise<void> {
  for (const { id, isGood } of await files.list())
    if (isGood)
      for await (const piece of nativePieces(files.scansOf(id))) await insertCopiedScans(store, piece)
}
