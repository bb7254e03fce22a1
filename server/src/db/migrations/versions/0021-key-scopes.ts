import type { Migration } from '../migration.ts'

/** Scopes and networks of keys. Null, as for every older key: no such limit. */
export const keyScopes: Migration = {
  name: '0021-key-scopes',
  statements: ({ text }) => [
    `alter table api_keys add column scopes ${text}`,
    `alter table api_keys add column networks ${text}`,
  ],
}
