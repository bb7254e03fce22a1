import { codeFiguresOf, organizationFiguresOf } from '../figures/answers.ts'
import { replayInPieces } from '../figures/replay-pieces.ts'
import { rememberIds } from '../remembered-ids.ts'
import {
  ScanStoreUnavailable,
  type CodeIds,
  type ScanScope,
  type ScanStore,
  type Selection,
} from '../scan-store.ts'
import { archiveScans } from './figures/archives.ts'
import { selectBreakdowns } from './figures/breakdowns.ts'
import { countCodes, mostScannedQrCodes, rankCodes } from './figures/code-tables.ts'
import { exportScans, exportScansOfCodes } from './figures/exports.ts'
import type { FileScope } from './figures/file-scope.ts'
import type { Ask } from './figures/key-ranges.ts'
import type { ListedScans } from './figures/listed-scans.ts'
import { listScans } from './figures/lists.ts'
import { matrixSides } from './figures/matrix.ts'
import {
  readableIds,
  type KeepIds,
  type ReadableIds,
  type ReadableSelection,
} from './figures/readable-ids.ts'
import { countQuarters, selectPiece } from './figures/replay.ts'
import { scanMonths, scannedCodes, scannedIds } from './figures/scanned-ids.ts'
import { keepIds } from './parquet/kept-ids.ts'
import type { ScanEngine } from './parquet/scan-engine.ts'

/** The reading of scans in files, as the product asks for it. */
export type FileScans = Omit<ScanStore, 'readRewrite' | 'ping' | 'close'>

/** The reading of files of scans, by an engine here or in another process. */
export type FileReads = { ask: Ask; keepIds: KeepIds }

export type EngineReads = {
  engine: ScanEngine
  /** Returns the scans of this moment. Their files stay until all reads of them have ended. */
  readListed: () => Promise<ListedScans>
  /** Called after an error that is no fault of a query. */
  onOutage?: () => void
}

/** Has an engine of this process read files. */
export function fileReads({ engine, readListed }: EngineReads): FileReads {
  return {
    ask: (work, deadlineMs) => engine.read(async (select) => work(select, await readListed()), deadlineMs),
    keepIds: (ids) => keepIds(engine, ids),
  }
}

/** The functions of these names are documented where `ScanStore` has them. */
export function fileScans(reads: FileReads): FileScans {
  const { ask, idsOf } = rememberLists(reads)
  const readable = async (selection: Selection | undefined): Promise<ReadableSelection | undefined> =>
    selection && { mode: selection.mode, ids: await idsOf(selection.codes) }
  const scopeOf = async (scope: ScanScope): Promise<FileScope> => ({
    ...scope,
    selection: await readable(scope.selection),
  })
  return {
    qrCodeAnalytics: (of) =>
      ask(async (select, listed) => codeFiguresOf(of, await selectBreakdowns(select, listed, of))),
    organizationAnalytics: async (of) => {
      const selection = await readable(of.selection)
      return await ask(async (select, listed) =>
        organizationFiguresOf(of, await selectBreakdowns(select, listed, { ...of, selection })),
      )
    },
    mostScannedQrCodes: async (scope, page) => {
      const read = { scope: await scopeOf(scope), ...page }
      return await ask((select, listed) => mostScannedQrCodes(select, listed, read))
    },
    matrixSides: async (scope, dimensions) => {
      const read = { scope: await scopeOf(scope), dimensions }
      return await ask((select, listed) => matrixSides(select, listed, read))
    },
    rankCodes: async ({ scope, codes, ...ranking }) => {
      const ids = codes && { codes: await idsOf(codes) }
      const read = { ...ranking, scope: await scopeOf(scope), ...ids }
      return await ask((select, listed) => rankCodes(select, listed, read))
    },
    countCodes: async ({ scope, ...of }) => {
      const read = { ...of, scope: await scopeOf(scope) }
      return await ask((select, listed) => countCodes(select, listed, read))
    },
    listScans: (of) => ask((select, listed) => listScans(select, listed, of)),
    exportScans: (scope) => exportScans(ask, scope),
    exportScansOfCodes: (scope, codes) => exportScansOfCodes(ask, scope, codes),
    replayScans: (scope, { columns: requested, bounds }) =>
      replayInPieces(scope, bounds, {
        countQuarters: () => ask((select, listed) => countQuarters(select, listed, scope)),
        selectPiece: (piece, deadlineMs) =>
          ask(
            (select, listed) => selectPiece(select, listed, { scope: { ...scope, ...piece }, requested }),
            deadlineMs,
          ),
      }),
    scannedCodes: (organizationId) => scannedCodes(ask, organizationId),
    scanMonths: (scope) => scanMonths(ask, scope),
    archiveScans: (scope) => archiveScans(ask, scope),
    scannedIds: (ids) => scannedIds(ask, ids),
  }
}

/** Hands lists of ids over once. After an outage it forgets them: see `keepIds`. */
function rememberLists(reads: FileReads): { ask: Ask; idsOf: (codes: CodeIds) => Promise<ReadableIds> } {
  const remember = () => rememberIds((codes) => readableIds(reads.keepIds, codes))
  let idsOf = remember()
  return {
    idsOf: (codes) => idsOf(codes),
    ask: async (work, deadlineMs) => {
      try {
        return await reads.ask(work, deadlineMs)
      } catch (error) {
        // Another engine may have taken its place, and does not know the lists.
        if (error instanceof ScanStoreUnavailable) idsOf = remember()
        throw error
      }
    },
  }
}
