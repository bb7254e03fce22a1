import type { Migration } from '../migration.ts'

/**
 * Keeps lists fast with a million codes: an index of every three characters of a name, indexes in
 * the order of the list by type and by status, and counts of codes of each kind. Triggers maintain
 * all of it, whichever release writes.
 */
export const lists: Migration = {
  name: '0002-lists',
  statements: ({ dialect, text, integer }) => [
    `create index qr_codes_type on qr_codes (organization_id, type, created_at_ms, id)`,
    `create index qr_codes_status on qr_codes (organization_id, status, created_at_ms, id)`,
    // 'writes' counts changes of codes and never decreases: while its sum is unchanged, so is every
    // list of the organization.
    `create table qr_code_counts (
      organization_id ${text} not null references organizations (id) on delete cascade,
      type ${text} not null,
      status ${text} not null,
      folder_id ${text} not null,
      codes ${integer} not null,
      writes ${integer} not null
      ${dialect === 'sqlite' ? ', primary key (organization_id, type, status, folder_id)' : ''}
    ) ${dialect === 'sqlite' ? 'strict, without rowid' : ''}`,
    `insert into qr_code_counts
      select organization_id, type, status, coalesce(folder_id, ''), count(*), count(*)
      from qr_codes
      group by organization_id, type, status, coalesce(folder_id, '')`,
    ...(dialect === 'sqlite' ? sqliteStatements : postgresStatements),
  ],
}

/**
 * One row for each kind of code, updated with every change: SQLite has one writer at a time anyway.
 */
const countSqlite = (row: 'new' | 'old', codes: 1 | -1) =>
  `insert into qr_code_counts (organization_id, type, status, folder_id, codes, writes)
    values (${row}.organization_id, ${row}.type, ${row}.status, coalesce(${row}.folder_id, ''), ${codes}, 1)
    on conflict do update set codes = codes + excluded.codes, writes = writes + 1;`

/** Up to a million codes of one millisecond keep their order of insertion. */
const numberBits = 20

/** On SQLite: numbers all codes in the order of their creation. */
export const numberCodes = `update qr_codes
    set number = numbered.number
    from (
      select
        rowid as code,
        (created_at_ms << ${numberBits}) + row_number() over (partition by created_at_ms order by id) - 1 as number
      from qr_codes
    ) as numbered
    where qr_codes.rowid = numbered.code`

const sqliteStatements = [
  `create index qr_codes_kind on qr_codes (organization_id, type, status, folder_id)`,

  // The key of the search index must be a number that VACUUM never changes. This one also sorts by
  // creation, so that a search finds the newest matches first.
  `alter table qr_codes add column number integer`,
  numberCodes,
  `create unique index qr_codes_number on qr_codes (number)`,
  // Includes the columns that lists filter by, so that a scan of matches does not read the codes.
  `create index qr_codes_found on qr_codes (number, organization_id, type, status, folder_id)`,

  // Names are folded already: the tokenizer must match what 'like' matches.
  `create virtual table qr_code_names using fts5 (
    name_search,
    content = '',
    contentless_delete = 1,
    tokenize = 'trigram case_sensitive 1'
  )`,
  `insert into qr_code_names (rowid, name_search) select number, name_search from qr_codes order by number`,

  `create trigger qr_codes_inserted after insert on qr_codes begin
    update qr_codes
    set number = max(
      new.created_at_ms << ${numberBits},
      coalesce(
        (select max(number) + 1 from qr_codes where number < (new.created_at_ms + 1) << ${numberBits}),
        0
      )
    )
    where organization_id = new.organization_id and id = new.id;
    insert into qr_code_names (rowid, name_search)
    select number, name_search from qr_codes where organization_id = new.organization_id and id = new.id;
    ${countSqlite('new', 1)}
  end`,
  `create trigger qr_codes_deleted after delete on qr_codes begin
    delete from qr_code_names where rowid = old.number;
    ${countSqlite('old', -1)}
  end`,
  `create trigger qr_codes_updated after update of type, status, folder_id, name_search, version on qr_codes begin
    ${countSqlite('old', -1)}
    ${countSqlite('new', 1)}
  end`,
  `create trigger qr_codes_renamed after update of name_search on qr_codes
    when new.name_search <> old.name_search begin
    delete from qr_code_names where rowid = old.number;
    insert into qr_code_names (rowid, name_search) values (new.number, new.name_search);
  end`,
]

const kind = `organization_id, type, status, coalesce(folder_id, '')`

/**
 * Inserts rows without changing any, so that no transaction waits for another; the worker adds them
 * up (qr-code-counts.ts).
 */
const countPostgres = (event: 'insert' | 'delete' | 'update', tables: readonly ('before' | 'after')[]) => [
  `create function qr_codes_after_${event}() returns trigger language plpgsql as $$
    begin
      insert into qr_code_counts (organization_id, type, status, folder_id, codes, writes)
      select ${kind}, sum(codes), count(*)
      from (${tables.map((table) => changedRows[table]).join(' union all ')}) as changed
      group by ${kind};
      return null;
    end
  $$`,
  `create trigger qr_codes_after_${event} after ${event} on qr_codes
    referencing ${tables.map((table) => `${transitionTables[table]} as ${table}`).join(' ')}
    for each statement execute function qr_codes_after_${event}()`,
]
const transitionTables = { before: 'old table', after: 'new table' }
const changedRows = { before: 'select *, -1 as codes from before', after: 'select *, 1 as codes from after' }

const postgresStatements = [
  `create extension if not exists pg_trgm`,
  // A short pending list, because every search reads all of it.
  `create index qr_codes_name_parts on qr_codes using gin (name_search gin_trgm_ops)
    with (gin_pending_list_limit = 512)`,
  // With these statistics the planner distinguishes rare words from frequent ones.
  `alter table qr_codes alter column name_search set statistics 1000`,
  `create index qr_code_counts_organization on qr_code_counts (organization_id)`,
  ...countPostgres('insert', ['after']),
  ...countPostgres('delete', ['before']),
  ...countPostgres('update', ['before', 'after']),
]
