import type { View, ViewQuery } from '@everscan/client/create-client.ts'
import { useQuery } from '@tanstack/react-query'
import { EllipsisVertical, Link2, Mail } from 'lucide-react'
import { useState } from 'react'
import { useMay } from '../session/roles.ts'
import { iconButtonClass } from '../ui/button.tsx'
import { ConfirmDialog, Dialog } from '../ui/dialog.tsx'
import { Menu, MenuItem, MenuLine } from '../ui/menu.tsx'
import { NameDialog } from '../ui/name-dialog.tsx'
import { Failure } from '../ui/surfaces.tsx'
import { commonWords } from '../words/common-words.ts'
import { sayProblem } from '../words/problems/say-problem.ts'
import { viewsWords } from '../words/views-words.ts'
import { MailDialog } from './mail-dialog.tsx'
import { ShareDialog } from './share-dialog.tsx'
import { deleteView, updateView, viewsQuery } from './views.ts'

const text = viewsWords

type Action = 'rename' | 'update' | 'share' | 'mail' | 'delete'
type Props = {
  orgId: string
  /** The figures on the page, to which a view can be updated. */
  query: ViewQuery
  onOpen: (view: View) => void
  onClose: () => void
}

/** Lists all saved views with their actions. */
export function ViewsDialog({ orgId, query, onOpen, onClose }: Props) {
  const views = useQuery(viewsQuery(orgId))
  const mayEdit = useMay(orgId, 'EDITOR')
  const [doing, setDoing] = useState<{ action: Action; id: string }>()
  const view = views.data?.find(({ id }) => id === doing?.id)
  const close = () => setDoing(undefined)
  if (doing !== undefined && view !== undefined)
    return <ActionDialog action={doing.action} view={view} orgId={orgId} query={query} onClose={close} />
  return (
    <Dialog title={text.saved} onClose={onClose} wide>
      {views.isError && <Failure error={views.error} onRetry={() => void views.refetch()} />}
      {views.data?.length === 0 && (
        <>
          <p className="font-medium">{text.none}</p>
          <p className="mt-1 text-soft">{text.noneText}</p>
        </>
      )}
      <ul className="divide-y divide-line">
        {views.data?.map((one) => (
          <li key={one.id} className="flex items-center gap-2 py-1">
            <button
              type="button"
              className="min-h-11 min-w-0 flex-1 cursor-pointer rounded-control px-2 text-start hover:bg-raised"
              onClick={() => {
                onOpen(one)
                onClose()
              }}
            >
              <span className="block truncate font-medium">{one.name}</span>
              <Marks view={one} />
            </button>
            {mayEdit && (
              <Menu
                trigger={
                  <button type="button" aria-label={text.actions.of(one.name)} className={iconButtonClass}>
                    <EllipsisVertical size={18} aria-hidden />
                  </button>
                }
              >
                {(['share', 'mail', 'rename', 'update'] as const).map((action) => (
                  <MenuItem key={action} onSelect={() => setDoing({ action, id: one.id })}>
                    {text.actions[action]}
                  </MenuItem>
                ))}
                <MenuLine />
                <MenuItem danger onSelect={() => setDoing({ action: 'delete', id: one.id })}>
                  {text.actions.delete}
                </MenuItem>
              </Menu>
            )}
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

/** Says whether people outside see a view, and whether its mail has a problem. */
function Marks({ view }: { view: View }) {
  const { public: link, mail } = view
  if (link === null && mail === null) return null
  return (
    <span className="flex flex-wrap gap-x-4 text-sm text-soft">
      {link !== null && (
        <span className="flex items-center gap-1.5">
          <Link2 size={14} aria-hidden />
          {text.shared}
        </span>
      )}
      {mail !== null && (
        <span className={`flex items-center gap-1.5 ${mail.lastError === null ? '' : 'text-danger'}`}>
          <Mail size={14} aria-hidden />
          {text.mailed[mail.every]}
          {mail.lastError !== null &&
            `${commonWords.colon} ${sayProblem({ ...mail, message: mail.lastError })}`}
        </span>
      )}
    </span>
  )
}

type ActionProps = Omit<Props, 'onOpen'> & { action: Action; view: View }

function ActionDialog({ action, view, orgId, query, onClose }: ActionProps) {
  if (action === 'share') return <ShareDialog orgId={orgId} view={view} onClose={onClose} />
  if (action === 'mail') return <MailDialog orgId={orgId} view={view} onClose={onClose} />
  if (action === 'rename')
    return (
      <NameDialog
        title={text.renaming}
        name={view.name}
        onSave={async (name) => updateView(orgId, view.id, { name })}
        onClose={onClose}
      />
    )
  const isUpdate = action === 'update'
  const words = isUpdate ? text.updating : text.deleting
  return (
    <ConfirmDialog
      title={words.title}
      text={words.text(view.name)}
      action={words.action}
      onConfirm={async () => (isUpdate ? updateView(orgId, view.id, { query }) : deleteView(orgId, view.id))}
      onClose={onClose}
    />
  )
}
