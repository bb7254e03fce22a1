import type { View } from '@everscan/contract/views/views.ts'
import type { ViewRow } from '../catalogue/views/view-rows.ts'
import { timestamp, timestampOrNull } from './timestamps.ts'

/** A view as the API returns it. `link` is null for callers who may not share views. */
export function viewRecord(
  { id, name, query, share, mail, createdAtMs, updatedAtMs }: ViewRow,
  link: { token: string; url: string } | null,
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
      every: mail.every,
      setUpBy: mail.setUpBy,
      nextAt: timestamp(mail.nextAtMs),
      lastSentAt: timestampOrNull(mail.lastSentAtMs),
      lastError: mail.lastError,
    },
    createdAt: timestamp(createdAtMs),
    updatedAt: timestamp(updatedAtMs),
  }
}
