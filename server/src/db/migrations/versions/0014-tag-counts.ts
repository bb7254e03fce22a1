import type { Migration } from '../migration.ts'

/**
 * Counts of codes of each kind by tag, in each folder and in all of them together (`*`). Counting
 * them one by one took too long in an organization with a million codes. Triggers maintain the
 * counts, whichever release writes.
 */
export const tagCounts: Migration = {
  name: '0014-tag-counts',
  statements: ({ dialect, text, integer }) => [
    `create table qr_code_tag_counts (
      organization_id ${text} not null references organizations (id) on delete cascade,
      folder_id ${text} not null,
      tag ${text} not null,
      type ${text} not null,
      status ${text} not null,
      ${dialect === 'sqlite' ? '' : 'writer bigint not null default 0,'}
      codes ${integer} not null,
      primary key (organization_id, folder_id, tag, type, status ${dialect === 'sqlite' ? '' : ', writer'})
    ) ${dialect === 'sqlite' ? 'strict, without rowid' : postgresRoom}`,
    // Triggers come first: on PostgreSQL, creating them waits for running changes and blocks new
    // ones until the count is complete.
    ...(dialect === 'sqlite' ? sqliteTriggers : postgresTriggers),
    ...["'*'", 'q.folder_id'].map(
      (folder) => `insert into qr_code_tag_counts (${kind}, codes)
        select t.organization_id, ${folder}, t.tag, q.type, q.status, count(*)
        from qr_code_tags as t
        join qr_codes as q on q.organization_id = t.organization_id and q.id = t.qr_code_id
        where ${folder} is not null
        group by 1, 2, 3, 4, 5`,
    ),
  ],
}

const kind = 'organization_id, folder_id, tag, type, status'

type Row = 'new' | 'old'

const addSqlite = 'on conflict do update set codes = codes + excluded.codes;'

/** Counts a tag of an existing code. Deleting a code counts its tags itself. */
const countTag = (row: Row, codes: 1 | -1) =>
  ["'*'", 'folder_id']
    .map(
      (folder) => `insert into qr_code_tag_counts (${kind}, codes)
        select organization_id, ${folder}, ${row}.tag, type, status, ${codes}
        from qr_codes
        where organization_id = ${row}.organization_id and id = ${row}.qr_code_id and ${folder} is not null
        ${addSqlite}`,
    )
    .join('\n')

const countTagsOf = (row: Row, folder: string, codes: 1 | -1) =>
  `insert into qr_code_tag_counts (${kind}, codes)
    select organization_id, ${folder}, tag, ${row}.type, ${row}.status, ${codes}
    from qr_code_tags
    where organization_id = ${row}.organization_id and qr_code_id = ${row}.id and ${folder} is not null
    ${addSqlite}`

const sqliteTriggers = [
  `create trigger qr_codes_deleting before delete on qr_codes begin
    ${countTagsOf('old', "'*'", -1)}
    ${countTagsOf('old', 'old.folder_id', -1)}
  end`,
  `create trigger qr_codes_rekinded after update of type, status on qr_codes
    when new.type <> old.type or new.status <> old.status begin
    ${countTagsOf('old', "'*'", -1)}
    ${countTagsOf('new', "'*'", 1)}
  end`,
  `create trigger qr_codes_refiled after update of type, status, folder_id on qr_codes
    when new.type <> old.type or new.status <> old.status or new.folder_id is not old.folder_id begin
    ${countTagsOf('old', 'old.folder_id', -1)}
    ${countTagsOf('new', 'new.folder_id', 1)}
  end`,
  `create trigger qr_code_tags_inserted after insert on qr_code_tags begin ${countTag('new', 1)} end`,
  `create trigger qr_code_tags_deleted after delete on qr_code_tags begin ${countTag('old', -1)} end`,
  `create trigger qr_code_tag_counts_emptied after update on qr_code_tag_counts when new.codes = 0 begin
    delete from qr_code_tag_counts
    where organization_id = new.organization_id
    and folder_id = new.folder_id
    and tag = new.tag
    and type = new.type
    and status = new.status;
  end`,
]

/**
 * Leaves room in each page for the next version of a row, like qr_code_counts; this table can be
 * large.
 */
const postgresRoom = `with (
  fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000
)`

/** Each connection counts in its own rows, so that no transaction waits for another (see 0007). */
const countPostgres = (changed: string) =>
  `insert into qr_code_tag_counts (${kind}, writer, codes)
    select organization_id, folder, tag, type, status, pg_backend_pid(), sum(codes)
    from (${changed}) as changed, lateral (values ('*'), (folder_id)) as counted (folder)
    where folder is not null
    group by organization_id, folder, tag, type, status
    having sum(codes) <> 0
    on conflict (${kind}, writer) do update set codes = qr_code_tag_counts.codes + excluded.codes;`

const codeOfTag = (row: string) =>
  `select type, status, folder_id from qr_codes where organization_id = ${row}.organization_id and id = ${row}.qr_code_id`

const tagsOfCode = (row: string) =>
  `select tag from qr_code_tags where organization_id = ${row}.organization_id and qr_code_id = ${row}.id`

/**
 * `offset 0` prevents a plan that scans all codes, whichever change the first plan was made for.
 */
const tagsChanged = (codes: 1 | -1) =>
  `select organization_id, folder_id, tag, type, status, ${codes} as codes
    from some_tags as t, lateral (${codeOfTag('t')} offset 0) as code`

const codeKind = 'organization_id, id, folder_id, type, status'

/** Only codes whose kind changed: the sums of all others are 0. */
const codesChanged = `select organization_id, folder_id, tag, type, status, codes
  from (
    select organization_id, id, folder_id, type, status, sum(codes) as codes
    from (
      select ${codeKind}, -1 as codes from before
      union all
      select ${codeKind}, 1 as codes from after
    ) as states
    group by ${codeKind}
    having sum(codes) <> 0
  ) as code, lateral (${tagsOfCode('code')} offset 0) as tags`

const codeDeleted = `select old.organization_id, old.folder_id, tag, old.type, old.status, -1 as codes
  from (${tagsOfCode('old')}) as tags`

const postgresTriggers = [
  `create function qr_codes_before_delete() returns trigger language plpgsql as $$
    begin
      ${countPostgres(codeDeleted)}
      return old;
    end
  $$`,
  `create trigger qr_codes_before_delete before delete on qr_codes
    for each row execute function qr_codes_before_delete()`,
  `create function qr_codes_after_new_kind() returns trigger language plpgsql as $$
    begin
      if exists (select ${codeKind} from before except select ${codeKind} from after) then
        ${countPostgres(codesChanged)}
      end if;
      return null;
    end
  $$`,
  `create trigger qr_codes_after_new_kind after update on qr_codes
    referencing old table as before new table as after
    for each statement execute function qr_codes_after_new_kind()`,
  ...(['insert', 'delete'] as const).flatMap((event) => [
    `create function qr_code_tags_after_${event}() returns trigger language plpgsql as $$
      begin
        ${countPostgres(tagsChanged(event === 'insert' ? 1 : -1))}
        return null;
      end
    $$`,
    `create trigger qr_code_tags_after_${event} after ${event} on qr_code_tags
      referencing ${event === 'insert' ? 'new' : 'old'} table as some_tags
      for each statement execute function qr_code_tags_after_${event}()`,
  ]),
  // The rows that the worker adds up (see qr-code-counts.ts).
  `create index qr_code_tag_counts_writers on qr_code_tag_counts (organization_id) where writer <> 0`,
]
