import type { RecipientState, View } from '@everscan/contract/views/views.ts'
import type { ViewRow } from '../../catalogue/views/view-rows.ts'
import { timestamp, timestampOrNull } from './timestamps.ts'

/**
 * A view as the API returns it. `link` is null for callers who may not share views; `states` has
 * the addresses of its mail.
 */
export function viewRecord(
  { id, name, query, share, mail, createdAtMs, updatedAtMs }: ViewRow,
  {
    link,
    states,
  }: { link: { token: string; url: string } | null; states: ReadonlyMap<string, RecipientState> },
): View {
  return {
    id,
    name,
    query,
    public: share && {
      token: link?.token ?? null,
      url: link?.url ?? null,
      hasPassword: share.passwordHash !== null,
      expiresAt: timestampOrNull(share.expiresAtMs),
      createdAt: timestamp(share.createdAtMs),
    },
    mail: mail && {
      to: mail.to,
      recipients: mail.to.map((address) => ({ address, state: states.get(address) ?? 'NOT_ASKED' })),
      every: mail.every,
      setUpBy: mail.setUpBy,
      nextAt: timestamp(mail.nextAtMs),
      lastSentAt: timestampOrNull(mail.lastSentAtMs),
      lastError: mail.lastError,
      problem: mail.problem,
      values: mail.values,
    },
    createdAt: timestamp(createdAtMs),
    updatedAt: timestamp(updatedAtMs),
  }
}
