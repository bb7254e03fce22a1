/** A saved view with a link and a mail, and the count of its mails. */
export function viewRows(organization: string | undefined, { text, at }: { text: string; at: number }) {
  return {
    views: [
      {
        organization_id: organization,
        id: `v-${organization}`,
        name: text,
        query: JSON.stringify({ city: [text] }),
        share_hash: `hash of ${organization}`,
        share_token: text,
        share_password: null,
        share_expires_at_ms: Number.MAX_SAFE_INTEGER,
        share_created_at_ms: at,
        mail_to: JSON.stringify([text]),
        mail_every: 'week',
        mail_by: text,
        mail_sender_id: text,
        mail_language: 'de',
        mail_next_at_ms: at,
        mail_due_at_ms: at,
        mail_left: '[]',
        mail_attempts: 2,
        mail_last_sent_at_ms: at,
        mail_last_error: text,
        mail_lease_number: 3,
        mail_lease_until_ms: null,
        created_at_ms: at,
        updated_at_ms: at,
      },
    ],
    view_mail_days: [{ organization_id: organization, day: 20_000, mails: 5 }],
    mail_consents: [
      { organization_id: organization, address: text, state: 'ASKED', asks: 1, asked_at_ms: at },
    ],
    mail_refusals: [{ address: `${organization} ${text}`, refused_at_ms: at }],
    mail_counts: [
      {
        day: 20_000,
        organization_id: organization,
        sender_id: text,
        kind: 'view',
        domain: text,
        mails: 5,
        refused: 1,
      },
    ],
  }
}
