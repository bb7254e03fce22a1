import type { Invitation } from '@everscan/client/create-client.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, queries } from '../session/api.ts'
import { formatTime, formatWhen } from '../ui/format.ts'
import { membersWords } from '../words/settings-words.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { List } from '../ui/list.tsx'
import { Failure } from '../ui/surfaces.tsx'
import { commonWords } from '../words/common-words.ts'

const text = membersWords

export const refreshInvitations = async (orgId: string) =>
  queries.invalidateQueries({ queryKey: ['invitations', orgId] })

/**
 * Lists invitations that are not accepted yet. They expire after days, so they are among the
 * newest.
 */
export function OpenInvitations({ orgId }: { orgId: string }) {
  const [revoking, setRevoking] = useState<Invitation>()
  const invitations = useQuery({
    queryKey: ['invitations', orgId],
    queryFn: async ({ signal }) => api.invitations.list(orgId, { limit: 100 }, { signal }),
  })
  if (invitations.isError)
    return <Failure error={invitations.error} onRetry={() => void invitations.refetch()} />
  const nowMs = Date.now()
  const open = invitations.data?.data.filter(
    ({ acceptedAt, expiresAt }) => acceptedAt === null && new Date(expiresAt).getTime() > nowMs,
  )
  if (open === undefined || open.length === 0) return null
  return (
    <section aria-labelledby="invitations" className="grid grid-cols-1 gap-3">
      <h2 id="invitations" className="text-lg font-semibold">
        {text.invitations}
      </h2>
      <List>
        {open.map((invitation) => (
          <li key={invitation.id} className="flex min-h-17 items-center gap-3 px-4 py-2.5">
            <div className="min-w-0 flex-1">
              <p className="flex flex-wrap items-center gap-x-2">
                <bdi className="max-w-full truncate font-medium">{invitation.email}</bdi>
                <Badge>{text.roles[invitation.role]}</Badge>
              </p>
              <p className="text-sm text-soft">
                {text.invited(invitation.invitedBy.name, formatWhen(invitation.createdAt))}
                {' · '}
                <time dateTime={invitation.expiresAt} title={formatTime(invitation.expiresAt)}>
                  {text.ends(formatWhen(invitation.expiresAt))}
                </time>
              </p>
            </div>
            <Button
              aria-label={`${text.revoke}${commonWords.colon} ${invitation.email}`}
              onClick={() => setRevoking(invitation)}
            >
              {text.revoke}
            </Button>
          </li>
        ))}
      </List>
      {revoking !== undefined && (
        <ConfirmDialog
          title={text.revokeTitle(revoking.email)}
          text={text.revokeText}
          action={text.revokeAction}
          onConfirm={async () => {
            await api.invitations.revoke(orgId, revoking.id)
            await refreshInvitations(orgId)
          }}
          onClose={() => setRevoking(undefined)}
        />
      )}
    </section>
  )
}
