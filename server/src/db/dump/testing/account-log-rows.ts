/** The log of an account in the fixture: a sign-in, and failures that are one entry. */
export function accountLogRows(name: string, { user, at }: { user: string | undefined; at: number }) {
  return ['sign-in.password', 'sign-in.wrong-password'].map((action, index) => ({
    user_id: user,
    id: `acc_${name}_${index}`,
    action,
    times: 1 + index,
    actor: null,
    network: index === 0 ? null : '203.0.113.0/24',
    user_agent: index === 0 ? '\u{1F600} "quoted" \u2028' : null,
    created_at_ms: at,
    last_at_ms: at + index,
  }))
}
