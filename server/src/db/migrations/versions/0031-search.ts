import type { Migration } from '../migration.ts'

/**
 * Stores beside each code, for searches and the order by name: its name without accents, its tags
 * and where it leads, and a key that sorts as people do. `search_version` is the version of
 * the code that they are of. A release that does not know them changes `version` only, so its rows
 * are found by the difference, and a chore of the worker computes them; the existing rows likewise,
 * so that this migration takes seconds with a million codes (record 53).
 */
export const search: Migration = {
  name: '0031-search',
  statements: ({ dialect, text, integer }) => [
    ...['qr_codes', 'binned_qr_codes'].flatMap((table) => [
      `alter table ${table} add column name_folded ${text} not null default ''`,
      `alter table ${table} add column content_folded ${text} not null default ''`,
      `alter table ${table} add column name_order ${text} not null default ''`,
      `alter table ${table} add column search_version ${integer} not null default 0`,
    ]),
    `create index qr_codes_unindexed on qr_codes (organization_id, id) where search_version <> version`,
    ...(dialect === 'sqlite' ? sqliteStatements : postgresStatements),
  ],
}

const words = 'name_folded, content_folded, canonical_code'
const addWords = `insert into qr_code_words (rowid, ${words})
  values (new.number, new.name_folded, new.content_folded, new.canonical_code);`

const sqliteStatements = [
  // With the columns that searches compare, so that a walk in the order of names needs no code.
  `create index qr_codes_name_order on qr_codes (organization_id, name_order, id, ${words})`,
  // Texts are folded already: the tokenizer must match what 'like' matches.
  `create virtual table qr_code_words using fts5 (
    ${words},
    content = '',
    contentless_delete = 1,
    tokenize = 'trigram case_sensitive 1'
  )`,
  // A new code gets its number from another trigger, and the order of triggers is not defined.
  `create trigger qr_codes_numbered after update of number on qr_codes
    when old.number is null and new.search_version > 0 begin
    ${addWords}
  end`,
  `create trigger qr_codes_reworded after update of name_folded, content_folded, search_version on qr_codes
    when new.name_folded <> old.name_folded
    or new.content_folded <> old.content_folded
    or (old.search_version = 0 and new.search_version > 0) begin
    delete from qr_code_words where rowid = old.number;
    ${addWords}
  end`,
  `create trigger qr_codes_forgotten after delete on qr_codes begin
    delete from qr_code_words where rowid = old.number;
  end`,
]

const postgresStatements = [
  `create index qr_codes_name_order on qr_codes (organization_id, name_order, id)`,
  // A short pending list, because every search reads all of it.
  `create index qr_codes_words on qr_codes
    using gin (name_folded gin_trgm_ops, content_folded gin_trgm_ops, canonical_code gin_trgm_ops)
    with (gin_pending_list_limit = 512)`,
  // With these statistics the planner distinguishes rare words from frequent ones.
  `alter table qr_codes alter column name_folded set statistics 1000`,
  `alter table qr_codes alter column content_folded set statistics 1000`,
]
