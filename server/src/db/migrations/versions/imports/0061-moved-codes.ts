import type { Migration } from '../../migration.ts'

/** Codes of moves that have not ended, for the visits that come after them: record 85. */
export const movedCodes: Migration = {
  name: '0061-moved-codes',
  statements: ({ text, strict }) => [
    `create table moved_codes (
      organization_id ${text} not null,
      job_id ${text} not null,
      code_key ${text} not null,
      qr_code_id ${text} not null,
      primary key (organization_id, job_id, code_key),
      foreign key (organization_id, job_id) references jobs (organization_id, id) on delete cascade
    ) ${strict}`,
  ],
}
