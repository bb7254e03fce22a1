import { stretchesOfCodes } from '../figures/old-scans.ts'
import { copyDeadlineMs, lastOfAll, Within, type Fence } from './scan-fence.ts'
import type { ScanClass } from '../insert/scan-row.ts'
import { ofKnownVisitors } from '../store/first-scans.ts'
import type { Params, ClickHouse } from '../store/clickhouse.ts'

/** The figures of a code for all time. Unique scans count each visitor with a human scan once. */
export type CodeFigures = {
  organizationId: string
  qrCodeId: string
  hits: Readonly<Record<ScanClass, number>>
  uniqueScans: number
}

export type CodeFiguresOptions = {
  /**
   * Counts only hits within this fence. Unique scans are then counted from the scans, because first
   * scans may lie beyond the fence.
   */
  fence?: Fence
  /** Approximate number of scans per query. Default: 250,000. */
  scansPerStretch?: number
}

const scansPerStretchDefault = 250_000

/**
 * Yields the figures of every code that has hits or unique scans, ordered by the bytes of
 * organization and code. Two stores can therefore be compared as streams. Without a fence, unique
 * scans are counted from the first scans, as the product shows them. Each query covers a limited
 * number of scans: a large store needs no more memory and delays other queries no longer. Throws
 * ScanStoreUnavailable.
 */
export async function* figuresOfCodes(
  store: ClickHouse,
  { fence, scansPerStretch = scansPerStretchDefault }: CodeFiguresOptions = {},
): AsyncGenerator<readonly CodeFigures[], void, undefined> {
  const within = fence === undefined ? undefined : await Within.find(store, fence)
  const ends = await stretchesOfCodes(store, scansPerStretch)
  for (const [index, end] of ends.entries()) {
    const stretch: Stretch = {
      after: ends[index - 1],
      upTo: index === ends.length - 1 ? undefined : end,
      parts: Math.max(1, Math.floor(end.scans / scansPerStretch)),
    }
    const codes = await figuresOfStretch(store, { stretch, within })
    if (codes.length > 0) yield codes
  }
}

type Code = { organizationId: string; qrCodeId: string }

/**
 * The codes after one code, up to and including another. A code with very many scans is counted in
 * parts, each with some of its visitors.
 */
type Stretch = { after: Code | undefined; upTo: Code | undefined; parts: number }

async function figuresOfStretch(
  store: ClickHouse,
  { stretch, within }: { stretch: Stretch; within: Within | undefined },
): Promise<CodeFigures[]> {
  const codes = new Map<string, CodeFigures>()
  for (let part = 0; part < stretch.parts; part++) {
    const rows =
      within === undefined
        ? await selectAll(store, { stretch, part })
        : await selectWithin(store, { stretch, part, within })
    for (const row of rows) {
      const code = `${row.organizationId} ${row.qrCodeId}`
      codes.set(code, added(codes.get(code), row))
    }
  }
  // Parts of one stretch may contain different codes.
  return [...codes.values()].toSorted(byCode)
}

type Row = Code & Record<ScanClass, number> & { uniqueScans: number }

function added(known: CodeFigures | undefined, row: Row): CodeFigures {
  const { organizationId, qrCodeId, uniqueScans } = row
  const sumOf = (name: ScanClass): number => (known?.hits[name] ?? 0) + row[name]
  return {
    organizationId,
    qrCodeId,
    hits: {
      human: sumOf('human'),
      bot: sumOf('bot'),
      preview: sumOf('preview'),
      prefetch: sumOf('prefetch'),
    },
    uniqueScans: (known?.uniqueScans ?? 0) + uniqueScans,
  }
}

/** Compares by bytes, as the store sorts texts. */
function byCode(a: Code, b: Code): number {
  return (
    Buffer.compare(Buffer.from(a.organizationId), Buffer.from(b.organizationId)) ||
    Buffer.compare(Buffer.from(a.qrCodeId), Buffer.from(b.qrCodeId))
  )
}

const classColumns = (['human', 'bot', 'preview', 'prefetch'] as const satisfies ScanClass[])
  .map((name) => `countIf(class = '${name}') as ${name}`)
  .join(', ')

/** Names `first_scans` first, so that there are never more unique scans than scans. */
function selectAll(store: ClickHouse, { stretch, part }: { stretch: Stretch; part: number }): Promise<Row[]> {
  const of = stretchSql(stretch, part)
  return store.select<Row>(
    `/* analytics.figuresOfCodes */
     select
       toString(organization_id) as organizationId, qr_code_id as qrCodeId,
       sum(human) as human, sum(bot) as bot, sum(preview) as preview, sum(prefetch) as prefetch,
       sum(uniqueScans) as uniqueScans
     from (
       select organization_id, qr_code_id, 0 as human, 0 as bot, 0 as preview, 0 as prefetch, count() as uniqueScans
       from first_scans final
       where ${of.sql}
       group by organization_id, qr_code_id
       union all
       select organization_id, qr_code_id, ${classColumns}, 0 as uniqueScans
       from scans
       where ${of.sql}
       group by organization_id, qr_code_id)
     group by organization_id, qr_code_id`,
    of.params,
    { deadlineMs: copyDeadlineMs, settings: lastOfAll },
  )
}

/**
 * Returns the figures of codes within a fence. The query also returns the last counted sequence of
 * each writer, from the same state of the table. If a writer has passed its fence since the fence
 * was looked up, the query runs again without the new scans.
 */
async function selectWithin(
  store: ClickHouse,
  { stretch, part, within }: { stretch: Stretch; part: number; within: Within },
): Promise<Row[]> {
  const of = stretchSql(stretch, part)
  for (;;) {
    const rows = await store.select<Row & { isWriter: number; writerId: string; upTo: number }>(
      `/* analytics.figuresOfCodes */
       select
         toString(organization_id) as organizationId, qr_code_id as qrCodeId, toString(writer) as writerId,
         grouping(organization_id) as isWriter, max(sequence) as upTo,
         ${classColumns}, uniqExactIf(visitor, class = 'human' and ${ofKnownVisitors}) as uniqueScans
       from scans
       where ${of.sql} and ${within.sql}
       group by grouping sets ((organization_id, qr_code_id), (writer))
       settings force_grouping_standard_compatibility = 1`,
      { ...of.params, ...within.params },
      { deadlineMs: copyDeadlineMs, settings: lastOfAll },
    )
    const writers = rows.filter(({ isWriter }) => isWriter === 1)
    if (!writers.map(({ writerId, upTo }) => within.hasNew(writerId, upTo)).includes(true))
      return rows.filter(({ isWriter }) => isWriter === 0)
  }
}

/**
 * Returns a condition for `scans` and `first_scans`. It compares single columns, because the store
 * finds rows by columns, not by pairs of columns.
 */
function stretchSql({ after, upTo, parts }: Stretch, part: number): { sql: string; params: Params } {
  const conditions: string[] = []
  const params: Params = {}
  if (after !== undefined) {
    conditions.push(
      `(organization_id > {afterOrganization:String} or organization_id = {afterOrganization:String} and qr_code_id > {afterCode:String})`,
    )
    Object.assign(params, { afterOrganization: after.organizationId, afterCode: after.qrCodeId })
  }
  if (upTo !== undefined) {
    conditions.push(
      `(organization_id < {upToOrganization:String} or organization_id = {upToOrganization:String} and qr_code_id <= {upToCode:String})`,
    )
    Object.assign(params, { upToOrganization: upTo.organizationId, upToCode: upTo.qrCodeId })
  }
  if (parts > 1) conditions.push(`cityHash64(visitor) % ${parts} = ${part}`)
  return { sql: conditions.length === 0 ? 'true' : conditions.join(' and '), params }
}
