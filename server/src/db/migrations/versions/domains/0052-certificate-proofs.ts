import type { Migration } from '../../migration.ts'

/**
 * Proofs of names by tls-alpn-01 and dns-01 (record 77), and mails about certificates that wait to
 * be sent.
 */
export const certificateProofs: Migration = {
  name: '0052-certificate-proofs',
  statements: ({ text, integer }) => [
    // Set for tls-alpn-01, whose answer is a sealed certificate for this name.
    `alter table acme_challenges add column hostname ${text}`,
    `create index acme_challenges_hostname on acme_challenges (hostname) where hostname is not null`,
    `alter table domains add column certificate_proof ${text} not null default 'automatic'`,
    // How the certificate in use was proved; null: by http-01, as before this release.
    `alter table certificates add column proved_by ${text}`,
    // An order that waits for a TXT record, its value, and when it was placed.
    `alter table certificates add column dns_order_url ${text}`,
    `alter table certificates add column dns_value ${text}`,
    `alter table certificates add column dns_ordered_at_ms ${integer}`,
    `alter table certificates add column mail_due_at_ms ${integer}`,
    // JSON of the addresses that a mail has yet to reach; null: all.
    `alter table certificates add column mail_left ${text}`,
    `alter table certificates add column mail_attempts ${integer} not null default 0`,
  ],
}
