import { problem, type Problem } from '@everscan/contract/problems/problem.ts'
import type { NamedDetail } from '@everscan/contract/schema/named-problems.ts'
import { sql } from 'kysely'
import { inTransaction, tag, type Database } from '../../db/database.ts'
import { databaseNowMs } from '../../db/dialects/database-clock.ts'
import type { Facts } from '../../problems/facts.ts'
import { storedDetails, storedProblem } from '../rows/named-problem.ts'
import { forgetLimits } from '../limits/limit-members.ts'

/** The report of a machine about itself. */
export type MachineReport = {
  /** Host name and data directory: `web-1:/var/lib/everscan`. */
  name: string
  release: string
  /** Settings that need one value on all machines, by name. Secrets are fingerprints. */
  settings: Readonly<Record<string, string>>
  /** The problem there. Its sentence begins with the name of the part. */
  problem: Problem | null
  /** Bytes of its journals that are not in the scan store; null if that is unknown. */
  waitingBytes: number | null
}

/** `LIVE`: it reports. `SILENT`: it stopped reporting. `STOPPED`: it was stopped in order. */
export const machineStates = ['LIVE', 'SILENT', 'STOPPED'] as const

export type Machine = Omit<MachineReport, 'problem'> & {
  problem: string | null
  problemDetails: readonly NamedDetail[]
  state: (typeof machineStates)[number]
  startedAtMs: number
  seenAtMs: number
}

/** Machines report every 15 s. */
const silentMs = 90_000
const keptMs = 24 * 3_600_000
const machinesMax = 100

/**
 * Saves the report of a machine. `isStart`: the first one since it started. It replaces the report
 * under `formerName`, the last name of the same data directory.
 */
export async function reportMachine(
  db: Database,
  report: MachineReport,
  { isStart, formerName = report.name }: { isStart: boolean; formerName?: string | undefined },
): Promise<void> {
  const { name, waitingBytes, settings, problem: found, release } = report
  const now = databaseNowMs(db)
  const values = {
    release,
    settings: JSON.stringify(settings),
    waiting_bytes: waitingBytes,
    problem: found?.message ?? null,
    named_problem: storedProblem(found),
  }
  await inTransaction(db, async (tx) => {
    if (isStart && formerName !== name)
      await tx.kysely
        .deleteFrom('machines')
        .where('name', '=', formerName)
        .modifyEnd(tag('catalogue.renameMachine'))
        .execute()
    await tx.kysely
      .insertInto('machines')
      .values({ name, ...values, started_at_ms: now, seen_at_ms: now, stopped_at_ms: null })
      .onConflict((conflict) =>
        conflict.column('name').doUpdateSet({
          ...values,
          ...(isStart && { started_at_ms: now }),
          seen_at_ms: now,
          stopped_at_ms: null,
        }),
      )
      .modifyEnd(tag('catalogue.reportMachine'))
      .execute()
    await tx.kysely
      .deleteFrom('machines')
      .where('seen_at_ms', '<', sql<number>`${now} - ${sql.lit(keptMs)}`)
      .modifyEnd(tag('catalogue.forgetMachines'))
      .execute()
  })
}

/** Records that a machine was stopped in order. */
export async function stopMachine(db: Database, name: string): Promise<void> {
  await db.kysely
    .updateTable('machines')
    .set({ stopped_at_ms: databaseNowMs(db) })
    .where('name', '=', name)
    .modifyEnd(tag('catalogue.stopMachine'))
    .execute()
}

/** Deletes what machines of a copied installation had reported: the restored one begins anew. */
export async function forgetMachines(db: Database): Promise<void> {
  await db.kysely.deleteFrom('machines').modifyEnd(tag('catalogue.forgetMachines')).execute()
  await db.kysely.deleteFrom('chore_turns').modifyEnd(tag('catalogue.forgetMachines')).execute()
  await forgetLimits(db)
}

/** Returns the machines of the last day by name, at most 100. */
export async function readMachines(db: Database): Promise<Machine[]> {
  const rows = await db.kysely
    .selectFrom('machines')
    .selectAll()
    .select(
      sql<number>`case when seen_at_ms > ${databaseNowMs(db)} - ${sql.lit(silentMs)} then 1 else 0 end`.as(
        'live',
      ),
    )
    .where('seen_at_ms', '>', sql<number>`${databaseNowMs(db)} - ${sql.lit(keptMs)}`)
    .orderBy('name')
    .limit(machinesMax)
    .modifyEnd(tag('catalogue.readMachines'))
    .execute()
  return rows.map((row) => ({
    name: row.name,
    release: row.release,
    settings: JSON.parse(row.settings) as MachineReport['settings'],
    problem: row.problem,
    problemDetails: storedDetails(row.problem, row.named_problem),
    waitingBytes: row.waiting_bytes,
    state: row.stopped_at_ms !== null ? 'STOPPED' : row.live === 1 ? 'LIVE' : 'SILENT',
    startedAtMs: row.started_at_ms,
    seenAtMs: row.seen_at_ms,
  }))
}

/** Returns a problem for each setting of which live machines have different values. */
export function differingSettings(machines: readonly Machine[]): Problem[] {
  const live = machines.filter(({ state }) => state === 'LIVE')
  const names = new Set(live.flatMap(({ settings }) => Object.keys(settings)))
  return [...names].flatMap((setting) => {
    // A machine of another release may not report it.
    const having = live.filter(({ settings }) => settings[setting] !== undefined)
    const values = Map.groupBy(having, ({ settings }) => settings[setting] ?? '')
    if (values.size < 2) return []
    const settings = [...values.keys()].join('\n')
    const holders = [...values.values()].map(([first]) => first?.name).join('\n')
    const name = setting === 'SECRET' ? 'secretDiffers' : 'settingDiffers'
    return [problem(name, { setting, settings, machines: holders })]
  })
}

/** Returns machines that went silent: their journals may have scans that are nowhere else. */
export function silentMachines(machines: readonly Machine[]): Machine[] {
  return machines.filter(({ state }) => state === 'SILENT')
}

/** Returns what is known of the machines together. */
export function machineFacts(machines: readonly Machine[]): Facts['machines'] {
  return { told: differingSettings(machines)[0], silent: silentMachines(machines)[0] }
}
