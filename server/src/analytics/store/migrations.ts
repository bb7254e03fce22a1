import { problem, type Problem } from '@everscan/contract/problems/problem.ts'
import { FatalError } from '../../errors.ts'
import { firstScansOf, placeOfScan } from './first-scans.ts'
import type { ClickHouse } from './clickhouse.ts'

/**
 * Projections of `scans` with counts, by the columns that they group by: of an organization by
 * quarter hour and day, and of codes by month. A released one never changes: another takes its
 * place under a name of its own.
 */
export const scanProjections = {
  by_quarter_hour: 'organization_id, toStartOfFifteenMinutes(time), class',
  by_code: 'organization_id, qr_code_id, toStartOfMonth(time), class',
  by_devices: 'organization_id, toDate(time), device, referrer, class',
  by_place: 'organization_id, toDate(time), place, class',
  // Whole tags are as few as places: figures can change what they make of them.
  by_language: 'organization_id, toDate(time), language, class',
} as const

const addProjection = (name: keyof typeof scanProjections) =>
  `alter table scans add projection if not exists ${name} (
     select ${scanProjections[name]}, count() group by ${scanProjections[name]})`

/**
 * The migrations of the scan store, oldest first. A release that changes the schema appends one.
 * ClickHouse has no transactions for this, so each statement can run again: an interrupted
 * migration is simply repeated. No statement rewrites rows, so none takes longer with more of them:
 * `rewrites.ts` lists what existing rows get in the background.
 */
const migrations: readonly { name: string; statements: readonly string[] }[] = [
  {
    name: 'scans and first scans',
    statements: [
      // Ordered as analytics read: all scans of one code, or of one organization, are in one
      // stretch. `batch_id` is ordered by time, so its minimum and maximum let a count of a batch
      // skip most of the table.
      `create table if not exists scans (
         organization_id LowCardinality(String),
         qr_code_id String codec(ZSTD(1)),
         time DateTime64(3, 'UTC') codec(Delta, ZSTD(1)),
         writer LowCardinality(String),
         sequence UInt64 codec(Delta, ZSTD(1)),
         visitor UUID,
         class Enum8('human' = 1, 'bot' = 2, 'preview' = 3, 'prefetch' = 4),
         bot_reason LowCardinality(String),
         country LowCardinality(String),
         city LowCardinality(String),
         region LowCardinality(String),
         latitude Nullable(Float32) codec(ZSTD(1)),
         longitude Nullable(Float32) codec(ZSTD(1)),
         device_type LowCardinality(String),
         os LowCardinality(String),
         browser LowCardinality(String),
         referrer LowCardinality(String),
         language LowCardinality(String),
         batch_id String codec(ZSTD(1)),
         index batch_ids batch_id type minmax granularity 1
       )
       engine = MergeTree
       partition by toYYYYMM(time)
       order by (organization_id, qr_code_id, time, writer, sequence)
       settings
         fsync_after_insert = 1,
         fsync_part_directory = 1,
         min_rows_to_fsync_after_merge = 1,
         non_replicated_deduplication_window = 10000`,
      // For each visitor of a code, the scan with the least place. A minimum is the same in
      // whatever order, and however often, scans are inserted. Merges keep one row for each
      // visitor; until then, queries take the least of several rows.
      `create table if not exists first_scans (
         organization_id LowCardinality(String),
         qr_code_id String codec(ZSTD(1)),
         visitor UUID,
         place SimpleAggregateFunction(min, UInt256) codec(ZSTD(1))
       )
       engine = AggregatingMergeTree
       order by (organization_id, qr_code_id, visitor)
       settings
         fsync_after_insert = 1,
         fsync_part_directory = 1,
         min_rows_to_fsync_after_merge = 1`,
      `create materialized view if not exists first_scans_feed to first_scans as
         select organization_id, qr_code_id, visitor, min(${placeOfScan}) as place
         from scans
         where class = 'human'
         group by organization_id, qr_code_id, visitor`,
    ],
  },
  {
    name: 'rollups',
    statements: [
      // Nearly every query reads these columns to find the scans of a code and a period. The codec
      // halves the time to unpack them and takes 4 % more space (measured). Merges of parts apply
      // it.
      `alter table scans modify column qr_code_id codec(LZ4), modify column time codec(Delta, LZ4)`,
      `alter table first_scans modify column qr_code_id codec(LZ4)`,
      // Country and city as one value: a query that groups by both uses one dictionary, not two. A
      // country has no space.
      `alter table scans add column if not exists
         country_city LowCardinality(String) materialized concat(country, ' ', city) after city`,
      // Counts for queries over whole days or months. They belong to the parts of the table: a
      // failed insert or a delete also removes them, so they cannot differ from the scans. Existing
      // parts get them in the background and are read scan by scan until then. Two more were here,
      // which later releases replaced: `obsoleteProjections`.
      `alter table scans modify setting lightweight_mutation_projection_mode = 'rebuild'`,
      addProjection('by_quarter_hour'),
      addProjection('by_code'),
      // The time of a place: a quarter of the bytes to read.
      `alter table first_scans add column if not exists
         time SimpleAggregateFunction(min, DateTime64(3, 'UTC'))
         materialized fromUnixTimestamp64Milli(toInt64(bitShiftRight(place, 128)), 'UTC') codec(LZ4)`,
    ],
  },
  {
    name: 'what figures read',
    statements: [
      // The store computes these columns from others, so another release can compute them in
      // another way.
      ...Object.entries({ scans: 'UInt64', first_scans: 'SimpleAggregateFunction(any, UInt64)' }).map(
        ([table, type]) =>
          `alter table ${table} add column if not exists
             code_hash ${type} materialized cityHash64(organization_id, qr_code_id) codec(LZ4)`,
      ),
      // Type, system and browser as one value. No name has a line feed, because no header can.
      `alter table scans add column if not exists
         device LowCardinality(String) materialized concat(toString(device_type), '\n', toString(os), '\n', toString(browser))
         after browser`,
      addProjection('by_devices'),
    ],
  },
  {
    name: 'short code and answer',
    statements: [
      // The new columns are empty in existing rows. Nothing is rewritten.
      `alter table scans
         add column if not exists short_code String codec(ZSTD(1)),
         add column if not exists domain LowCardinality(String),
         add column if not exists rule LowCardinality(String),
         add column if not exists arm LowCardinality(String)`,
    ],
  },
  {
    name: 'regions and selections',
    statements: [
      // Country, region and city as one value, in place of `country_city`, which processes of the
      // release before still read during an update.
      `alter table scans add column if not exists
         place LowCardinality(String)
         materialized concat(toString(country), '\n', if(region = '', 'Unknown', toString(region)), '\n', toString(city))
         after city`,
      addProjection('by_place'),
      // Long lists of codes whose figures are requested together. A part is deleted as a whole.
      `create table if not exists selected_codes (
         selection String,
         qr_code_id String,
         stored_at DateTime default now()
       )
       engine = MergeTree
       partition by toDate(stored_at)
       order by selection
       ttl stored_at + interval 1 day
       settings ttl_only_drop_parts = 1`,
    ],
  },
  {
    name: 'destinations',
    statements: [
      // Rule and arm as one value: a grouping by both columns, or by a text made of them, takes
      // five times as long (measured). Existing rows, from before rules, compute it when read.
      `alter table scans add column if not exists
         destination LowCardinality(String) materialized concat(toString(rule), '\n', toString(arm))
         after arm`,
    ],
  },
  {
    name: 'scans of nobody',
    // In one statement: an insert between a removal and a creation of the view would find none.
    statements: [`alter table first_scans_feed modify query ${firstScansOf()}`],
  },
  {
    name: 'languages',
    statements: [addProjection('by_language')],
  },
]

/** Returns the names of the migrations that a start applies to a store of an older schema. */
export function pendingStoreMigrations(schema: number): string[] {
  return migrations.slice(schema).map(({ name }) => name)
}

/** A statement may wait for others as long as a connection lasts, while the store answers. */
const patient = { deadlineMs: 10 * 60_000, failsIfHung: true } as const

/** The oldest ClickHouse that is supported: year and month of its version. */
export const clickhouseVersionMin = [25, 3] as const

/** The version of the schema that this release works with. */
export const scanStoreSchema = migrations.length

/**
 * Migrates the store to this release's schema, or to the older version `upTo`: in seconds, however
 * many rows it has. Does nothing if the store is there already. Two processes may migrate at once.
 * Throws a `FatalError`, before it changes the schema, if the store is newer than this release or
 * the server is too old.
 */
export async function migrateScanStore(store: ClickHouse, upTo = scanStoreSchema): Promise<void> {
  await refuseUnusable(store)
  await store.command(
    `/* analytics.migrateScanStore */
     create table if not exists schema_versions (version UInt32, name String, applied_at DateTime default now())
     engine = MergeTree order by version
     settings fsync_after_insert = 1, fsync_part_directory = 1`,
  )
  const current = await schemaVersion(store)
  for (const [index, { name, statements }] of migrations.entries()) {
    if (index < current || index >= upTo) continue
    for (const statement of statements)
      await store.command(`/* analytics.migrateScanStore */ ${statement}`, {}, patient)
    await store.insert('schema_versions', ['version', 'name'], [Buffer.from(`${index + 1}\t${name}\n`)])
  }
}

/** Whether the store answers and has this release's schema or a newer one. */
export async function scanStoreReady(store: ClickHouse): Promise<boolean> {
  try {
    return (await schemaVersion(store)) >= scanStoreSchema
  } catch {
    return false
  }
}

async function schemaVersion(store: ClickHouse): Promise<number> {
  const [row] = await store.select<{ version: number }>(
    '/* analytics.schemaVersion */ select max(version) as version from schema_versions',
    {},
    { deadlineMs: 5000 },
  )
  return row?.version ?? 0
}

/**
 * Throws a `FatalError` if the store is of a later release or the server is too old. Creates the
 * database if it is missing.
 */
export async function refuseUnusable(store: ClickHouse): Promise<void> {
  await store.createDatabase()
  await refuseOldServer(store)
  await refuseLaterRelease(store)
}

/** Returns the schema version of a store, or 0 if it has none yet. */
export async function readStoreSchema(store: ClickHouse): Promise<number> {
  const [found] = await store.select<{ count: number }>(
    `/* analytics.readStoreSchema */
     select count() as count from system.tables where database = currentDatabase() and name = 'schema_versions'`,
  )
  return found?.count === 1 ? await schemaVersion(store) : 0
}

async function refuseLaterRelease(store: ClickHouse): Promise<void> {
  const current = await readStoreSchema(store)
  if (current > scanStoreSchema)
    throw new FatalError(problem('scanStoreLater', { schema: current, known: scanStoreSchema }))
}

async function refuseOldServer(store: ClickHouse): Promise<void> {
  const [row] = await store.select<{ version: string }>(
    '/* analytics.refuseOldServer */ select version() as version',
  )
  const refusal = serverRefusal(row?.version ?? '')
  if (refusal !== undefined) throw new FatalError(refusal)
}

/**
 * Returns the reason why a server cannot be the scan store, or `undefined` if it can. `version` is
 * ClickHouse's own, such as `26.5.1.1`.
 */
export function serverRefusal(version: string): Problem | undefined {
  const [year = 0, month = 0] = version.split('.').map(Number)
  const [yearMin, monthMin] = clickhouseVersionMin
  if (year > yearMin || (year === yearMin && month >= monthMin)) return undefined
  return problem('scanServerTooOld', { min: clickhouseVersionMin.join('.'), version })
}
