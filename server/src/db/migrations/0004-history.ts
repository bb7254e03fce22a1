import type { Migration } from './migration.ts'

/** Who changed what: the versions of codes, and the log of an organization's changes. */
export const history: Migration = {
  name: '0004-history',
  statements: ({ text, integer, strict }) => [
    // Of the version that a code has now. What was there before, and what an older release makes meanwhile, is version 1, of nobody
    // and from its creation.
    `alter table qr_codes add column history_version ${integer} not null default 1`,
    `alter table qr_codes add column history_changed ${text} not null default ''`,
    `alter table qr_codes add column history_at_ms ${integer}`,
    `alter table qr_codes add column history_by ${text}`,

    // Versions that were superseded. A field is null when the version after has the same: most changes are of one field, and a
    // style can have a picture in it.
    `create table qr_code_history (
      organization_id ${text} not null,
      qr_code_id ${text} not null,
      version ${integer} not null,
      name ${text},
      data ${text},
      style ${text},
      status ${text},
      changed ${text} not null,
      changed_at_ms ${integer} not null,
      changed_by ${text} not null,
      primary key (organization_id, qr_code_id, version),
      foreign key (organization_id, qr_code_id) references qr_codes (organization_id, id) on delete cascade
    ) ${strict}`,

    `create table audit_log (
      organization_id ${text} not null references organizations (id) on delete cascade,
      id ${text} not null,
      action ${text} not null,
      actor_kind ${text} not null,
      actor_id ${text},
      actor_name ${text} not null,
      target_id ${text} not null,
      target_name ${text},
      fields ${text} not null,
      via ${text} not null,
      country ${text} not null,
      user_agent ${text},
      request_id ${text},
      created_at_ms ${integer} not null,
      primary key (organization_id, id)
    ) ${strict}`,
    // Each in the order of the list, so that a page reads no more than itself.
    `create index audit_log_created on audit_log (organization_id, created_at_ms, id)`,
    `create index audit_log_action on audit_log (organization_id, action, created_at_ms, id)`,
    `create index audit_log_actor on audit_log (organization_id, actor_id, created_at_ms, id)`,
    `create index audit_log_target on audit_log (organization_id, target_id, created_at_ms, id)`,
  ],
}
