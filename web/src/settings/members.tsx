import type { CreatedInvitation, Organization } from '@everscan/client/create-client.ts'
import { keepPreviousData, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { InvitationDialog } from './invitation-dialog.tsx'
import { OpenInvitations, refreshInvitations } from './open-invitations.tsx'
import { List, ListSkeleton } from '../ui/list.tsx'
import { MemberRow, type ShownLink } from './member-row.tsx'
import { useTitle } from '../ui/narrow-page.tsx'
import { Pager } from '../ui/pager.tsx'
import { SettingsHead } from './settings-head.tsx'
import { ShownOnce } from '../ui/shown-once.tsx'
import { Failure } from '../ui/surfaces.tsx'
import { TwoFactorRule } from './two-factor-rule.tsx'
import { api } from '../session/api.ts'
import { formatNumber } from '../ui/format.ts'
import { meQuery, useOrganization } from '../session/session.ts'
import { membersWords } from '../words/settings-words.ts'

const text = membersWords
const route = getRouteApi('/$orgId/settings/members')
const perPage = 25

/** Lists the members of the organization, and the people invited to it. */
export function MembersPage() {
  useTitle(text.title)
  const { orgId } = route.useParams()
  const organization = useOrganization(orgId)
  return (
    <>
      <SettingsHead orgId={orgId} role={organization.role} />
      <Members key={orgId} organization={organization} />
    </>
  )
}

function Members({ organization }: { organization: Organization }) {
  const { id: orgId, role } = organization
  const { data: me } = useSuspenseQuery(meQuery)
  const { page = 1 } = route.useSearch()
  const navigate = useNavigate({ from: '/$orgId/settings/members' })
  const [link, setLink] = useState<ShownLink>()
  const members = useQuery({
    queryKey: ['members', orgId, page],
    queryFn: async ({ signal }) => api.members.list(orgId, { page, limit: perPage }, { signal }),
    placeholderData: keepPreviousData,
  })
  const isAdmin = role === 'ADMIN'
  const total = members.data?.pagination.total
  return (
    <div className="grid grid-cols-1 gap-5">
      <div className="flex min-h-10 flex-wrap items-center justify-between gap-3">
        <p className="text-soft">{total === undefined ? '' : text.count(total, formatNumber(total))}</p>
        {isAdmin && <InviteButton orgId={orgId} onMade={(made) => setLink(linkOf(made))} />}
      </div>
      {link !== undefined && (
        <ShownOnce title={link.title} text={link.text} value={link.url} copyLabel={text.copyLink}>
          <Button className="mt-3" onClick={() => setLink(undefined)}>
            {text.done}
          </Button>
        </ShownOnce>
      )}
      {members.isError && <Failure error={members.error} onRetry={() => void members.refetch()} />}
      {members.isPending && <ListSkeleton rows={3} />}
      {members.data !== undefined && (
        <div>
          <List busy={members.isPlaceholderData}>
            {members.data.data.map((member) => (
              <MemberRow
                key={member.id}
                {...{ orgId, member }}
                isMe={member.id === me.id}
                mayChange={isAdmin}
                onLink={setLink}
              />
            ))}
          </List>
          <Pager
            page={page}
            totalPages={members.data.pagination.totalPages}
            onGo={(next) => void navigate({ search: next === 1 ? {} : { page: next } })}
          />
        </div>
      )}
      {isAdmin && <OpenInvitations orgId={orgId} />}
      {isAdmin && members.data !== undefined && (
        <TwoFactorRule
          organization={organization}
          members={members.data.data}
          isWhole={members.data.pagination.totalPages <= 1}
        />
      )}
    </div>
  )
}

type InviteProps = { orgId: string; onMade: (made: CreatedInvitation) => void }

function InviteButton({ orgId, onMade }: InviteProps) {
  const [inviting, setInviting] = useState(false)
  return (
    <>
      <Button look="primary" onClick={() => setInviting(true)}>
        {text.invite}
      </Button>
      {inviting && (
        <InvitationDialog
          orgId={orgId}
          onMade={(made) => {
            setInviting(false)
            onMade(made)
            void refreshInvitations(orgId)
          }}
          onClose={() => setInviting(false)}
        />
      )}
    </>
  )
}

function linkOf({ email, acceptUrl, mailed, notMailed }: CreatedInvitation): ShownLink {
  const title = text.inviteLink(email)
  const why = notMailed === undefined ? '' : `${text.inviteNotMailed[notMailed]} `
  return { title, text: mailed === true ? text.inviteMailed : `${why}${text.inviteOnce}`, url: acceptUrl }
}
