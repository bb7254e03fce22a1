/** How long tables remember the tokens of inserts, in tokens and in seconds. */
const windowSettings = `replicated_deduplication_window = 100000,
         replicated_deduplication_window_seconds = 86400,
         lightweight_mutation_projection_mode = 'rebuild'`

/**
 * Returns a statement of a single server as a replicated store runs it: tables are replicated and
 * remember tokens in Keeper, and tables and views are created and dropped on every server, also on
 * those that are missing now and come back. So are queries of views changed. Other statements, such
 * as changes of columns and deletions of rows, are replicated by the tables themselves, so they
 * stay as they are.
 */
export function replicatedStatement(sql: string, onCluster: string | undefined): string {
  const replicated = sql
    .replace(/\bengine = (Aggregating)?MergeTree\b/i, 'engine = Replicated$1MergeTree')
    .replace(/\bnon_replicated_deduplication_window = \d+/i, windowSettings)
    // A Replicated database refuses to fill a table while it creates it.
    .replace(/\bas (select \* from \w+) limit 0$/i, 'empty as $1')
  if (onCluster === undefined) return replicated
  return replicated.replace(
    /\b((?:create (?:table|materialized view)|drop table)(?: if (?:not )?exists)?|alter table(?= \w+ modify query)) (\w+)/i,
    `$1 $2 on cluster ${quoted(onCluster)}`,
  )
}

/** Settings of statements that create and drop: a missing replica does not hold them up. */
export function schemaSettings(onCluster: string | undefined): Record<string, string | number> {
  return {
    distributed_ddl_output_mode: onCluster === undefined ? 'none_only_active' : 'null_status_on_timeout',
    distributed_ddl_task_timeout: 15,
  }
}

function quoted(name: string): string {
  return `\`${name.replaceAll(/[\\`]/g, '\\$&')}\``
}
