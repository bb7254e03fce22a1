import {
  PeriodTooLong,
  ScanStoreUnavailable,
  type ReplayBounds,
  type ReplayColumns,
  type ReplayedScans,
  type ScopeOfCode,
} from '../scan-store.ts'

export const quarterHourMs = 15 * 60_000
const scansPerPieceDefault = 100_000

export type ReplayColumn = Exclude<keyof ReplayColumns, 'time'>
const columnNames = ['country', 'region', 'city', 'language', 'device', 'os', 'browser', 'visitor'] as const

/** The scans by people of a quarter of an hour (UTC) that starts at `startMs`. */
export type CountedQuarter = { startMs: number; scans: number }
type Piece = { startMs: number; endMs: number }

/** The calls of a replay to a store. */
type ReplayCalls = {
  /** Returns the quarters of an hour that have scans, newest first. */
  countQuarters: () => Promise<CountedQuarter[]>
  selectPiece: (piece: Piece, deadlineMs: number) => Promise<ReplayedScans[]>
}

/** Returns the columns that a replay requests, but for the time. */
export function requestedColumns(requested: ReplayColumns): ReplayColumn[] {
  return columnNames.filter((name) => requested[name])
}

/** Yields scans in pieces from the newest to the oldest. Throws PeriodTooLong. */
export async function* replayInPieces(
  scope: ScopeOfCode,
  bounds: ReplayBounds,
  { countQuarters, selectPiece }: ReplayCalls,
): AsyncGenerator<ReplayedScans[], void, undefined> {
  const untilMs = performance.now() + bounds.msMax
  let doneFromMs = scope.endMs
  for (const piece of piecesOf(await countQuarters(), scope, bounds)) {
    const leftMs = untilMs - performance.now()
    if (leftMs <= 0) throw new PeriodTooLong(doneFromMs, 'time')
    try {
      yield await selectPiece(piece, leftMs)
    } catch (error) {
      // The store abandons a query at its deadline.
      if (error instanceof ScanStoreUnavailable && performance.now() >= untilMs)
        throw new PeriodTooLong(doneFromMs, 'time')
      throw error
    }
    doneFromMs = piece.startMs
  }
}

/** Divides the period where the scans of whole quarters of an hour fill a piece. */
function piecesOf(
  quarters: readonly CountedQuarter[],
  scope: ScopeOfCode,
  { scansMax, scansPerPiece = scansPerPieceDefault }: ReplayBounds,
): Piece[] {
  const pieces: Piece[] = []
  let total = 0
  let inPiece = 0
  for (const { startMs, scans: count } of quarters) {
    total += count
    const endMs = Math.min(startMs + quarterHourMs, scope.endMs)
    if (total > scansMax) throw new PeriodTooLong(endMs, 'scans')
    const last = pieces.at(-1)
    const start = Math.max(startMs, scope.startMs)
    if (last === undefined || inPiece + count > scansPerPiece) {
      pieces.push({ startMs: start, endMs })
      inPiece = count
    } else {
      last.startMs = start
      inPiece += count
    }
  }
  return pieces
}
