/** The origin of all scans of a demo: the same plan gives the same scans. */
export type DemoPlan = {
  version: 1
  seed: number
  /** When the demo was created: its last scans are just before. Milliseconds since 1970. */
  nowMs: number
  /** No scan is before this midnight (UTC). */
  startMs: number
  /** The writer of its journal: 32 hexadecimal digits. */
  writer: string
  /** Whether its journal is where the worker reads. */
  isWritten: boolean
  codes: readonly PlannedCode[]
}

/** A code of the table, and what the catalogue calls it and its rules, in their order. */
export type PlannedCode = { key: string; id: string; shortCode: string; rules?: readonly string[] }

export const dayMs = 86_400_000
/** The days of the demo, including the one on which it is created. */
export const demoDays = 365
/** The scans of all classes, about. */
export const demoHits = 75_000

/**
 * Returns the first midnight (UTC) of a demo. With a retention, older scans would be deleted again,
 * so there are none.
 */
export function startOfDemo(nowMs: number, retentionDays: number | undefined): number {
  const today = Math.floor(nowMs / dayMs) * dayMs
  return today - (Math.min(demoDays, retentionDays ?? demoDays) - 1) * dayMs
}

/** Returns the midnight (UTC) that began the day so many days before that of the demo. */
export function dayBefore({ nowMs }: Pick<DemoPlan, 'nowMs'>, days: number): number {
  return (Math.floor(nowMs / dayMs) - days) * dayMs
}

/** Returns the plan that a catalogue stores. Throws an Error for one of another release. */
export function readDemoPlan(text: string): DemoPlan {
  const plan: DemoPlan = JSON.parse(text)
  if (plan.version !== 1) throw new Error('a later release made this demo: use that one')
  return plan
}
