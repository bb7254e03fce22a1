import type { Migration } from '../migration.ts'

const kind = 'organization_id, folder_id, type, status'
const changedRows = { before: 'select *, -1 as codes from before', after: 'select *, 1 as codes from after' }

/** A connection has one transaction at a time, so changing its own rows blocks no other. */
const countChanges = (event: 'insert' | 'delete' | 'update', tables: readonly ('before' | 'after')[]) =>
  `create or replace function qr_codes_after_${event}() returns trigger language plpgsql as $$
    begin
      insert into qr_code_counts (${kind}, writer, codes, writes)
      select organization_id, folder, type, status, pg_backend_pid(), sum(codes), count(*)
      from (${tables.map((table) => changedRows[table]).join(' union all ')}) as changed,
        lateral (values ('*'), (coalesce(folder_id, ''))) as counted (folder)
      group by organization_id, folder, type, status
      on conflict (${kind}, writer) do update
      set codes = qr_code_counts.codes + excluded.codes, writes = qr_code_counts.writes + excluded.writes;
      return null;
    end
  $$`

/**
 * On PostgreSQL each change of codes added rows to the counts. After a large import, the table
 * consisted mostly of dead rows, and reading it took half the time of each list. Now each
 * connection changes its own rows. Counts of all folders together are stored too, so that an
 * organization with many folders has few rows to read.
 */
export const codeCounts: Migration = {
  name: '0007-code-counts',
  statements: ({ dialect }) => (dialect === 'sqlite' ? [] : postgresStatements),
}

const postgresStatements = [
  // 0: rows that were added up.
  `alter table qr_code_counts add column writer bigint not null default 0`,
  `with old as (delete from qr_code_counts returning *)
    insert into qr_code_counts (${kind}, codes, writes)
    select organization_id, folder, type, status, sum(codes), sum(writes)
    from old, lateral (values ('*'), (folder_id)) as counted (folder)
    group by organization_id, folder, type, status`,
  `alter table qr_code_counts add primary key (${kind}, writer)`,
  `drop index qr_code_counts_organization`,
  // Leaves room in each page for the next version of a row: any later access then prunes the old
  // version.
  `alter table qr_code_counts set (
    fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000
  )`,
  countChanges('insert', ['after']),
  countChanges('delete', ['before']),
  countChanges('update', ['before', 'after']),
]
