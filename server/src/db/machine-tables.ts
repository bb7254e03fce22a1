import type { Generated } from 'kysely'

/** The tables by which machines that share a catalogue know of each other. */
export type MachineTables = { chore_turns: ChoreTurnsTable; machines: MachinesTable }

/** Chores of the installation, which one machine at a time does. */
type ChoreTurnsTable = {
  name: string
  /** The machine that does the chore, or did it last. */
  machine: string
  /** See lease.ts. By the clock of the database; null if no machine does the chore. */
  lease_number: Generated<number>
  lease_until_ms: number | null
  /** When the chore was last done. */
  ended_at_ms: number | null
}

/** The workers' reports, one for each data directory. Times are those of the database. */
type MachinesTable = {
  /** Host name and data directory. */
  name: string
  release: string
  /** JSON of MachineSettings. */
  settings: string
  /** A sentence, if something is wrong there. */
  problem: string | null
  /** The same by name, as JSON of a `Problem` with its own copy of the sentence. */
  named_problem: Generated<string | null>
  /** Bytes of its journals that are not ingested. */
  waiting_bytes: number | null
  started_at_ms: number
  seen_at_ms: number
  /** When it was stopped in order; null while it runs, or if it died. */
  stopped_at_ms: number | null
}
