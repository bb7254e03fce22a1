import type { SavedStyle } from '@everscan/client/create-client.ts'
import { roleAllows, type Role } from '@everscan/contract/schema/common.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { MoreHorizontal } from 'lucide-react'
import { useState } from 'react'
import { api, queries } from '../session/api.ts'
import { showProblem } from '../ui/problems.ts'
import { showToast } from '../ui/toasts.ts'
import { settingsWords } from '../words/settings-words.ts'
import { Badge } from '../ui/badge.tsx'
import { buttonClass } from '../ui/button.tsx'
import { Menu, MenuItem } from '../ui/menu.tsx'
import { NameDialog } from '../ui/name-dialog.tsx'
import { StylePicture } from '../codes/style-picture.tsx'
import { LinesSkeleton } from '../ui/skeleton.tsx'
import { Card, Failure } from '../ui/surfaces.tsx'

const text = settingsWords

/** Returns all styles of an organization, newest first: at most 200. */
async function listStyles(orgId: string, signal: AbortSignal): Promise<SavedStyle[]> {
  return Array.fromAsync(api.styles.iterate(orgId, { signal }))
}

const refreshStyles = async (orgId: string) =>
  queries.invalidateQueries({ queryKey: ['styles', orgId, 'all'] })

/** Manages saved styles: chooses the default for new codes, renames and deletes them. */
export function SavedStylesCard({ orgId, role }: { orgId: string; role: Role }) {
  const styles = useQuery({
    queryKey: ['styles', orgId, 'all'],
    queryFn: async ({ signal }) => listStyles(orgId, signal),
  })
  return (
    <Card title={text.styles}>
      <p className="mb-3 text-soft">{styles.data?.length === 0 ? text.noStyles : text.stylesText}</p>
      {styles.isError && <Failure error={styles.error} onRetry={() => void styles.refetch()} />}
      {styles.isPending && <LinesSkeleton lines={1} className="h-16" />}
      <ul className="divide-y divide-line">
        {styles.data?.map((style) => (
          <StyleRow key={style.id} orgId={orgId} style={style} mayChange={roleAllows(role, 'EDITOR')} />
        ))}
      </ul>
    </Card>
  )
}

type RowProps = { orgId: string; style: SavedStyle; mayChange: boolean }

function StyleRow({ orgId, style, mayChange }: RowProps) {
  const { id, name, isDefault } = style
  const [renaming, setRenaming] = useState(false)
  const onSettled = async () => refreshStyles(orgId)
  const mark = useMutation({
    mutationFn: async () => api.styles.update(orgId, id, { isDefault: !isDefault }),
    onError: showProblem,
    onSettled,
  })
  const bringBack = useMutation({
    mutationFn: async () => api.styles.create(orgId, { name, style: style.style, isDefault }),
    onError: showProblem,
    onSettled,
  })
  const remove = useMutation({
    mutationFn: async () => api.styles.delete(orgId, id),
    onSuccess: () =>
      showToast({ kind: 'good', text: text.styleDeleted(name), undo: () => bringBack.mutate() }),
    onError: showProblem,
    onSettled,
  })
  return (
    <li className="flex min-h-16 items-center gap-3 py-2">
      <StylePicture style={style.style} />
      <p className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2">
        <span className="truncate font-medium">{name}</span>
        {isDefault && <Badge tone="good">{text.isDefault}</Badge>}
      </p>
      {mayChange && (
        <Menu
          trigger={
            <button type="button" aria-label={text.styleMenu(name)} className={buttonClass('quiet')}>
              <MoreHorizontal size={18} aria-hidden />
            </button>
          }
        >
          <MenuItem onSelect={() => mark.mutate()}>{isDefault ? text.noDefault : text.makeDefault}</MenuItem>
          <MenuItem onSelect={() => setRenaming(true)}>{text.rename}</MenuItem>
          <MenuItem danger onSelect={() => remove.mutate()}>
            {text.deleteStyle}
          </MenuItem>
        </Menu>
      )}
      {renaming && (
        <NameDialog
          title={text.renameTitle}
          name={name}
          onSave={async (next) => {
            await api.styles.update(orgId, id, { name: next })
            await refreshStyles(orgId)
          }}
          onClose={() => setRenaming(false)}
        />
      )}
    </li>
  )
}
