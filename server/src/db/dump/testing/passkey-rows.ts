/** Rows of the tables of passkeys; another `name` makes different rows. */
export function passkeyRows(
  name: string,
  { user, text, at }: { user: string | undefined; text: string; at: number },
) {
  return {
    passkeys: [
      {
        id: `psk_${name}`,
        user_id: user,
        credential_id: `k-${name}`,
        public_key: 'p',
        counter: 2 ** 32 - 1,
        transports: '["internal"]',
        backed_up: 1,
        name: text,
        created_at_ms: at,
        last_used_at_ms: null,
      },
    ],
    used_challenges: [{ id: `u-${name}`, expires_at_ms: at }],
  }
}
