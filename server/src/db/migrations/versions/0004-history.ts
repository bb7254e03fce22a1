import type { Migration } from '../migration.ts'

/** The versions of codes, and the audit log of an organization. */
export const history: Migration = {
  name: '0004-history',
  statements: ({ text, integer, strict }) => [
    // The version of a code's current content. Older codes, and codes that an older release creates
    // during the upgrade, have version 1 from their creation and without an actor.
    `alter table qr_codes add column history_version ${integer} not null default 1`,
    `alter table qr_codes add column history_changed ${text} not null default ''`,
    `alter table qr_codes add column history_at_ms ${integer}`,
    `alter table qr_codes add column history_by ${text}`,

    // Superseded versions. A field is null if the next version has the same value: most changes
    // affect one field, and a style can contain a picture.
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
    // Each index has the order of the list, so that a page reads only its own entries.
    `create index audit_log_created on audit_log (organization_id, created_at_ms, id)`,
    `create index audit_log_action on audit_log (organization_id, action, created_at_ms, id)`,
    `create index audit_log_actor on audit_log (organization_id, actor_id, created_at_ms, id)`,
    `create index audit_log_target on audit_log (organization_id, target_id, created_at_ms, id)`,
  ],
}
