import { installation } from '@everscan/contract/endpoints/organizations/installation.ts'
import type { Installation } from '@everscan/contract/resources/installation.ts'
import { installationRowsMax, type Machine } from '@everscan/contract/resources/installation.ts'
import { ScanStoreUnavailable } from '../../analytics/scan-store.ts'
import server from '../../../package.json' with { type: 'json' }
import { copyFacts, lastCopy, lastVerifiedCopy } from '../../catalogue/installation/copy-schedule.ts'
import { readCopies } from '../../catalogue/installation/copies.ts'
import {
  differingSettings,
  readMachines,
  type Machine as KnownMachine,
} from '../../catalogue/installation/machines.ts'
import { wholeDetail } from '../../catalogue/rows/named-problem.ts'
import { operatorOrganization } from '../../catalogue/installation/operator.ts'
import { readBuildTimes } from '../../visitors/geography/geography-age.ts'
import { readInstallationNotes } from '../../db/installation.ts'
import { lostHits } from '../../db/scans/lost-hits.ts'
import { summarizeScanLosses } from '../../db/scans/scan-losses.ts'
import { countReservedCodes } from '../../db/scans/reserved-codes.ts'
import { findProblem, knownProblem } from '../../problems/parts.ts'
import { copyRecord } from '../../product/records/copy-records.ts'
import { handler } from '../http/handler.ts'
import type { ApiContext } from '../http/api-context.ts'
import { notFound } from '../../request-errors.ts'
import { timestamp } from '../../product/records/timestamps.ts'

const hourMs = 3_600_000

export const read = handler(installation.read, {
  handle: async (context, _caller, { params }) => {
    const { db } = context
    if ((await operatorOrganization(db)) !== params.orgId) throw notFound()
    const machines = await readMachines(db)
    const differences = differingSettings(machines)
    const notes = await readInstallationNotes(db)
    return {
      release: server.version,
      problems: await context.readProblems(),
      copies: await copiesOf(context),
      lostScans: await lostScansOf(context),
      geography: await geographyOf(context),
      upgrade: await upgradeOf(context),
      machines: machines.map(machineRecord),
      differences: differences.map(({ message }) => message),
      differenceDetails: differences.map(wholeDetail),
      notes: notes
        .slice(0, installationRowsMax)
        .map(({ createdAtMs, kind, detail }) => ({ at: timestamp(createdAtMs), kind, detail })),
      reservedCodes: await countReservedCodes(db),
    }
  },
})

/** Leaves out the settings: only those that differ are for people. */
function machineRecord({
  name,
  state,
  release,
  startedAtMs,
  seenAtMs,
  waitingBytes,
  problem,
  problemDetails,
}: KnownMachine): Machine {
  const [startedAt, seenAt] = [timestamp(startedAtMs), timestamp(seenAtMs)]
  return {
    name,
    state,
    release,
    startedAt,
    seenAt,
    waitingBytes,
    problem,
    problemDetails: [...problemDetails],
  }
}

async function upgradeOf({ store, clock }: ApiContext): Promise<Installation['upgrade']> {
  try {
    const state = await store.readRewrite()
    const { rows, rowsLeft, endsAtMs, problem } = state
    if (rowsLeft === 0) return null
    const told = findProblem('scanStoreUpgrade', { ...state, nowMs: clock() })
    return {
      rows,
      rowsDone: rows - rowsLeft,
      endsAt: endsAtMs === undefined ? null : timestamp(endsAtMs),
      problem: problem === '' ? null : problem,
      problemDetails: problem === '' || told === undefined ? [] : [wholeDetail(told)],
    }
  } catch (error) {
    if (error instanceof ScanStoreUnavailable) return null
    throw error
  }
}

async function geographyOf({ config }: ApiContext): Promise<Installation['geography']> {
  const { v4, v6 } = await readBuildTimes(config)
  return {
    ipv4BuiltAt: v4 === undefined ? null : timestamp(v4),
    ipv6BuiltAt: v6 === undefined ? null : timestamp(v6),
  }
}

async function lostScansOf({ db }: ApiContext): Promise<Installation['lostScans']> {
  return lostHits(await summarizeScanLosses(db)) ?? null
}

async function copiesOf({ db, config, clock }: ApiContext): Promise<Installation['copies']> {
  const { backupDir, backupEveryHours, backupKeep, backupPassphraseFile } = config
  const copies = await readCopies(db)
  const [last, lastVerified] = [lastCopy(copies), lastVerifiedCopy(copies)]
  const nowMs = clock()
  // Without any copy only the worker knows the start of the schedule.
  const isScheduled = backupDir !== undefined
  const facts = copyFacts(copies, { everyMs: backupEveryHours * hourMs, nowMs, sinceMs: nowMs })
  const found = isScheduled ? findProblem('copies', { ...facts, isScheduled, told: undefined }) : undefined
  const isNotice = found !== undefined && knownProblem(found.problem)?.severity === 'notice'
  const [problem, notice] = isNotice ? [undefined, found] : [found, undefined]
  return {
    isScheduled,
    dir: backupDir ?? null,
    everyHours: backupEveryHours,
    keep: backupKeep,
    isEncrypted: backupPassphraseFile !== undefined,
    problem: problem?.message ?? null,
    problemDetails: problem === undefined ? [] : [wholeDetail(problem)],
    notice: notice?.message ?? null,
    noticeDetails: notice === undefined ? [] : [wholeDetail(notice)],
    last: last === undefined ? null : copyRecord(last),
    lastVerified: lastVerified === undefined ? null : copyRecord(lastVerified),
    recent: copies.slice(0, installationRowsMax).map(copyRecord),
  }
}
