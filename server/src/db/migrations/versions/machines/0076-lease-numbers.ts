import type { Migration } from '../../migration.ts'

/**
 * Every lease has a number, as that of a job: see db/lease.ts. Until then, mails of domains were
 * held by the time at which they were due again, and a worker knew its order of a certificate by
 * the end of the lease. The previous release does not see the new leases of mails: while it runs
 * beside this one, it may send such a mail a second time.
 */
export const leaseNumbers: Migration = {
  name: '0076-lease-numbers',
  statements: ({ integer }) => [
    `alter table certificates add column lease_number ${integer} not null default 0`,
    `alter table certificates add column mail_lease_number ${integer} not null default 0`,
    `alter table certificates add column mail_lease_until_ms ${integer}`,
    `alter table domains add column notice_mail_lease_number ${integer} not null default 0`,
    `alter table domains add column notice_mail_lease_until_ms ${integer}`,
    `alter table chore_turns add column lease_number ${integer} not null default 0`,
  ],
}
