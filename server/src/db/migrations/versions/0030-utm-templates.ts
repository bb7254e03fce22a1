import type { Migration } from '../migration.ts'

/** UTM parameters that an organization saved under a name. */
export const utmTemplates: Migration = {
  name: '0030-utm-templates',
  statements: ({ text, integer, strict }) => [
    `create table utm_templates (
      organization_id ${text} not null references organizations (id) on delete cascade,
      id ${text} not null,
      name ${text} not null,
      source ${text},
      medium ${text},
      campaign ${text},
      term ${text},
      content ${text},
      created_at_ms ${integer} not null,
      updated_at_ms ${integer} not null,
      primary key (organization_id, id)
    ) ${strict}`,
    `create index utm_templates_created on utm_templates (organization_id, created_at_ms, id)`,
  ],
}
