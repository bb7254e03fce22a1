import { hostname } from 'node:os'
import { resolve } from 'node:path'
import {
  machineFacts,
  readMachines,
  reportMachine,
  stopMachine,
  type Machine,
  type MachineReport,
} from '../catalogue/installation/machines.ts'
import type { Database } from '../db/database.ts'
import type { Facts } from '../problems/facts.ts'

/** How a machine and the others are, for `/readyz`. */
export type MachineReports = {
  /** Reports this machine, and reads what the others reported. */
  refresh: (now: Pick<MachineReport, 'problem' | 'waitingBytes'>) => Promise<void>
  /** Returns what is known of the machines together. */
  facts: () => Facts['machines']
  /** Records that this machine was stopped in order. */
  stop: () => Promise<void>
}

/** Returns how other machines, and people, name this one. */
export function machineName(dataDir: string): string {
  return `${hostname()}:${resolve(dataDir)}`
}

export function createMachineReports(
  db: Database,
  {
    formerName,
    onReported = () => undefined,
    ...machine
  }: Pick<MachineReport, 'name' | 'release' | 'settings'> & {
    /** The name under which it reported last: a container gets another at each creation. */
    formerName?: string | undefined
    /** Called after the first report. */
    onReported?: () => void
  },
): MachineReports {
  let machines: readonly Machine[] = []
  let isStart = true
  let isStopped = false
  return {
    refresh: async (now) => {
      if (isStopped) return
      await reportMachine(db, { ...machine, ...now }, { isStart, formerName })
      if (isStart) onReported()
      isStart = false
      machines = await readMachines(db)
    },
    facts: () => machineFacts(machines),
    stop: async () => {
      isStopped = true
      await stopMachine(db, machine.name)
    },
  }
}
