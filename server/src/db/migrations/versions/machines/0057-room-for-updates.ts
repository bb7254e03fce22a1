import type { Migration } from '../../migration.ts'

/**
 * Tables whose rows are updated again and again. By default, PostgreSQL vacuums a table when a
 * fifth of its rows were replaced: two million dead rows with ten million counters (record 81).
 */
const often = 'autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000'
const settings = {
  // Its indexes have the counts, so its updates are never in place: room in the page does not help.
  scan_counters: `${often}, autovacuum_analyze_scale_factor = 0.02`,
  changes: often,
  scan_limits: `fillfactor = 50, ${often}`,
  // Few rows, each updated every second or more often.
  journal_checkpoints: `fillfactor = 50, ${often}`,
  journal_heads: `fillfactor = 50, ${often}`,
  limit_counts: `fillfactor = 50, ${often}`,
  limit_members: `fillfactor = 50, ${often}`,
  machines: `fillfactor = 50, ${often}`,
}

export const roomForUpdates: Migration = {
  name: '0057-room-for-updates',
  statements: ({ dialect }) =>
    dialect === 'sqlite'
      ? []
      : Object.entries(settings).map(([table, values]) => `alter table ${table} set (${values})`),
}
