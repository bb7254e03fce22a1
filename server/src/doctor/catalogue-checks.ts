import { readMachines } from '../catalogue/installation/machines.ts'
import { statSync } from 'node:fs'
import { basename } from 'node:path'
import { copiesOf } from '../db/migrations/catalogue-copies.ts'
import type { DatabaseSize, DurabilitySetting, OldTransactions } from '../db/dialects/database-facts.ts'
import { factsOf } from '../db/dialects/dialect-facts.ts'
import { openDatabase } from '../db/open-database.ts'
import { listReservedCodes } from '../db/scans/reserved-codes.ts'
import { migrations } from '../db/migrations/migrate.ts'
import { readPendingMigrations } from '../db/migrations/schema-state.ts'
import { placeOf } from '../db/database-problems.ts'
import { bytesText, countText, dayText, durationText, someOf } from '../amounts.ts'
import { failed, notice, ok, warning, type Check, type CheckGroup, type Finding } from './check.ts'
import { CannotTell } from './cannot-tell.ts'
import type { DoctorContext } from './context.ts'
import { writes } from './catalogue-writes.ts'

const slowAnswerMs = 250
const logBytesMax = 256 * 1024 ** 2
const unusedBytesMin = 256 * 1024 ** 2
const unusedShareMax = 0.4
const transactionMsMax = 10 * 60_000
const wraparoundShareMax = 0.5
const connectionsShareMax = 0.8
/** Of a `front`: for notices of changes, and once it has codes with limits. */
const otherConnections = 1 + 2
const copyDaysMax = 30
const dayMs = 86_400_000
const codesShown = 100

/** Creates a check that reads a fact of `factsOf`, whatever release made the schema. */
function factCheck<Value>(
  name: string,
  title: string,
  read: (context: DoctorContext, signal: AbortSignal) => Promise<Value>,
  judge: (value: Value, context: DoctorContext) => Finding,
): Check {
  return { name, title, run: async (context, signal) => judge(await read(context, signal), context) }
}

const answers: Check = {
  name: 'catalogue.answers',
  title: 'Answer time',
  run: async (context) => {
    try {
      const db = await context.database()
      const fromMs = performance.now()
      await factsOf(db).readServer(db)
      return judgeAnswerMs(performance.now() - fromMs)
    } catch (error) {
      // This check looks for exactly this problem.
      if (error instanceof CannotTell) return failed(error.message, error.mend)
      throw error
    }
  },
}

const schema = factCheck(
  'catalogue.schema',
  'Schema',
  async ({ database }) => readPendingMigrations(await database()),
  ({ missing, unknown }) => judgeSchema(missing, unknown),
)

const version = factCheck(
  'catalogue.version',
  'Version',
  async ({ database }) => {
    const db = await database()
    const { product, refusal } = await factsOf(db).readServer(db)
    return { product, refusal, ends: factsOf(db).supportEnds(product) }
  },
  (server, { nowMs }) => judgeVersion(server, nowMs),
)

const durability = factCheck(
  'catalogue.durability',
  'Durability settings',
  async ({ database }) => {
    const db = await database()
    return factsOf(db).readDurability(db)
  },
  judgeDurability,
)

const connections = factCheck(
  'catalogue.connections',
  'Connections',
  async ({ catalogue }) => {
    const db = await catalogue()
    const connectionsFound = await factsOf(db).readConnections(db)
    if (connectionsFound === undefined) return undefined
    const live = (await readMachines(db)).filter(({ state }) => state === 'LIVE')
    return { ...connectionsFound, machines: live.length }
  },
  (found, { config, isRunning }) => judgeConnections(found, connectionsOf(config), isRunning),
)

const pooler = factCheck(
  'catalogue.pooler',
  'Pooler',
  async ({ database }) => {
    const db = await database()
    return factsOf(db).isPooled(db)
  },
  (isPooled) =>
    isPooled === true
      ? notice(
          'connections go through a pooler: lookups of codes that are not in memory take 0.3 ms instead of 0.06',
          'nothing, or name the server itself in DATABASE_URL; docs/databases.md says what a pooler must allow',
        )
      : ok(isPooled === undefined ? 'a file needs none' : 'none'),
)

const encryption = factCheck(
  'catalogue.encryption',
  'Encryption of the connection',
  async ({ database }) => {
    const db = await database()
    return factsOf(db).readEncryption(db)
  },
  judgeEncryption,
)

const transactions = factCheck(
  'catalogue.transactions',
  'Old transactions',
  async ({ database }) => {
    const db = await database()
    return factsOf(db).readOldTransactions(db)
  },
  judgeTransactions,
)

const size = factCheck(
  'catalogue.size',
  'Size',
  async ({ database }) => {
    const db = await database()
    return factsOf(db).readSize(db)
  },
  (found, { config }) => judgeSize(found, config.databaseUrl),
)

const statistics: Check = {
  ...factCheck(
    'catalogue.statistics',
    'Statistics of the planner',
    async ({ database }) => {
      const db = await database()
      return factsOf(db).readUnknownTables(db)
    },
    (tables) =>
      tables.length === 0
        ? ok('it has statistics of every table')
        : warning(
            `it has no statistics of ${someOf(tables)}, so it may choose slow plans`,
            'run "analyze;" as SQL, or ./everscan doctor --fix, and turn autovacuum on',
          ),
  ),
  fix: async ({ config, log }) => {
    const db = await openDatabase({ ...config, role: 'writer', log })
    try {
      await factsOf(db).analyze(db)
      return 'analyzed all tables'
    } finally {
      await db.close()
    }
  },
}

const integrity = factCheck(
  'catalogue.integrity',
  'Integrity',
  async ({ database }, signal) => {
    const db = await database()
    return factsOf(db).readDamage(db, signal)
  },
  (damage) => {
    if (damage === undefined) return ok('the database server checks it')
    if (damage.length === 0) return ok('a quick check of the whole file found nothing')
    return failed(
      `the file is damaged: ${someOf(damage, 3)}`,
      'stop the service, keep the file, and restore a copy: ./everscan restore FILE, or a copy of your own',
    )
  },
)

const copies: Check = {
  name: 'catalogue.upgrade-copies',
  title: 'Copies from before upgrades',
  run: ({ config, nowMs }) => judgeUpgradeCopies(config.dataDir, nowMs),
}

const reserved = factCheck(
  'catalogue.reserved-codes',
  'Reserved short codes',
  async ({ catalogue }) => listReservedCodes(await catalogue(), codesShown),
  ({ codes, count }) =>
    count === 0
      ? ok('none')
      : notice(
          `${countText(count, 'code')} that only scans know, since an older catalogue was restored; they answer 410 and are never assigned again: ${codes.join(', ')}${count > codes.length ? ', …' : ''}`,
          'nothing; to get the codes back, restore a newer copy of the catalogue',
        ),
)

export const catalogueChecks: CheckGroup = {
  title: 'Catalogue',
  checks: [
    answers,
    version,
    schema,
    writes,
    durability,
    connections,
    pooler,
    encryption,
    transactions,
    size,
    statistics,
    integrity,
    copies,
    reserved,
  ],
}

function judgeAnswerMs(answerMs: number): Finding {
  const says = `in ${Math.round(answerMs * 10) / 10} ms`
  return answerMs <= slowAnswerMs
    ? ok(says)
    : warning(
        `${says}: every code that is not in memory waits for it`,
        'move the database closer to the service, or find out what keeps it busy',
      )
}

export function judgeSchema(missing: readonly string[], unknown: readonly string[]): Finding {
  if (unknown.length > 0)
    return failed(
      `a later release upgraded it (${unknown.join(', ')})`,
      'run that release, or restore a copy from before the upgrade',
    )
  if (missing.length === migrations.length)
    return warning(
      'there is none: nothing of Everscan is in this database',
      'if there should be, correct DATABASE_URL or DATA_DIR; else ./everscan start creates it',
    )
  return missing.length === 0
    ? ok('that of this release')
    : warning(
        `${countText(missing.length, 'migration')} behind this release (${someOf(missing)})`,
        './everscan upgrade --check shows what the next start does',
      )
}

export function judgeVersion(
  { product, refusal, ends }: { product: string; refusal: string | undefined; ends: string | undefined },
  nowMs: number,
): Finding {
  if (refusal !== undefined) return failed(refusal, 'upgrade it: the next start is refused')
  if (ends === undefined) return ok(product)
  return nowMs > Date.parse(ends)
    ? warning(`${product}: it has had no fixes since ${ends}`, 'upgrade the server')
    : ok(`${product}, which gets fixes until ${ends}`)
}

export function judgeDurability(settings: readonly DurabilitySetting[]): Finding {
  const wrong = settings.filter(({ keeps }) => keeps !== 'whole')
  if (wrong.length === 0) return ok(settingsText(settings))
  const mend = `set ${wrong.map(({ name }) => name).join(' and ')} to the default value`
  return wrong.some(({ keeps }) => keeps === 'broken')
    ? failed(`${settingsText(wrong)}: a power loss can damage all of it`, mend)
    : warning(
        `${settingsText(wrong)}: a power loss can lose the last changes, although they were acknowledged`,
        mend,
      )
}

function settingsText(settings: readonly DurabilitySetting[]): string {
  return settings.map(({ name, value }) => `${name} = ${value}`).join(', ')
}

/** Returns how many connections one machine may open, as docs/databases.md counts them. */
export function connectionsOf(
  config: Pick<DoctorContext['config'], 'frontProcesses' | 'apiProcesses' | 'databaseConnections'>,
): number {
  const { frontProcesses, apiProcesses, databaseConnections: each } = config
  const worker = 1
  return (Math.ceil(each / 2) + otherConnections) * frontProcesses + each * (apiProcesses + worker)
}

export function judgeConnections(
  found: { most: number; used: number; machines: number } | undefined,
  needed: number,
  isRunning: boolean,
): Finding {
  if (found === undefined) return ok('a file needs none')
  const { machines } = found
  const all = machines > 1 ? `, ${machines} machines up to ${needed * machines}` : ''
  const says = `${found.used} of ${found.most} are in use; each machine with these settings opens up to ${needed}${all}`
  const mend =
    'raise max_connections of the server, lower DATABASE_CONNECTIONS, or put a pooler in front of the server'
  if (needed > found.most) return failed(says, mend)
  const most = Math.max(found.used, needed * machines, isRunning ? needed : found.used + needed)
  return most > found.most * connectionsShareMax ? warning(says, mend) : ok(says)
}

export function judgeEncryption(found: { isEncrypted: boolean; isLocal: boolean } | undefined): Finding {
  if (found === undefined) return ok('a file has no connection')
  if (found.isEncrypted) return ok('encrypted')
  return found.isLocal
    ? ok('none, and the database is on this machine')
    : warning(
        'none: an attacker on the network can read and change everything',
        'turn ssl on in the server, and add sslmode=verify-full to DATABASE_URL',
      )
}

export function judgeTransactions(found: OldTransactions | undefined): Finding {
  if (found === undefined) return ok('a file has none')
  const { oldestMs, holder, prepared, wraparoundShare } = found
  if (wraparoundShare > wraparoundShareMax)
    return warning(
      `${Math.round(wraparoundShare * 100)} % of the transaction ids are used up; at 100 % the server refuses changes`,
      'run "vacuum freeze;" as SQL, as the owner of the databases, and turn autovacuum on',
    )
  if (prepared > 0)
    return warning(
      `${countText(prepared, 'prepared transaction')} never ended: vacuum cannot clean up`,
      'list them with select * from pg_prepared_xacts, and end each with commit prepared or rollback prepared',
    )
  if (oldestMs > transactionMsMax)
    return warning(
      `one has been open for ${durationText(oldestMs)}, by ${holder}: vacuum cannot clean up`,
      'end it: select pg_terminate_backend(process)',
    )
  return ok(oldestMs === 0 ? 'none is open' : `the oldest is ${durationText(oldestMs)} old`)
}

export function judgeSize({ bytes, unusedBytes, logBytes }: DatabaseSize, databaseUrl?: string): Finding {
  const says = `${bytesText(bytes)}, of which ${bytesText(unusedBytes)} belong to deleted rows`
  if (logBytes > logBytesMax)
    return warning(
      `${says}; its log has grown to ${bytesText(logBytes)}: a reader never ends its transaction`,
      'restart the service, and end other programs that have the file open',
    )
  if (unusedBytes < unusedBytesMin || unusedBytes < bytes * unusedShareMax) return ok(says)
  return notice(
    says,
    databaseUrl === undefined
      ? 'nothing: new rows reuse the space; to free it, stop the service and run sqlite3 catalogue.sqlite vacuum'
      : `run "vacuum (full);" as SQL in the database ${placeOf(databaseUrl).database}, at a quiet time`,
  )
}

export function judgeUpgradeCopies(dataDir: string, nowMs: number): Finding {
  const found = copiesOf(dataDir)
  const [newest] = found
  if (newest === undefined) return ok('none')
  const bytes = found.reduce(
    (sum, { path }) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0),
    0,
  )
  const says = `${countText(found.length, 'copy', 'copies')} (${bytesText(bytes)}), the newest from ${dayText(newest.atMs)}`
  return nowMs - newest.atMs > copyDaysMax * dayMs
    ? notice(
        `${says}, whose upgrade proved itself long ago`,
        `remove ${found.map(({ path }) => basename(path)).join(' ')}`,
      )
    : ok(says)
}
