import type { Migration } from '../migration.ts'

/** The state of an import from its upload to its end. */
export const imports: Migration = {
  name: '0003-imports',
  statements: ({ text, integer, strict }) => [
    // No foreign key to jobs: chunks come before their job.
    `create table import_chunks (
      organization_id ${text} not null references organizations (id) on delete cascade,
      job_id ${text} not null,
      chunk ${integer} not null,
      rows ${text} not null,
      created_at_ms ${integer} not null,
      primary key (organization_id, job_id, chunk)
    ) ${strict}`,

    `create table import_row_errors (
      organization_id ${text} not null,
      job_id ${text} not null,
      row_number ${integer} not null,
      line ${integer} not null,
      column_name ${text},
      code ${text} not null,
      message ${text} not null,
      cells ${text} not null,
      primary key (organization_id, job_id, row_number),
      foreign key (organization_id, job_id) references jobs (organization_id, id) on delete cascade
    ) ${strict}`,
  ],
}
