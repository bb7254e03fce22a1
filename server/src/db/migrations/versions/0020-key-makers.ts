import type { Migration } from '../migration.ts'

/** The actor that created a key, as JSON. Null: an older release created it during the upgrade. */
export const keyMakers: Migration = {
  name: '0020-key-makers',
  statements: ({ dialect, text }) => [
    `alter table api_keys add column made_by ${text}`,
    `update api_keys set made_by = (
      select ${dialect === 'sqlite' ? sqliteActor : postgresActor}
      from audit_log
      where audit_log.organization_id = api_keys.organization_id
        and audit_log.target_id = api_keys.id
        and audit_log.action = 'api-key.create'
    )`,
    // Every new key counts those that are not revoked. Scripts may revoke any number of keys.
    `create index api_keys_active on api_keys (organization_id, expires_at_ms) where revoked_at_ms is null`,
  ],
}

const sqliteActor = `json_object('kind', actor_kind, 'id', actor_id, 'name', actor_name)`
const postgresActor = `json_build_object('kind', actor_kind, 'id', actor_id, 'name', actor_name)::text`
