import type { Scan } from '@everscan/contract/resources/scans.ts'
import { scanId } from '../../ids.ts'
import { figuresSettings } from './query-settings.ts'
import { answerOf, scanOf, type ListedScan } from './listed-scan.ts'
import { placeOfScan } from '../store/first-scans.ts'
import type { ListScansOptions, ScopeOfCode } from '../scan-store.ts'
import { scopeSql } from './scan-scope.ts'
import type { ClickHouse } from '../store/clickhouse.ts'

type ListedRow = ListedScan & {
  visitor: string
  /** The place of the scan among all scans of its code, in decimal. */
  place: string
}

const newestFirst = 'order by time desc, writer desc, sequence desc'

export async function listScans(
  store: ClickHouse,
  options: ListScansOptions,
): Promise<{ scans: Scan[]; total: number }> {
  const total = await countScans(store, options)
  // A page past the end is empty. The store would otherwise read all scans before it.
  if ((options.page - 1) * options.limit >= total) return { scans: [], total }
  const rows = await selectPage(store, options)
  const first = await firstPlaces(store, options, rows)
  const scans = rows.map(({ visitor: _visitor, place, ...row }) =>
    scanOf(row, { qrCodeId: options.qrCodeId, isFirst: first.has(place) }),
  )
  return { scans, total }
}

async function countScans(store: ClickHouse, options: ListScansOptions): Promise<number> {
  const { scans, params } = scopeSql(options)
  const [row] = await store.select<{ total: number }>(
    `/* analytics.countScans */ select count() as total from scans where ${scans} ${classOf(options)}`,
    params,
    { settings: figuresSettings },
  )
  return row?.total ?? 0
}

/**
 * Selects the keys of a page first. The store then skips the scans before a distant page without
 * reading their other columns.
 */
function selectPage(store: ClickHouse, options: ListScansOptions): Promise<ListedRow[]> {
  const { owner, scans, params } = scopeSql(options, { inOrder: true })
  const { limit, page } = options
  return store.select<ListedRow>(
    `/* analytics.listScans */
     select
       toUnixTimestamp64Milli(time) as timeMs, writer, toString(sequence) as number,
       toString(visitor) as visitor, toString(${placeOfScan}) as place,
       toString(class) as class, bot_reason as botReason,
       country, city, region, latitude, longitude,
       device_type as deviceType, os, browser, referrer, language, rule, arm
     from scans
     where ${owner}
       and (time, writer, sequence) in (
         select time, writer, sequence
         from scans
         where ${scans} ${classOf(options)}
         ${newestFirst}
         limit {limit:UInt32} offset {offset:UInt64})
     ${newestFirst}`,
    { ...params, limit, offset: (page - 1) * limit },
    { settings: figuresSettings },
  )
}

/** Returns the places of the first scans of the visitors on a page. */
async function firstPlaces(
  store: ClickHouse,
  scope: ScopeOfCode,
  rows: readonly ListedRow[],
): Promise<Set<string>> {
  const { owner, params } = scopeSql(scope, { inOrder: true })
  const visitors = [...new Set(rows.filter((row) => row.class === 'human').map(({ visitor }) => visitor))]
  if (visitors.length === 0) return new Set()
  const places = await store.select<{ place: string }>(
    `/* analytics.firstPlaces */
     select toString(min(place)) as place
     from first_scans
     where ${owner}
       and visitor in {visitors:Array(UUID)}
     group by visitor`,
    { ...params, visitors },
    { settings: figuresSettings },
  )
  return new Set(places.map(({ place }) => place))
}

/** A human scan and the organization of its code. */
export type ScanOfBatch = { organizationId: string; scan: Scan }

/**
 * Returns the human scans of a stored batch that belong to some organizations, in the order of the
 * journal. `isUnique` is the current state: a scan of an earlier time that is recorded later can
 * still become the first scan.
 */
export async function scansOfBatch(
  store: ClickHouse,
  batchId: string,
  organizationIds: readonly string[],
): Promise<ScanOfBatch[]> {
  const visitors = 'organization_id, qr_code_id, visitor'
  const of = `batch_id = {batchId:String} and class = 'human' and organization_id in {organizationIds:Array(String)}`
  const rows = await store.select<
    Omit<ListedScan, 'class' | 'botReason'> & {
      organizationId: string
      qrCodeId: string
      isUnique: 0 | 1
    }
  >(
    `/* analytics.scansOfBatch */
     select
       organization_id as organizationId, qr_code_id as qrCodeId,
       toUnixTimestamp64Milli(time) as timeMs, writer, toString(sequence) as number,
       (${visitors}, ${placeOfScan}) in (
         select ${visitors}, min(place)
         from first_scans
         where (${visitors}) in (select ${visitors} from scans where ${of})
         group by ${visitors}) as isUnique,
       country, city, region, latitude, longitude,
       device_type as deviceType, os, browser, referrer, language, rule, arm
     from scans
     where ${of}
     order by sequence`,
    { batchId, organizationIds },
    { settings: ahead },
  )
  return rows.map(({ organizationId, timeMs, writer, number, rule, arm, isUnique, ...rest }) => ({
    organizationId,
    scan: {
      id: scanId({ timeMs, writer, sequence: BigInt(number) }),
      timestamp: new Date(timeMs).toISOString(),
      ...rest,
      ...answerOf({ rule, arm }),
      isUnique: isUnique === 1,
      isBot: false,
      botReason: null,
    },
  }))
}

/** Settings of incoming batches, to which the query belongs. */
const ahead = { priority: '1' }

function classOf({ includeBots }: ListScansOptions): string {
  return includeBots ? '' : `and class = 'human'`
}
