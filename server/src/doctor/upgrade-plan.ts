import { existsSync } from 'node:fs'
import { join } from 'node:path'
import {
  pendingStoreMigrations,
  readStoreSchema,
  scanStoreSchema,
  serverRefusal,
} from '../analytics/store/migrations.ts'
import { measureRewrite, readRewrite } from '../analytics/store/rewrites.ts'
import { readStoreServer, readTableParts } from '../analytics/store/store-facts.ts'
import { storeKindOf } from '../settings/store-kind.ts'
import type { ClickHouse } from '../analytics/store/clickhouse.ts'
import { refuseNoRoom } from '../db/migrations/catalogue-copies.ts'
import { factsOf } from '../db/dialects/dialect-facts.ts'
import { isShared, type Database } from '../db/database.ts'
import { readStrangers, type Strangers } from '../db/migrations/strangers.ts'
import { readPendingMigrations } from '../db/migrations/schema-state.ts'
import { sqliteFile } from '../db/dialects/sqlite.ts'
import { FatalError } from '../errors.ts'
import { dataDirProblem } from '../write-problem.ts'
import { readIdentity } from '../processes/identity-file.ts'
import { bytesText, countText, durationText } from '../amounts.ts'
import { CannotTell } from './cannot-tell.ts'
import { judgeSchema } from './catalogue-checks.ts'
import { writeProblemOf } from './catalogue-writes.ts'
import type { DoctorContext } from './context.ts'
import { judgeStoreSchema } from './store-checks.ts'

/** The changes that a start of this release makes to one part, before or while it serves. */
export type PartPlan = {
  /** One sentence. */
  says: string
  /** False if the part did not answer. */
  isKnown: boolean
  migrations: string[]
  /** An estimate. That of the scan store is measured here, that of the catalogue was elsewhere. */
  durationMs: number
  /** Disk space that is needed meanwhile. A copy of a SQLite catalogue stays. */
  bytes: number
  /** Reasons why a start would be refused, with their remedies. */
  refusals: string[]
}

/** `refusals` are those of all parts and of their comparison. If it is empty, the start works. */
export type UpgradePlan = { catalogue: PartPlan; scanStore: PartPlan; refusals: string[] }

/**
 * Measured on two busy cores with a disk that flushes in 1 ms. A million codes of the first release
 * take 1.8 GB on SQLite: 15 s for the copy and its check, and 6 s for 38 migrations, which add
 * columns without reading rows. PostgreSQL makes larger indexes.
 */
const copiedBytesPerMs = 120_000
const migratedBytesPerMs = { sqlite: 11_000_000, postgres: 450_000 }

const laterRemedy = 'run that release, or restore a copy from before the upgrade'

/** Returns what a start would do. Only reads. A part that does not answer says so. */
export async function planUpgrade(context: DoctorContext): Promise<UpgradePlan> {
  const unwritable = dataDirProblem(context.config.dataDir)
  // Nothing starts without the catalogue. Without the scan store, redirects work and scans wait.
  const catalogue = await tried(
    () => {
      if (unwritable !== undefined) throw new CannotTell(unwritable, 'do what it says')
      return planCatalogue(context)
    },
    { isNeeded: true },
  )
  const scanStore = await tried(() => planScanStore(context), { isNeeded: false })
  const mismatches = catalogue.isKnown ? await comparePartsFor(context) : []
  return {
    catalogue,
    scanStore,
    refusals: [...new Set([...mismatches, ...catalogue.refusals, ...scanStore.refusals])],
  }
}

/** Compares the parts as a start does before it writes anything. */
async function comparePartsFor(context: DoctorContext): Promise<string[]> {
  const { config, parts, log } = context
  if (!existsSync(config.dataDir) && config.databaseUrl === undefined) return []
  return await refusalsOf(async () => {
    const secret = context.secret()
    if (secret === undefined && readIdentity(config.dataDir) !== undefined)
      throw new FatalError(
        `SECRET is missing: restore ${join(config.dataDir, 'secret')} from a copy, or set SECRET to its content. If it is lost: ./everscan adopt secret --help says what that costs.`,
      )
    await parts.refuseForeignParts({ ...config, secret }, log)
  })
}

async function planCatalogue(context: DoctorContext): Promise<PartPlan> {
  const { config, database } = context
  if (config.databaseUrl === undefined && !existsSync(sqliteFile(config.dataDir)))
    return planOf('there is none yet: the first start creates it')
  const db = await database()
  const { refusal, product } = await factsOf(db).readServer(db)
  if (refusal !== undefined) return { ...planOf(refusal), refusals: [refusal] }
  const { missing, unknown } = await readPendingMigrations(db)
  if (unknown.length > 0) {
    const sentence = `the catalogue: ${judgeSchema(missing, unknown).says}; ${laterRemedy}`
    return { ...planOf(sentence), refusals: [sentence] }
  }
  if (missing.length > 0) return await planMigrations(context, db, missing)
  const plan = planOf(`nothing to do: ${product} has the schema of this release`)
  const unwritable = await writeProblemOf(context)
  return unwritable === undefined ? plan : { ...plan, refusals: [unwritable] }
}

async function planMigrations(
  { config: { dataDir } }: DoctorContext,
  db: Database,
  missing: string[],
): Promise<PartPlan> {
  const { bytes: allBytes, unusedBytes } = await factsOf(db).readSize(db)
  const migratingMs = (missing.length * allBytes) / migratedBytesPerMs[db.dialect]
  const what = `${countText(missing.length, 'migration')} (${missing.join(', ')})`
  const waiting = strangersText(await readStrangers(db, missing))
  if (isShared(db))
    return {
      ...planOf(
        `${what}, about ${durationText(migratingMs)} (an estimate by its size); the start does not copy it: make a copy of the database (${bytesText(allBytes)}) first${waiting}`,
      ),
      migrations: missing,
      durationMs: Math.round(migratingMs),
    }
  const bytes = allBytes - unusedBytes
  const durationMs = Math.round(migratingMs + bytes / copiedBytesPerMs)
  return {
    says: `${what}, about ${durationText(durationMs)} (an estimate by its size), in which codes do not redirect; the start copies it first, which takes ${bytesText(bytes)}${waiting}`,
    isKnown: true,
    migrations: missing,
    durationMs,
    bytes,
    refusals: await refusalsOf(() => refuseNoRoom(dataDir, bytes)),
  }
}

/** Names the organizations to ask before codes of theirs stop answering. */
function strangersText(strangers: readonly Strangers[]): string {
  if (strangers.length === 0) return ''
  const codes = strangers.reduce((sum, row) => sum + row.codes, 0)
  const named = strangers.map((row) => `${row.slug}/${row.hostname} (${row.codes})`)
  return `; ${countText(codes, 'code')} on host names that their organizations have not proved answer nothing from then on, until they do: ask ${named.join(', ')}`
}

async function planScanStore(context: DoctorContext): Promise<PartPlan> {
  if (storeKindOf(context.config) === 'files')
    return {
      ...planOf('nothing to do: files of earlier releases are read as they are'),
      refusals: await foreignStoreRefusals(context),
    }
  const store = await context.store()
  const { version } = await readStoreServer(store)
  const tooOld = serverRefusal(version)
  if (tooOld !== undefined) return { ...planOf(tooOld.message), refusals: [tooOld.message] }
  const schema = await readStoreSchema(store)
  if (schema > scanStoreSchema) {
    const sentence = `the scan store: ${judgeStoreSchema(schema).says}; ${laterRemedy}`
    return { ...planOf(sentence), refusals: [sentence] }
  }
  const refusals = await foreignStoreRefusals(context)
  const migrations = pendingStoreMigrations(schema)
  const rewrite = await planRewrite(store)
  if (migrations.length === 0 && rewrite === undefined)
    return { ...planOf(`nothing to do: ClickHouse ${version} has the schema of this release`), refusals }
  const { durationMs = 0, bytes = 0 } = rewrite ?? {}
  const says = [
    ...(migrations.length === 0
      ? []
      : [
          `${countText(migrations.length, 'migration')} (${migrations.join(', ')}), which the start does in seconds`,
        ]),
    ...(rewrite === undefined ? [] : [rewrite.says]),
  ].join('; ')
  return { says, isKnown: true, migrations, durationMs, bytes, refusals }
}

/** Returns what the store rewrites in the background after the start; undefined for nothing. */
async function planRewrite(
  store: ClickHouse,
): Promise<{ says: string; durationMs: number; bytes: number } | undefined> {
  const { rows, rowsLeft } = await readRewrite(store)
  if (rowsLeft === 0) return undefined
  const { measuredRows, measuredMs } = await measureRewrite(store)
  const durationMs = Math.round((rowsLeft * measuredMs) / Math.max(1, measuredRows))
  const tables = await readTableParts(store)
  // The old parts stay until no query reads them.
  const bytes = Math.round((tables.reduce((sum, table) => sum + table.bytes, 0) * rowsLeft) / rows)
  const what = `${countText(rowsLeft, 'row')} are rewritten in the background, about ${durationText(durationMs)} and ${bytesText(bytes)}`
  return {
    says: `${what} (an estimate: the same work on ${countText(measuredRows, 'row')} just took ${durationText(measuredMs)} here); codes redirect and figures stay right meanwhile`,
    durationMs,
    bytes,
  }
}

function foreignStoreRefusals({ config, parts, store, catalogue }: DoctorContext): Promise<string[]> {
  return refusalsOf(async () => {
    const opened = storeKindOf(config) === 'files' ? undefined : await store()
    // A catalogue of an older release may not record the store yet.
    const db = await catalogue().catch(noneWhereOlder)
    if (db === undefined) return
    if (opened === undefined) await parts.refuseForeignFiles(db, config)
    else await parts.refuseForeignStore(opened, db)
  })
}

function noneWhereOlder(error: unknown): undefined {
  if (!(error instanceof CannotTell)) throw error
}

async function tried(plan: () => Promise<PartPlan>, { isNeeded }: { isNeeded: boolean }): Promise<PartPlan> {
  try {
    return await plan()
  } catch (error) {
    if (!(error instanceof CannotTell)) throw error
    const { message, mend } = error
    const refusals = isNeeded ? [`${message}: ${mend}`] : []
    return { ...planOf(`unknown: ${message} (${mend})`), isKnown: false, refusals }
  }
}

function planOf(says: string): PartPlan {
  return { says, isKnown: true, migrations: [], durationMs: 0, bytes: 0, refusals: [] }
}

async function refusalsOf(refuse: () => Promise<void> | void): Promise<string[]> {
  try {
    await refuse()
    return []
  } catch (error) {
    if (error instanceof FatalError) return [error.message]
    throw error
  }
}
