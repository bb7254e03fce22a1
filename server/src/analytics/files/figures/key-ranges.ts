import type { Select } from '../parquet/select.ts'
import { conditionOf, type FileScope, type FileSql } from './file-scope.ts'
import { relationOf, type ListedScans } from './listed-scans.ts'

/**
 * Runs queries of one call on one list of scans: see `ScanEngine.read`. Long reads call it for each
 * piece, with a deadline: replaced files are not held for longer, and figures go first.
 */
export type Ask = <Result>(
  work: (select: Select, listed: ListedScans) => Promise<Result>,
  deadlineMs?: number,
) => Promise<Result>

/** The scans of a long read, which is done in pieces of about `rowsMax`, at most twice as many. */
export type LongRead = { scope: FileScope; isOfPeople: boolean; rowsMax: number; deadlineMs: number }

/** Scans of neighbouring codes, or a part of the period of one code. Both codes are included. */
type KeyRange = {
  fromCode: string
  toCode: string
  startMs: number
  endMs: number
  /** Whether it has more scans than a piece. */
  isOverfull: boolean
}

/** A position in the order of scans. */
type ScanKey = { qrCodeId: string; timeMs: number; writer: string; number: string }

/** A piece of a long read: its range, and the scan before it if the range has several. */
export type Piece = { range: KeyRange; after: ScanKey | undefined }

const hourMs = 3_600_000

/** The columns that order scans. */
export const keyOrder = 'qr_code_id, time, writer, sequence'

/**
 * Yields what `read` gives for each piece, in the order of scans. Codes and hours are counted
 * first, so that a piece reads and sorts hardly more than its own scans.
 */
export async function* readInPieces<Result>(
  ask: Ask,
  long: LongRead,
  read: (select: Select, listed: ListedScans, piece: Piece) => Promise<Result | undefined>,
): AsyncGenerator<Result, void, undefined> {
  for await (const range of rangesOf(ask, long))
    for (let after: ScanKey | undefined, isFirst = true; isFirst || after !== undefined; isFirst = false) {
      const piece: Piece = { range, after }
      const [result, last] = await ask(async (select, listed) => {
        const end = range.isOverfull ? await endOfPiece(select, listed, { long, piece }) : undefined
        return [await read(select, listed, piece), end] as const
      }, long.deadlineMs)
      if (result !== undefined) yield result
      after = last
    }
}

/** Returns the rows of a piece. Only an overfull range needs an order, to be cut off. */
export function pieceSql(
  listed: ListedScans,
  { scope, isOfPeople, rowsMax }: LongRead,
  { range, after }: Piece,
): FileSql {
  const { startMs, endMs, fromCode, toCode, isOverfull } = range
  const { sql, params } = conditionOf({ ...scope, startMs, endMs })
  const beginning =
    after === undefined
      ? ''
      : `and qr_code_id >= $afterCode
         and (qr_code_id, time, writer, sequence)
           > ($afterCode, make_timestamp_ms($afterMs), $afterWriter, $afterNumber::ubigint)`
  return {
    sql: `
      (select *
       from ${relationOf(listed, range)}
       where ${sql} and qr_code_id >= $fromCode and qr_code_id <= $toCode ${beginning}
         ${isOfPeople ? `and class = 'human'` : ''}
       ${isOverfull ? `order by ${keyOrder} limit $rowsMax` : ''})`,
    params: {
      ...params,
      fromCode,
      toCode,
      ...(after !== undefined && {
        afterCode: after.qrCodeId,
        afterMs: after.timeMs,
        afterWriter: after.writer,
        afterNumber: after.number,
      }),
      ...(isOverfull && { rowsMax }),
    },
  }
}

/** Returns the last scan of a full piece: the next one begins after it. */
async function endOfPiece(
  select: Select,
  listed: ListedScans,
  { long, piece }: { long: LongRead; piece: Piece },
): Promise<ScanKey | undefined> {
  const { sql, params } = pieceSql(listed, long, piece)
  const [key] = await select<ScanKey>(
    `/* analytics.endOfPiece */
     select qr_code_id as "qrCodeId", epoch_ms(time) as "timeMs", writer, sequence::varchar as number
     from ${sql}
     order by ${keyOrder}
     limit 1 offset ${long.rowsMax - 1}`,
    params,
  )
  return key
}

async function* rangesOf(ask: Ask, long: LongRead): AsyncGenerator<KeyRange> {
  const { qrCodeId, startMs, endMs } = long.scope
  const hoursOf = (code: string) =>
    ask((select, listed) => hoursOfCode(select, listed, { long, qrCodeId: code }), long.deadlineMs)
  if (qrCodeId !== undefined) {
    yield* await hoursOf(qrCodeId)
    return
  }
  const runs = await ask((select, listed) => runsOfCodes(select, listed, long), long.deadlineMs)
  for (const { fromCode, toCode, isLarge } of runs)
    if (isLarge) yield* await hoursOf(fromCode)
    else yield { fromCode, toCode, startMs, endMs, isOverfull: false }
}

/**
 * Returns runs of codes with about as many scans as a piece, at most twice as many. A code with
 * more scans than a piece is a run of its own.
 */
function runsOfCodes(
  select: Select,
  listed: ListedScans,
  { scope, isOfPeople, rowsMax }: LongRead,
): Promise<{ fromCode: string; toCode: string; isLarge: boolean }[]> {
  const { sql, params } = conditionOf(scope)
  return select(
    `/* analytics.runsOfCodes */
     select min(code) as "fromCode", max(code) as "toCode", is_large as "isLarge"
     from (
       select
         code, is_large, sum(is_large::int) over in_order as larger,
         if(is_large, 0, (sum(scans) over in_order - 1) // $rowsMax) as run
       from (
         select qr_code_id as code, count(*) as scans, count(*) > $rowsMax as is_large
         from ${relationOf(listed, scope)}
         where ${sql} ${isOfPeople ? `and class = 'human'` : ''}
         group by qr_code_id)
       window in_order as (order by code rows unbounded preceding))
     group by is_large, larger, run
     order by 1`,
    { ...params, rowsMax },
  )
}

/** Returns the parts of the period of a code in which whole hours (UTC) fill a piece. */
async function hoursOfCode(
  select: Select,
  listed: ListedScans,
  { long: { scope, isOfPeople, rowsMax }, qrCodeId }: { long: LongRead; qrCodeId: string },
): Promise<KeyRange[]> {
  const { sql, params } = conditionOf({ ...scope, qrCodeId })
  const hours = await select<{ hour: number; scans: number }>(
    `/* analytics.hoursOfCode */
     select epoch_ms(time) // ${hourMs} as hour, count(*) as scans
     from ${relationOf(listed, scope)}
     where ${sql} ${isOfPeople ? `and class = 'human'` : ''}
     group by hour
     order by hour`,
    params,
  )
  const ranges: KeyRange[] = []
  let inRange = 0
  for (const { hour, scans } of hours) {
    const last = ranges.at(-1)
    const endMs = Math.min((hour + 1) * hourMs, scope.endMs)
    if (last === undefined || inRange + scans > rowsMax) {
      const startMs = Math.max(hour * hourMs, scope.startMs)
      ranges.push({ fromCode: qrCodeId, toCode: qrCodeId, startMs, endMs, isOverfull: scans > rowsMax })
      inRange = scans
    } else {
      last.endMs = endMs
      inRange += scans
    }
  }
  return ranges
}
