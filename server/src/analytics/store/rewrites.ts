import { setTimeout as sleep } from 'node:timers/promises'
import { keysOf } from '@everscan/contract/schema/records.ts'
import { scanProjections } from './migrations.ts'
import type { RewriteState } from '../scan-store.ts'
import type { ClickHouse } from './clickhouse.ts'

/**
 * Columns and projections that the store derives from others. Existing rows get them in the
 * background after the schema has changed. Until then the store computes the columns when it reads
 * them, and reads scan by scan where it would use the projections, so figures stay right. A
 * migration that adds a derived column adds it here. All of them are computed in one rewrite of a
 * part.
 */
const derived = [
  ['scans', 'column', 'code_hash'],
  ['scans', 'column', 'device'],
  ['scans', 'column', 'place'],
  ...keysOf(scanProjections).map((name) => ['scans', 'projection', name] as const),
  ['first_scans', 'column', 'time'],
  ['first_scans', 'column', 'code_hash'],
] as const

/** Projections of `scans` that no query of this release reads: they go after the rewrite. */
const obsoleteProjections = ['by_device', 'by_city'] as const

const tables = ['scans', 'first_scans'] as const
/** Queries that run after incoming scans and figures. */
const last = { settings: { priority: '3' } }
const pollMsDefault = 1_000

/** A month of scans, or all first scans, and what its rows lack. */
type Lack = { table: string; partition: string; parts: ReadonlySet<string>; rows: number; what: string[] }
type Part = { table: string; partition: string; name: string; rows: number; has: string[] }
type Mutation = {
  table: string
  what: string
  /** Undefined: every partition. */
  partition: string | undefined
  isDone: boolean
  createdAtMs: number
  problem: string
}
type Reading = RewriteState & { open: readonly Mutation[]; lacks: readonly Lack[] }

/** Returns how far the rewrite is. `rowsLeft` is 0 if there is nothing to do. Changes nothing. */
export async function readRewrite(store: ClickHouse): Promise<RewriteState> {
  const { rows, rowsLeft, startedAtMs, endsAtMs, problem } = await readAll(store)
  return { rows, rowsLeft, startedAtMs, endsAtMs, problem }
}

/**
 * Gives existing rows what they lack: one month after the other, the newest first, so that other
 * mutations never wait for more than one. Resolves when nothing is left, or when `signal` is
 * aborted. It looks at the parts and at the mutations of the store before each order, so whatever
 * ended an earlier call, nothing is ordered twice. Throws if the store does not answer. One process
 * at a time calls it.
 */
export async function rewriteStore(
  store: ClickHouse,
  {
    signal,
    onState = () => undefined,
    pollMs = pollMsDefault,
  }: { signal: AbortSignal; onState?: (state: RewriteState) => void; pollMs?: number },
): Promise<void> {
  let before: readonly Lack[] = []
  while (!signal.aborted) {
    const { open, lacks, ...state } = await readAll(store)
    onState(state)
    if (lacks.length === 0 && open.length === 0) return await dropObsolete(store)
    const next = open.length === 0 ? lacks.find((lack) => isConfirmed(lack, before)) : undefined
    if (next !== undefined) await order(store, next)
    before = lacks
    await sleep(pollMs, undefined, { signal }).catch(() => undefined)
  }
}

/**
 * Whether a former reading found the same. The store replaces parts while it is read, and a part
 * that is just replaced seems to lack everything; but a part that exists never changes.
 */
function isConfirmed({ table, partition, parts }: Lack, before: readonly Lack[]): boolean {
  const former = before.find((lack) => lack.table === table && lack.partition === partition)
  return former !== undefined && [...parts].some((part) => former.parts.has(part))
}

/** Orders one rewrite of a partition. The store goes on with it after a crash of its own. */
async function order(store: ClickHouse, { table, partition, what }: Lack): Promise<void> {
  const steps = what.map((each) => `materialize ${each} in partition id '${partition}'`)
  await store.command(
    `/* analytics.rewriteStore */ alter table ${table} ${steps.join(', ')} settings mutations_sync = 0`,
    {},
    // The store refuses an order that a killed process sent and that is still under way.
    { queryId: `everscan rewrite ${store.database} ${table} ${partition}` },
  )
}

async function dropObsolete(store: ClickHouse): Promise<void> {
  const found = await store.select<{ name: string }>(
    `/* analytics.rewriteStore */
     select name from system.projections
     where database = {database:String} and table = 'scans' and name in {names:Array(String)}`,
    { database: store.database, names: obsoleteProjections },
    last,
  )
  for (const { name } of found)
    await store.command(
      `/* analytics.rewriteStore */
       alter table scans drop projection if exists ${name} settings mutations_sync = 0, alter_sync = 0`,
    )
}

async function readAll(store: ClickHouse): Promise<Reading> {
  const parts = await readParts(store)
  // Read after the parts: a rewrite that ended in between is found here.
  const all = await readMutations(store)
  const running = await readRunning(store)
  const open = all.filter(({ isDone }) => !isDone)
  const lacks = lacksOf(parts, all)
  const wanted = new Set(lacks.flatMap(({ table, what }) => what.map((each) => `${table} ${each}`)))
  // Orders of this rewrite. Earlier ones were of other columns.
  const ours = all.filter(
    ({ table, what, partition, isDone }) =>
      partition !== undefined && (!isDone || wanted.has(`${table} ${what}`)),
  )
  const rewritten = running.reduce((sum, { rows }) => sum + rows, 0)
  const rows = parts.reduce((sum, part) => sum + part.rows, 0)
  const allLeft = lacks.reduce((sum, lack) => sum + lack.rows, 0)
  const rowsLeft = allLeft === 0 ? 0 : Math.max(1, allLeft - rewritten)
  const startedAtMs = ours.length === 0 ? undefined : Math.min(...ours.map((each) => each.createdAtMs))
  const done = new Set(
    ours.flatMap(({ table, partition, isDone }) => (isDone ? [`${table} ${partition}`] : [])),
  )
  const doneRows =
    rewritten +
    parts.reduce((sum, part) => sum + (done.has(`${part.table} ${part.partition}`) ? part.rows : 0), 0)
  return {
    rows,
    rowsLeft,
    startedAtMs,
    endsAtMs: endOf({ startedAtMs, doneRows, rowsLeft }),
    problem: open.find(({ problem }) => problem !== '')?.problem ?? '',
    open,
    lacks,
  }
}

function endOf({
  startedAtMs,
  doneRows,
  rowsLeft,
}: {
  startedAtMs: number | undefined
  doneRows: number
  rowsLeft: number
}): number | undefined {
  if (startedAtMs === undefined || doneRows === 0 || rowsLeft === 0) return undefined
  return Date.now() + Math.round(((Date.now() - startedAtMs) * rowsLeft) / doneRows)
}

const key = ({ table, partition }: { table: string; partition: string }) => `${table} ${partition}`

/** Returns what rows lack, the newest month first; first scans come last. */
function lacksOf(parts: readonly Part[], mutations: readonly Mutation[]): Lack[] {
  const lacks = new Map<
    string,
    { table: string; partition: string; parts: Set<string>; rows: number; what: Set<string> }
  >()
  for (const { table, partition, name, rows, has } of parts) {
    const what = derived.flatMap(([of, kind, thing]) => (of === table ? [`${kind} ${thing}`] : []))
    const lacking = what.filter((each) => !has.includes(each))
    // A rewrite that is done did all that it could.
    const missing = lacking.filter(
      (each) => !mutations.some((one) => one.isDone && covers(one, { table, partition, what: each })),
    )
    if (missing.length === 0) continue
    const lack = lacks.get(`${table} ${partition}`) ?? {
      table,
      partition,
      parts: new Set(),
      rows: 0,
      what: new Set(),
    }
    lack.parts.add(name)
    lack.rows += rows
    for (const each of missing) lack.what.add(each)
    lacks.set(`${table} ${partition}`, lack)
  }
  return [...lacks.values()]
    .map((lack) => ({ ...lack, what: [...lack.what] }))
    .sort((a, b) => (key(a) < key(b) ? 1 : -1))
}

function covers(
  mutation: Mutation,
  { table, partition, what }: { table: string; partition: string; what: string },
): boolean {
  return (
    mutation.table === table &&
    mutation.what === what &&
    (mutation.partition === undefined || mutation.partition === partition)
  )
}

const derivedColumns = [...new Set(derived.flatMap(([, kind, name]) => (kind === 'column' ? [name] : [])))]

/** Returns the parts that have rows, with the derived columns and projections in each. */
async function readParts(store: ClickHouse): Promise<Part[]> {
  const columns = await store.select<Part>(
    `/* analytics.readRewrite */
     select table, partition_id as partition, name, rows,
       arrayMap(c -> concat('column ', c), groupUniqArrayIf(column, column in {columns:Array(String)})) as has
     from system.parts_columns
     where database = {database:String} and table in {tables:Array(String)} and active and rows > 0
     group by table, partition, name, rows`,
    { database: store.database, tables, columns: derivedColumns },
    last,
  )
  const projections = await store.select<{ table: string; part: string; has: string[] }>(
    `/* analytics.readRewrite */
     select table, parent_name as part, arrayMap(p -> concat('projection ', p), groupUniqArray(name)) as has
     from system.projection_parts
     where database = {database:String} and table in {tables:Array(String)} and active
     group by table, parent_name`,
    { database: store.database, tables },
    last,
  )
  const more = new Map(projections.map(({ table, part, has }) => [`${table} ${part}`, has]))
  return columns.map((part) => ({
    ...part,
    has: [...part.has, ...(more.get(`${part.table} ${part.name}`) ?? [])],
  }))
}

/** ClickHouse's own form of a command, in which newer releases put it into brackets. */
const commandForm = /^\(?MATERIALIZE (COLUMN|PROJECTION) `?(\w+)`?(?: IN PARTITION ID '(\w+)')?\)?$/

async function readMutations(store: ClickHouse): Promise<Mutation[]> {
  const rows = await store.select<{
    table: string
    command: string
    isDone: 0 | 1
    createdAtMs: number
    problem: string
  }>(
    `/* analytics.readRewrite */
     select table, command, is_done as isDone, 1000 * toUnixTimestamp(create_time) as createdAtMs,
       latest_fail_reason as problem
     from system.mutations
     where database = {database:String} and table in {tables:Array(String)} and command like '%MATERIALIZE %'`,
    { database: store.database, tables },
    last,
  )
  return rows.flatMap(({ command, isDone, ...row }) => {
    const [, kind, name, partition] = commandForm.exec(command) ?? []
    return kind === undefined
      ? []
      : [{ ...row, what: `${kind.toLowerCase()} ${name}`, partition, isDone: isDone === 1 }]
  })
}

/** Returns the rows that running rewrites have done: projections take about half of the time. */
function readRunning(store: ClickHouse): Promise<{ rows: number }[]> {
  return store.select(
    `/* analytics.readRewrite */
     select toUInt64(p.rows * m.progress / 2) as rows
     from system.merges as m
     join system.parts as p on p.database = m.database and p.table = m.table and p.name = m.source_part_names[1]
     where m.database = {database:String} and m.table in {tables:Array(String)} and m.is_mutation and p.active`,
    { database: store.database, tables },
    last,
  )
}

const sampleRowsMax = 500_000
/**
 * A rewrite also reads and writes all columns, and sorts what it groups. Measured with the soak of
 * upgrades.
 */
const rewriteFactor = 2

/**
 * Measures on a sample of the store's rows, on one thread, what a rewrite of them takes. Changes
 * nothing.
 */
export async function measureRewrite(
  store: ClickHouse,
): Promise<{ measuredRows: number; measuredMs: number }> {
  // Rows of an older release lack columns that the store computes, and have others empty.
  const computed: Readonly<Record<string, string>> = {
    ...Object.fromEntries(['short_code', 'domain', 'rule', 'arm'].map((name) => [name, "''"])),
    qr_code_id: 'qr_code_id, cityHash64(organization_id, qr_code_id)',
    device: `concat(toString(device_type), '\\n', toString(os), '\\n', toString(browser))`,
    place: `concat(toString(country), '\\n', toString(region), '\\n', toString(city))`,
  }
  const groups = Object.values(scanProjections).map((columns) =>
    columns.replaceAll(/\w+/g, (name) => (Object.hasOwn(computed, name) ? (computed[name] ?? name) : name)),
  )
  const fromMs = performance.now()
  const counts = await store.select<{ rows: number }>(
    `/* analytics.measureRewrite */
     ${groups.map((group) => `select sum(rows) as rows from (select count() as rows from (select * from scans limit {sample:UInt32}) group by ${group})`).join(' union all ')}`,
    { sample: sampleRowsMax },
    { deadlineMs: 60_000, settings: { ...last.settings, max_threads: 1 } },
  )
  return {
    measuredRows: Math.max(1, counts[0]?.rows ?? 0),
    measuredMs: Math.round(rewriteFactor * (performance.now() - fromMs)),
  }
}
