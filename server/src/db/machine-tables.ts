/** What machines that share a catalogue know of each other. */
export type MachineTables = { chore_turns: ChoreTurnsTable }

/** Chores of the installation, which one machine at a time does. */
type ChoreTurnsTable = {
  name: string
  /** The machine that does the chore, or did it last. */
  machine: string
  /** By the clock of the database; null if no machine does the chore. */
  lease_until_ms: number | null
  /** When the chore was last done. */
  ended_at_ms: number | null
}
