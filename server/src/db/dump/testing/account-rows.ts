/** An account and its link for a new password; another `name` makes different rows. */
export function accountRows(
  name: string,
  { user, text, at }: { user: string | undefined; text: string; at: number },
) {
  return {
    users: [
      {
        id: user,
        email: `${name}@example.com`,
        name: text,
        password_hash: null,
        created_at_ms: at,
        email_confirmed_at_ms: at + 1,
        language: 'fr',
      },
    ],
    password_resets: [
      {
        token_hash: `p-${name}`,
        user_id: user,
        made_by: null,
        mailed: 1,
        created_at_ms: at,
        expires_at_ms: at,
      },
    ],
  }
}
