import { hasWords, searchWords } from '@everscan/contract/schema/folding.ts'
import { roleAllows, type Role } from '@everscan/contract/schema/common.ts'
import type { LinkProps } from '@tanstack/react-router'
import type { RecentItem } from './recent-items.ts'
import { commonWords } from '../words/common-words.ts'
import { finderWords } from '../words/finder-words.ts'

const text = finderWords

/** The effect of choosing a result: a page of the dashboard opens, or another way to find. */
export type Target = { link: Pick<LinkProps, 'to' | 'params' | 'search'> } | { mode: 'picture' }

/** A result of the finder. */
export type FinderItem = {
  id: string
  kind: 'code' | 'folder' | 'page' | 'action'
  name: string
  /** A second line: the whole text, and a short form of it for the eye. */
  detail?: { full: string; shown: string }
  target: Target
  /** Remembered when the user opens it. */
  recent?: RecentItem
}

export type FinderGroup = { name: string; items: readonly FinderItem[] }

type Command = Pick<FinderItem, 'kind' | 'name' | 'target'> & {
  id: string
  alsoNamed?: string
  role?: Role
}

function commands(orgId: string): readonly Command[] {
  const params = { orgId }
  const page = (to: NonNullable<LinkProps['to']>): Target => ({ link: { to, params } })
  const { nav } = commonWords
  const also = text.alsoNamed
  const action = { kind: 'action' } as const
  const ofPage = { kind: 'page' } as const
  return [
    {
      ...action,
      id: 'new-code',
      name: text.actions.newCode,
      target: page('/$orgId/codes/new'),
      alsoNamed: also.newCode,
      role: 'EDITOR',
    },
    {
      ...action,
      id: 'picture',
      name: text.actions.picture,
      target: { mode: 'picture' },
      alsoNamed: also.picture,
    },
    {
      ...action,
      id: 'import',
      name: text.actions.import,
      target: page('/$orgId/imports'),
      alsoNamed: also.import,
      role: 'EDITOR',
    },
    {
      ...action,
      id: 'invite',
      name: text.actions.invite,
      target: page('/$orgId/settings/members'),
      alsoNamed: also.invite,
      role: 'ADMIN',
    },
    {
      ...action,
      id: 'new-key',
      name: text.actions.newKey,
      target: page('/$orgId/developers'),
      alsoNamed: also.newKey,
      role: 'ADMIN',
    },
    { ...ofPage, id: 'codes', name: nav.codes, target: page('/$orgId/codes') },
    {
      ...ofPage,
      id: 'analytics',
      name: nav.analytics,
      target: page('/$orgId/analytics'),
      alsoNamed: also.analytics,
    },
    { ...ofPage, id: 'imports', name: nav.imports, target: page('/$orgId/imports') },
    { ...ofPage, id: 'developers', name: nav.developers, target: page('/$orgId/developers') },
    { ...ofPage, id: 'settings', name: nav.settings, target: page('/$orgId/settings') },
    {
      ...ofPage,
      id: 'members',
      name: text.pages.members,
      target: page('/$orgId/settings/members'),
      alsoNamed: also.members,
    },
    {
      ...ofPage,
      id: 'audit-log',
      name: text.pages.auditLog,
      target: page('/$orgId/settings/audit-log'),
      alsoNamed: also.auditLog,
      role: 'ADMIN',
    },
    { ...ofPage, id: 'bin', name: text.pages.bin, target: page('/$orgId/bin'), alsoNamed: also.bin },
    {
      ...ofPage,
      id: 'account',
      name: nav.account,
      target: page('/$orgId/account'),
      alsoNamed: also.account,
    },
  ]
}

/** Returns the actions and pages that a member with this role may open and whose names match. */
export function commandGroups(orgId: string, { role, typed }: { role: Role; typed: string }): FinderGroup[] {
  const words = searchWords(typed)
  const found = commands(orgId).filter(
    ({ name, alsoNamed = '', role: needed = 'VIEWER' }) =>
      roleAllows(role, needed) && hasWords(`${name} ${alsoNamed}`, words),
  )
  const groupOf = (kind: Command['kind'], name: string) => ({
    name,
    items: found.filter((one) => one.kind === kind).map((one) => ({ ...one, id: `${kind}-${one.id}` })),
  })
  return [groupOf('action', text.groups.actions), groupOf('page', text.groups.pages)]
}

/** Returns an item that opens a code. */
export function codeItem(
  orgId: string,
  { id, name, detail }: { id: string; name: string; detail?: FinderItem['detail'] },
): FinderItem {
  return {
    id: `code-${id}`,
    kind: 'code',
    name,
    ...(detail !== undefined && { detail }),
    target: { link: { to: '/$orgId/codes/$codeId', params: { orgId, codeId: id } } },
    recent: { kind: 'code', id, name },
  }
}

/** Returns an item that lists the codes of a folder. */
export function folderItem(orgId: string, { id, name }: { id: string; name: string }): FinderItem {
  return {
    id: `folder-${id}`,
    kind: 'folder',
    name,
    target: { link: { to: '/$orgId/codes', params: { orgId }, search: { folder: id } } },
    recent: { kind: 'folder', id, name },
  }
}

/** Returns what was opened last, as a group. */
export function recentGroup(orgId: string, items: readonly RecentItem[]): FinderGroup {
  return {
    name: text.groups.recent,
    items: items.map((item) => (item.kind === 'code' ? codeItem(orgId, item) : folderItem(orgId, item))),
  }
}
