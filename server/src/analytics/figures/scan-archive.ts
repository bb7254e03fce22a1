import type { ArchiveScope } from '../scan-store.ts'
import { placeOfScan } from '../store/first-scans.ts'
import { archivedScanColumns, type ArchivedScanColumn } from '../store/archived-scan-columns.ts'
import { isClosedOwner } from '../store/closed-owner.ts'
import type { Params, ClickHouse } from '../store/clickhouse.ts'
import { linesWithout, ownersOf } from './archive-lines.ts'
import { archivedPerPiece, idsAtOnce, idsMsMax, pieceMsMax as deadlineMs } from './long-reads.ts'

/** SQL of the columns of a hit. The two others depend on what is asked for. */
const columns: Readonly<Record<Exclude<ArchivedScanColumn, 'isUnique' | 'isClosed'>, string>> = {
  qrCodeId: 'qr_code_id',
  shortCode: 'short_code',
  timeMs: 'toUnixTimestamp64Milli(time)',
  visitor: `replaceAll(toString(visitor), '-', '')`,
  class: 'toString(class)',
  botReason: 'toString(bot_reason)',
  country: 'toString(country)',
  city: 'toString(city)',
  region: 'toString(region)',
  // A negative zero, as in London, would come back as zero.
  latitude: 'if(latitude = 0, toFloat32(0), latitude)',
  longitude: 'if(longitude = 0, toFloat32(0), longitude)',
  deviceType: 'toString(device_type)',
  os: 'toString(os)',
  browser: 'toString(browser)',
  referrer: 'toString(referrer)',
  language: 'toString(language)',
  rule: 'toString(rule)',
  arm: 'toString(arm)',
}

/**
 * The order of the scans of a code, as `placeOfScan` has it: a reader that numbers them in this
 * order finds the same unique scans.
 */
const order = ['qr_code_id', 'time', 'cityHash64(writer)', 'sequence'] as const

const lastOfAll = {
  priority: '3',
  max_threads: 1,
  output_format_json_quote_64bit_integers: 0,
} as const

/** The last scan of a piece. The next piece begins after it. */
type Place = { qrCodeId: string; timeMs: number; hash: string; number: string }

export async function* scannedCodes(store: ClickHouse, organizationId: string): AsyncGenerator<string[]> {
  for (let after = ''; ;) {
    const rows = await store.select<{ id: string }>(
      `/* analytics.scannedCodes */
       select distinct qr_code_id as id
       from scans
       where organization_id in {owners:Array(String)} and qr_code_id > {after:String}
       order by id
       limit ${idsAtOnce}`,
      { owners: ownersOf(organizationId), after },
      { deadlineMs, settings: { priority: '3' } },
    )
    if (rows.length === 0) return
    yield rows.map(({ id }) => id)
    after = rows.at(-1)?.id ?? ''
  }
}

export async function scannedIds(store: ClickHouse, ids: readonly string[]): Promise<string[]> {
  const rows = await store.select<{ id: string }>(
    `/* analytics.scannedIds */
     select distinct qr_code_id as id from scans where qr_code_id in {ids:Array(String)}
     union distinct
     select distinct organization_id as id from scans where organization_id in {ids:Array(String)}`,
    { ids: [...ids] },
    { deadlineMs: idsMsMax, settings: { priority: '3' } },
  )
  return rows.map(({ id }) => id)
}

export async function scanMonths(
  store: ClickHouse,
  { organizationId, without }: ArchiveScope,
): Promise<string[]> {
  const hits = await hitsByMonth(store, organizationId)
  const ids = [...without]
  for (let from = 0; from < ids.length; from += idsAtOnce)
    for (const [month, count] of await hitsByMonth(store, organizationId, ids.slice(from, from + idsAtOnce)))
      hits.set(month, (hits.get(month) ?? 0) - count)
  return [...hits].flatMap(([month, count]) => (count > 0 ? [month] : []))
}

/** Counts the hits of an organization, or of some of its codes, by month: oldest first. */
async function hitsByMonth(
  store: ClickHouse,
  organizationId: string,
  codes?: readonly string[],
): Promise<Map<string, number>> {
  const rows = await store.select<{ month: string; hits: string }>(
    `/* analytics.scanMonths */
     select toString(toYYYYMM(time)) as month, toString(count()) as hits
     from scans
     where organization_id in {owners:Array(String)}
       ${codes === undefined ? '' : 'and qr_code_id in {codes:Array(String)}'}
     group by month
     order by month`,
    { owners: ownersOf(organizationId), ...(codes !== undefined && { codes: [...codes] }) },
    { deadlineMs, settings: { priority: '3' } },
  )
  return new Map(rows.map(({ month, hits }) => [month, Number(hits)]))
}

export async function* archiveScans(
  store: ClickHouse,
  { organizationId, month, without }: ArchiveScope & { month: string },
  scansPerPiece = archivedPerPiece,
): AsyncGenerator<Buffer, void, undefined> {
  for (const owner of ownersOf(organizationId)) {
    const pieces = archiveOwner(store, { owner, month }, scansPerPiece)
    yield* without.size === 0 ? pieces : linesWithout(pieces, without)
  }
}

async function* archiveOwner(
  store: ClickHouse,
  scope: Scope,
  scansPerPiece: number,
): AsyncGenerator<Buffer, void, undefined> {
  for (let after: Place | undefined, isFirst = true; isFirst || after !== undefined; isFirst = false) {
    const upTo = await endOfPiece(store, scope, { after, scansPerPiece })
    yield* await selectLines(store, scope, { after, upTo })
    after = upTo
  }
}

type Scope = { owner: string; month: string }

const ofMonth = 'organization_id = {owner:String} and toYYYYMM(time) = {month:UInt32}'

async function endOfPiece(
  store: ClickHouse,
  scope: Scope,
  { after, scansPerPiece }: { after: Place | undefined; scansPerPiece: number },
): Promise<Place | undefined> {
  const begin = boundary('after', after)
  const [place] = await store.select<Place>(
    `/* analytics.archiveScans, end of piece */
     select
       qr_code_id as qrCodeId, toUnixTimestamp64Milli(time) as timeMs,
       toString(cityHash64(writer)) as hash, toString(sequence) as number
     from scans
     where ${ofMonth} ${begin.sql}
     order by ${order.join(', ')}
     limit 1 offset ${scansPerPiece - 1}`,
    { ...scope, ...begin.params },
    { deadlineMs, settings: lastOfAll },
  )
  return place
}

function selectLines(
  store: ClickHouse,
  scope: Scope,
  { after, upTo }: { after: Place | undefined; upTo: Place | undefined },
): Promise<Buffer[]> {
  const [begin, end] = [boundary('after', after), boundary('upTo', upTo)]
  const piece = `${ofMonth} ${begin.sql} ${end.sql}`
  const isUnique = `class = 'human' and (qr_code_id, visitor, ${placeOfScan}) in (
         select qr_code_id, visitor, min(place)
         from first_scans
         where organization_id = {owner:String}
           and (qr_code_id, visitor) in (select qr_code_id, visitor from scans where ${piece})
         group by qr_code_id, visitor)`
  // Hits on closed codes are in no figure of unique scans.
  const isClosed = isClosedOwner(scope.owner)
  const sqlOf = {
    ...columns,
    isUnique: `toBool(${isClosed ? '0' : isUnique})`,
    isClosed: `toBool(${isClosed ? '1' : '0'})`,
  }
  return store.bytes(
    `/* analytics.archiveScans */
     select
       ${archivedScanColumns.map((name) => sqlOf[name]).join(', ')}
     from scans
     where ${piece}
     order by ${order.join(', ')}
     format JSONCompactEachRow`,
    { ...scope, ...begin.params, ...end.params },
    { deadlineMs, settings: lastOfAll },
  )
}

/**
 * Returns a condition for the scans after a place, or up to it. The index of the table uses the
 * first part of it, the code.
 */
function boundary(name: 'after' | 'upTo', place: Place | undefined): { sql: string; params: Params } {
  if (place === undefined) return { sql: '', params: {} }
  const [isBeyond, isWithin] = name === 'after' ? ['>', '>'] : ['<', '<=']
  const time = `fromUnixTimestamp64Milli({${name}Ms:Int64})`
  const code = `{${name}Code:String}`
  return {
    sql: `and qr_code_id ${isBeyond}= ${code}
       and (qr_code_id ${isBeyond} ${code}
         or time ${isBeyond}= ${time} and (time ${isBeyond} ${time}
           or (cityHash64(writer), sequence) ${isWithin} ({${name}Hash:UInt64}, {${name}Number:UInt64})))`,
    params: {
      [`${name}Ms`]: place.timeMs,
      [`${name}Code`]: place.qrCodeId,
      [`${name}Hash`]: place.hash,
      [`${name}Number`]: place.number,
    },
  }
}
