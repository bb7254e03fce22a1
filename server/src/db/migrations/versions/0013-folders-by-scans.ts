import type { Migration } from '../migration.ts'

/**
 * Lists the codes of a folder by scans without reading all of them: each counter stores the folder
 * of its code. Triggers maintain it, whichever release writes. Codes without a folder cost nothing.
 */
export const foldersByScans: Migration = {
  name: '0013-folders-by-scans',
  statements: ({ dialect, text }) => [
    `alter table scan_counters add column folder_id ${text}`,
    `update scan_counters
      set folder_id = q.folder_id
      from qr_codes as q
      where q.organization_id = scan_counters.organization_id
      and q.id = scan_counters.qr_code_id
      and q.folder_id is not null`,
    `create index scan_counters_folder on scan_counters (organization_id, folder_id, total_scans, qr_code_id)
      where folder_id is not null`,
    ...(dialect === 'sqlite' ? sqliteTriggers : postgresTriggers),
  ],
}

const ofTheCode = (row: string) =>
  `(select folder_id from qr_codes where organization_id = ${row}.organization_id and id = ${row}.qr_code_id)`

const move = `update scan_counters
  set folder_id = new.folder_id
  where organization_id = new.organization_id and qr_code_id = new.id;`

const sqliteTriggers = [
  `create trigger scan_counters_inserted after insert on scan_counters
    when ${ofTheCode('new')} is not null begin
    update scan_counters
    set folder_id = ${ofTheCode('new')}
    where organization_id = new.organization_id and qr_code_id = new.qr_code_id;
  end`,
  `create trigger qr_codes_moved after update of folder_id on qr_codes
    when new.folder_id is not old.folder_id begin
    ${move}
  end`,
]

const postgresTriggers = [
  `create function scan_counters_before_insert() returns trigger language plpgsql as $$
    begin
      new.folder_id := ${ofTheCode('new')};
      return new;
    end
  $$`,
  `create trigger scan_counters_before_insert before insert on scan_counters
    for each row execute function scan_counters_before_insert()`,
  `create function qr_codes_after_move() returns trigger language plpgsql as $$
    begin
      ${move}
      return null;
    end
  $$`,
  `create trigger qr_codes_after_move after update of folder_id on qr_codes
    for each row when (new.folder_id is distinct from old.folder_id)
    execute function qr_codes_after_move()`,
]
