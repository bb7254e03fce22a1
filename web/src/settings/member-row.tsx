import type { Member } from '@everscan/client/create-client.ts'
import { roles, type Role } from '@everscan/contract/schema/common.ts'
import { useMutation } from '@tanstack/react-query'
import { MoreHorizontal } from 'lucide-react'
import { useState } from 'react'
import { api, queries } from '../session/api.ts'
import { formatTime, formatWhen } from '../ui/format.ts'
import { showProblem } from '../ui/problems.ts'
import { organizationsQuery } from '../session/session.ts'
import { showToast } from '../ui/toasts.ts'
import { membersWords } from '../words/settings-words.ts'
import { Badge } from '../ui/badge.tsx'
import { buttonClass } from '../ui/button.tsx'
import { Choice } from '../ui/choice.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { Menu, MenuItem } from '../ui/menu.tsx'

const text = membersWords

const refreshMembers = async (orgId: string) => queries.invalidateQueries({ queryKey: ['members', orgId] })

/** A link that is shown only once: for an invitation or a new password. */
export type ShownLink = { title: string; text: string; url: string }

type Props = {
  orgId: string
  member: Member
  isMe: boolean
  mayChange: boolean
  onLink: (link: ShownLink) => void
}

/**
 * Shows a member, with the actions of an admin. In their own row, admins can change only the role:
 * a user who wants to go leaves the organization.
 */
export function MemberRow({ orgId, member, isMe, mayChange, onLink }: Props) {
  const { id, name, role } = member
  const [becoming, setBecoming] = useState<Role>()
  const change = useMutation({
    mutationFn: async (next: Role) => api.members.update(orgId, id, next),
    onSuccess: (changed) => {
      const done = text.roleChanged(name, text.roles[changed.role])
      showToast({ kind: 'good', text: done, undo: () => change.mutate(role) })
    },
    onError: showProblem,
    onSettled: async () => refreshMembers(orgId),
  })
  const shownRole = change.isPending ? change.variables : role
  return (
    <li className="flex min-h-17 flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2.5">
      <MemberName member={member} isMe={isMe} />
      {mayChange ? (
        <div className="w-44 shrink-0">
          <Choice
            label={text.roleOf(name)}
            value={shownRole}
            options={roles.map((one) => [one, text.roles[one]] as const)}
            // A user who gives up the admin role cannot take it back, so a dialog asks first.
            onChoose={(next) => (isMe ? setBecoming(next) : change.mutate(next))}
            disabled={change.isPending}
          />
        </div>
      ) : (
        <Badge>{text.roles[role]}</Badge>
      )}
      {mayChange && !isMe && <MemberMenu orgId={orgId} member={member} onLink={onLink} />}
      {becoming !== undefined && (
        <ConfirmDialog
          title={text.ownRoleTitle(text.roles[becoming])}
          text={text.ownRoleText}
          action={text.ownRoleAction}
          onConfirm={async () => {
            await api.members.update(orgId, id, becoming)
            await refreshMembers(orgId)
            // The user's own role decides what is shown everywhere.
            await queries.invalidateQueries({ queryKey: organizationsQuery.queryKey })
          }}
          onClose={() => setBecoming(undefined)}
        />
      )}
    </li>
  )
}

function MemberName({ member, isMe }: Pick<Props, 'member' | 'isMe'>) {
  const { name, email, joinedAt, twoFactor } = member
  return (
    <div className="min-w-0 flex-1 basis-48">
      <p className="flex flex-wrap items-center gap-x-2">
        <span className="max-w-full truncate font-medium">{name}</span>
        {isMe && <Badge tone="good">{text.you}</Badge>}
        {twoFactor === false && <Badge>{text.withoutTwoFactor}</Badge>}
      </p>
      <p className="text-sm text-soft max-sm:break-all sm:truncate">
        <bdi>{email}</bdi>
        <time dateTime={joinedAt} title={formatTime(joinedAt)} className="max-sm:hidden">
          {` · ${text.joined(formatWhen(joinedAt))}`}
        </time>
      </p>
    </div>
  )
}

/** Makes a link for a new password, and removes the member. */
function MemberMenu({ orgId, member: { id, name }, onLink }: Pick<Props, 'orgId' | 'member' | 'onLink'>) {
  const [removing, setRemoving] = useState(false)
  const reset = useMutation({
    mutationFn: async () => api.members.createPasswordReset(orgId, id),
    onSuccess: ({ resetUrl }) => onLink({ title: text.resetLink(name), text: text.resetOnce, url: resetUrl }),
    onError: showProblem,
  })
  return (
    <>
      <Menu
        trigger={
          <button type="button" aria-label={text.menu(name)} className={buttonClass('quiet')}>
            <MoreHorizontal size={18} aria-hidden />
          </button>
        }
      >
        <MenuItem onSelect={() => reset.mutate()}>{text.resetPassword}</MenuItem>
        <MenuItem danger onSelect={() => setRemoving(true)}>
          {text.remove}
        </MenuItem>
      </Menu>
      {removing && (
        <ConfirmDialog
          title={text.removeTitle(name)}
          text={text.removeText}
          action={text.removeAction}
          onConfirm={async () => {
            await api.members.remove(orgId, id)
            await refreshMembers(orgId)
          }}
          onClose={() => setRemoving(false)}
        />
      )}
    </>
  )
}
