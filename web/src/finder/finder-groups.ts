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

type Command = {
  id: string
  name: string
  alsoNamed?: string
  /** Role that it needs. Undefined: every member may. */
  role?: Role
  /** Page that it opens. Undefined: it finds by a picture. */
  to?: NonNullable<LinkProps['to']>
}

const { nav } = commonWords
const also = text.alsoNamed
const { actions, pages } = text

const actionCommands: readonly Command[] = [
  { id: 'new-code', name: actions.newCode, alsoNamed: also.newCode, role: 'EDITOR', to: '/$orgId/codes/new' },
  { id: 'picture', name: actions.picture, alsoNamed: also.picture },
  { id: 'import', name: actions.import, alsoNamed: also.import, role: 'EDITOR', to: '/$orgId/imports' },
  {
    id: 'invite',
    name: actions.invite,
    alsoNamed: also.invite,
    role: 'ADMIN',
    to: '/$orgId/settings/members',
  },
  { id: 'new-key', name: actions.newKey, alsoNamed: also.newKey, role: 'ADMIN', to: '/$orgId/developers' },
]
const pageCommands: readonly Command[] = [
  { id: 'codes', name: nav.codes, to: '/$orgId/codes' },
  { id: 'analytics', name: nav.analytics, alsoNamed: also.analytics, to: '/$orgId/analytics' },
  { id: 'imports', name: nav.imports, to: '/$orgId/imports' },
  { id: 'developers', name: nav.developers, to: '/$orgId/developers' },
  { id: 'settings', name: nav.settings, to: '/$orgId/settings' },
  { id: 'members', name: pages.members, alsoNamed: also.members, to: '/$orgId/settings/members' },
  {
    id: 'audit-log',
    name: pages.auditLog,
    alsoNamed: also.auditLog,
    role: 'ADMIN',
    to: '/$orgId/settings/audit-log',
  },
  { id: 'bin', name: pages.bin, alsoNamed: also.bin, to: '/$orgId/bin' },
  { id: 'account', name: nav.account, alsoNamed: also.account, to: '/$orgId/account' },
]

/** Returns the actions and pages that a member with this role may open and whose names match. */
export function commandGroups(orgId: string, { role, typed }: { role: Role; typed: string }): FinderGroup[] {
  const words = searchWords(typed)
  const matches = ({ name, alsoNamed = '', role: needed = 'VIEWER' }: Command) =>
    roleAllows(role, needed) && hasWords(`${name} ${alsoNamed}`, words)
  const itemOf = (kind: FinderItem['kind'], { id, name, to }: Command): FinderItem => ({
    id: `${kind}-${id}`,
    kind,
    name,
    target: to === undefined ? { mode: 'picture' } : { link: { to, params: { orgId } } },
  })
  return [
    {
      name: text.groups.actions,
      items: actionCommands.filter(matches).map((one) => itemOf('action', one)),
    },
    { name: text.groups.pages, items: pageCommands.filter(matches).map((one) => itemOf('page', one)) },
  ]
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
