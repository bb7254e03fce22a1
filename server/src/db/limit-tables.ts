/** The tables in which processes of several machines count limits together (record 80). */
export type LimitTables = {
  limit_members: LimitMembersTable
  limit_counts: LimitCountsTable
  limit_attempts: LimitAttemptsTable
  limit_paces: { holder: string; paid_until_ms: number }
  limit_places: LimitPlacesTable
}

/** Processes that count together. Times are those of the database. */
type LimitMembersTable = {
  name: string
  /** How many members it knew at its last renewal: its share is a limit by this number. */
  members: number
  renewed_at_ms: number
  /** From then on, its share is that of the others. */
  lease_until_ms: number
}

/** The parts of limits per minute that members have taken. */
type LimitCountsTable = {
  kind: string
  /** A keyed hash of the key, account or network. */
  holder: string
  /** The beginning of the minute. */
  window_ms: number
  granted: number
  last_grant: number
}

/** Failed attempts that were made in a row. */
type LimitAttemptsTable = {
  /** A keyed hash of what was tried, and from where. */
  holder: string
  attempts: number
  at_ms: number
  /** The next attempt has to wait until then. */
  free_at_ms: number
}

/** Places that requests hold for a while, such as open streams. */
type LimitPlacesTable = {
  id: string
  member: string
  kind: string
  /** The key or session. */
  holder: string
  account: string | null
  organization_id: string
}
