import { problem } from '@everscan/contract/problems/problem.ts'
import {
  pendingStoreMigrations,
  readStoreSchema,
  scanStoreSchema,
  serverRefusal,
} from '../analytics/store/migrations.ts'
import {
  readDetachedParts,
  readScanProblem,
  readOpenMutations,
  readStoreDisks,
  readStoreServer,
  readTableParts,
  readUnsyncedTables,
  type DetachedPart,
  type OpenMutation,
  type TableParts,
} from '../analytics/store/store-facts.ts'
import { readRewrite } from '../analytics/store/rewrites.ts'
import type { Config } from '../settings/settings.ts'
import { storeKindOf } from '../settings/store-kind.ts'
import type { RewriteState } from '../analytics/scan-store.ts'
import type { ClickHouse } from '../analytics/store/clickhouse.ts'
import { isNearlyFull } from '../processes/disk-room.ts'
import { bytesText, countText, durationText, someOf } from '../amounts.ts'
import { findProblem } from '../problems/parts.ts'
import { failed, naming, notice, ok, warning, type Check, type CheckGroup, type Finding } from './check.ts'
import { CannotTell } from './cannot-tell.ts'
import { startFirst, type DoctorContext } from './context.ts'
import { scanFileFindings } from './scan-files/scan-file-checks.ts'

const slowAnswerMs = 500
/**
 * The store delays inserts from 1,000 parts on (`parts_to_delay_insert`), and refuses them from
 * 3,000 on (`parts_to_throw_insert`).
 */
const partsMax = 300
const mutationMsMax = 6 * 3_600_000

type OfFiles = (context: DoctorContext, signal: AbortSignal) => Promise<Finding>
const notOfFiles: OfFiles = async () => ok('none: scans are in files')

/** Creates a check that reads a fact from the store; `ofFiles` is what it says of one in files. */
function storeCheck<Value>(
  [name, title]: readonly [name: string, title: string],
  read: (store: ClickHouse) => Promise<Value>,
  judge: (value: Value) => Finding,
  ofFiles: OfFiles = notOfFiles,
): Check {
  return {
    name,
    title,
    run: async (context, signal) =>
      storeKindOf(context.config) === 'files'
        ? ofFiles(context, signal)
        : judge(await read(await context.store())),
  }
}

/** Creates a check of what only a store in files has. */
function fileCheck(name: string, title: string, run: OfFiles): Check {
  return {
    name,
    title,
    run: async (context, signal) =>
      storeKindOf(context.config) === 'files' ? run(context, signal) : ok('none: scans are not in files'),
  }
}

const answers: Check = {
  name: 'store.answers',
  title: 'Answer time',
  run: async ({ config, isRunning, store, engine }) => {
    try {
      const ping = await pingOf(config, { store, engine })
      const fromMs = performance.now()
      await ping()
      const answerMs = performance.now() - fromMs
      const says = `in ${Math.round(answerMs)} ms`
      return answerMs <= slowAnswerMs
        ? ok(says)
        : warning(
            `${says}: figures wait for it`,
            storeKindOf(config) === 'files'
              ? 'find out what keeps the machine, or the disk of DATA_DIR, busy'
              : 'find out what keeps it busy: select * from system.processes',
          )
    } catch (error) {
      // The store is not at fault if the service does not run.
      const isAtFault = storeKindOf(config) === 'server' || isRunning
      if (!(error instanceof CannotTell) || !isAtFault) throw error
      return naming(
        failed(`${error.message}: scans wait in the journal, figures fail`, error.mend),
        error.found,
      )
    }
  },
}

async function pingOf(
  config: Config,
  { store, engine }: Pick<DoctorContext, 'store' | 'engine'>,
): Promise<() => Promise<unknown>> {
  if (storeKindOf(config) === 'files') {
    const { rows } = await engine()
    return () => rows('select 1')
  }
  const opened = await store()
  return () => readStoreServer(opened)
}

/** Known without the store, which creates an empty one where its folder is missing. */
const folder: Check = {
  name: 'store.folder',
  title: 'Folder of the scan store',
  run: async (context) => {
    if (storeKindOf(context.config) === 'server') return ok('none: CLICKHOUSE_URL is set')
    return await scanFileFindings.folder(context)
  },
}

export function judgeReading(code: string | undefined): Finding {
  if (code === undefined) return ok('they can be read')
  if (/^UNKNOWN_(TABLE|DATABASE)$/.test(code)) throw new CannotTell('it has no tables yet', startFirst)
  return naming(
    failed(
      `they cannot be read (${code}): figures fail, and no copy can be made`,
      'see whether its disk is mounted and its files are there; else restore a copy: ./everscan restore FILE',
    ),
    problem('ingestStoreRefused', { code }),
  )
}

export const storeChecks: CheckGroup = {
  title: 'Scan store',
  checks: [
    folder,
    answers,
    storeCheck(['store.scans', 'Files of scans'], readScanProblem, judgeReading, scanFileFindings.scans),
    fileCheck('store.unlisted-files', 'Files that are not listed', scanFileFindings.unlisted),
    fileCheck('store.first-visits', 'Index of first visits', scanFileFindings.firstVisits),
    storeCheck(['store.version', 'Version'], readStoreServer, ({ version }) => judgeStoreVersion(version)),
    storeCheck(['store.schema', 'Schema'], readStoreSchema, judgeStoreSchema),
    storeCheck(['store.upgrade', 'Old rows'], readRewrite, judgeRewrite),
    storeCheck(['store.detached-parts', 'Detached parts'], readDetachedParts, judgeDetachedParts),
    storeCheck(['store.parts', 'Parts and merges'], readTableParts, judgeTableParts, scanFileFindings.merges),
    storeCheck(['store.mutations', 'Mutations'], readOpenMutations, judgeMutations),
    storeCheck(['store.durability', 'Flushes of inserts'], readUnsyncedTables, judgeUnsyncedTables),
    storeCheck(['store.disks', 'Free space on its disks'], readStoreDisks, judgeStoreDisks, async (context) =>
      judgeStoreDisks(await scanFileFindings.disks(context)),
    ),
  ],
}

export function judgeStoreVersion(version: string): Finding {
  const refusal = serverRefusal(version)
  return refusal === undefined
    ? ok(`ClickHouse ${version}`)
    : naming(failed(refusal.message, 'upgrade the server: the next start is refused'), refusal)
}

export function judgeStoreSchema(schema: number): Finding {
  if (schema > scanStoreSchema)
    return naming(
      failed(
        `a later release upgraded it (schema ${schema}, this release knows up to ${scanStoreSchema})`,
        'run that release, or restore a copy from before the upgrade',
      ),
      problem('scanStoreLater', { schema, known: scanStoreSchema }),
    )
  const pending = pendingStoreMigrations(schema)
  return pending.length === 0
    ? ok(`version ${schema}, that of this release`)
    : warning(
        `version ${schema}, behind this release's ${scanStoreSchema} (${someOf(pending)})`,
        './everscan upgrade --check shows what the next start does',
      )
}

export function judgeRewrite(state: RewriteState): Finding {
  return naming(findingOfRewrite(state), findProblem('scanStoreUpgrade', { ...state, nowMs: Date.now() }))
}

function findingOfRewrite({ rows, rowsLeft, startedAtMs, endsAtMs, problem: stuck }: RewriteState): Finding {
  if (rowsLeft === 0) return ok('all rows have what this release reads')
  const done = rows - rowsLeft
  const says = `${done.toLocaleString('en')} of ${countText(rows, 'row')} are rewritten (${Math.floor((100 * done) / rows)} %)`
  if (stuck !== '')
    return warning(
      `${says}, and the store cannot go on: ${stuck.slice(0, 200)}`,
      'fix the cause, such as a full disk: the store tries again by itself',
    )
  if (startedAtMs === undefined)
    return notice(`${says}, and no rewrite runs`, 'the running service of this release begins it by itself')
  const left =
    endsAtMs === undefined ? '' : `, about ${durationText(Math.max(0, endsAtMs - Date.now()))} left`
  return notice(`${says}${left}`, 'nothing: codes redirect and figures stay right meanwhile')
}

export function judgeDetachedParts(parts: readonly DetachedPart[]): Finding {
  if (parts.length === 0) return ok('none')
  const bytes = parts.reduce((sum, part) => sum + part.bytes, 0)
  const names = parts.map(
    ({ table, name, reason }) => `${table}/${name}${reason === '' ? '' : ` (${reason})`}`,
  )
  const detached = parts.map(({ table, name: part, reason: why }) => ({ table, part, why }))
  return naming(
    warning(
      `${countText(parts.length, 'part')} (${bytesText(bytes)}), whose rows no figure counts: ${someOf(names)}`,
      'restart the service, which puts back the rows that it kept; then remove the parts with alter table … drop detached part, and do not attach them',
    ),
    findProblem('scanParts', { detached, broken: [] }),
  )
}

export function judgeTableParts(tables: readonly TableParts[]): Finding {
  const most = Math.max(0, ...tables.map((table) => table.partsMax))
  const scans = tables.find(({ table }) => table === 'scans')
  const bytes = tables.reduce((sum, table) => sum + table.bytes, 0)
  const says = `${countText(scans?.rows ?? 0, 'hit')} in ${bytesText(bytes)}, ${countText(most, 'part')} in the fullest month`
  return most <= partsMax
    ? ok(says)
    : warning(
        `${says}: merges do not keep up, and from 1,000 parts on inserts wait`,
        'give the scan store a faster disk or more processors; see system.merges',
      )
}

export function judgeMutations(open: readonly OpenMutation[]): Finding {
  if (open.length === 0) return ok('none is open')
  const failing = open.filter((mutation) => mutation.problem !== '')
  const [first] = failing
  if (first !== undefined)
    return warning(
      `${countText(failing.length, 'mutation fails', 'mutations fail')} repeatedly, such as ${first.table} ${first.command}: ${first.problem.slice(0, 200)}`,
      'fix the cause; end a mutation that is not needed with kill mutation',
    )
  const oldest = Math.max(...open.map(({ ageMs }) => ageMs))
  const left = open.reduce((sum, { partsLeft }) => sum + partsLeft, 0)
  const says = `${countText(open.length, 'mutation')} running for ${durationText(oldest)}, ${countText(left, 'part')} left`
  return oldest > mutationMsMax
    ? warning(`${says}: too long`, 'check the disk of the scan store, and restart it')
    : notice(says, 'nothing: figures stay right meanwhile')
}

export function judgeUnsyncedTables(names: readonly string[]): Finding {
  return names.length === 0
    ? ok('every insert is on disk before it is acknowledged')
    : warning(
        `a power loss can lose acknowledged inserts of ${someOf(names)}`,
        `alter table ${names[0]} modify setting fsync_after_insert = 1, fsync_part_directory = 1; the same for the others`,
      )
}

export function judgeStoreDisks(
  disks: readonly { name: string; freeBytes: number; sizeBytes: number }[],
): Finding {
  const textOf = ({ name, freeBytes, sizeBytes }: (typeof disks)[number]) =>
    `${bytesText(freeBytes)} of ${bytesText(sizeBytes)} are free on ${name}`
  const full = disks.filter((disk) => isNearlyFull(disk))
  return full.length === 0
    ? ok(disks.map(textOf).join(', ') || 'it reports none')
    : failed(
        `${full.map(textOf).join(', ')}: once a disk is full, scans wait in the journal`,
        'free space on it, enlarge it, or limit the age of scans with RETENTION_DAYS',
      )
}
