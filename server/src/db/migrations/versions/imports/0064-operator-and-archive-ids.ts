import type { Migration } from '../../migration.ts'

/**
 * The operator's organization, which was the oldest one until now, and the ids of imported
 * archives: record 93. An organization that came by an archive has nothing that is older than its
 * import, so an archive with an early time of creation does not make its owner the operator.
 */
export const operatorAndArchiveIds: Migration = {
  name: '0064-operator-and-archive-ids',
  statements: ({ text, integer, strict }) => [
    `alter table organizations add column operator ${integer} not null default 0`,
    `update organizations set operator = 1 where id = (
      select o.id from organizations o
      where o.demo is null and not exists (
        select 1 from jobs j
        where j.organization_id = o.id and j.kind = 'archive'
          and not exists (
            select 1 from members m
            where m.organization_id = o.id and m.created_at_ms < j.created_at_ms)
          and not exists (
            select 1 from api_keys k
            where k.organization_id = o.id and k.created_at_ms < j.created_at_ms)
          and not exists (
            select 1 from audit_log a
            where a.organization_id = o.id and a.created_at_ms < j.created_at_ms))
      order by o.created_at_ms, o.id
      limit 1)`,
    'create unique index organizations_operator on organizations (operator) where operator = 1',
    `create table archive_ids (
      organization_id ${text} not null,
      job_id ${text} not null,
      page ${integer} not null,
      pairs ${text} not null,
      primary key (organization_id, job_id, page),
      foreign key (organization_id, job_id) references jobs (organization_id, id) on delete cascade
    ) ${strict}`,
  ],
}
