import type { View, ViewQuery } from '@everscan/client/create-client.ts'
import { useQuery } from '@tanstack/react-query'
import { Bookmark, Link2, Mail, Printer, Save, Settings2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { loadPart } from '../session/reachability.ts'
import { useMay } from '../session/roles.ts'
import { Button } from '../ui/button.tsx'
import { Menu, MenuItem, MenuLine } from '../ui/menu.tsx'
import { NameDialog } from '../ui/name-dialog.tsx'
import { showToast } from '../ui/toasts.ts'
import { viewsWords } from '../words/views-words.ts'
import { createView, viewsQuery } from './views.ts'

const text = viewsWords

const ShareDialog = lazy(async () =>
  loadPart(async () => import('./share-dialog.tsx')).then((module) => ({ default: module.ShareDialog })),
)
const MailDialog = lazy(async () =>
  loadPart(async () => import('./mail-dialog.tsx')).then((module) => ({ default: module.MailDialog })),
)
const ViewsDialog = lazy(async () =>
  loadPart(async () => import('./views-dialog.tsx')).then((module) => ({ default: module.ViewsDialog })),
)
/** A window that the menu opens. */
type Asking = 'share' | 'mail' | 'save' | 'manage'
/** Those for members who may change something. */
const editing = [
  ['share', Link2],
  ['mail', Mail],
  ['save', Save],
] as const
/** Views in the menu; the window has all of them. */
const listedMax = 8

type Props = {
  orgId: string
  /** The figures on the page. */
  query: ViewQuery
  /** Proposed name of a new view. */
  name: string
  onOpen: (view: View) => void
}

/** Offers saved views, and what can be done with the figures on the page. */
export function ViewsMenu({ orgId, query, name, onOpen }: Props) {
  const mayEdit = useMay(orgId, 'EDITOR')
  const views = useQuery(viewsQuery(orgId))
  const [asking, setAsking] = useState<Asking>()
  const listed = views.data?.slice(0, listedMax) ?? []
  return (
    <>
      <Menu
        trigger={
          <Button>
            <Bookmark size={16} aria-hidden />
            {text.title}
          </Button>
        }
      >
        {mayEdit &&
          editing.map(([one, Icon]) => (
            <MenuItem key={one} onSelect={() => setAsking(one)}>
              <Icon size={16} aria-hidden />
              {text[one]}
            </MenuItem>
          ))}
        {/* After the menu has closed: the browser's window stops the page. */}
        <MenuItem onSelect={() => void setTimeout(() => window.print(), 100)}>
          <Printer size={16} aria-hidden />
          {text.print}
        </MenuItem>
        {listed.length > 0 && <MenuLine />}
        {listed.map((view) => (
          <MenuItem key={view.id} onSelect={() => onOpen(view)}>
            <span className="max-w-72 truncate">{view.name}</span>
          </MenuItem>
        ))}
        <MenuLine />
        <MenuItem onSelect={() => setAsking('manage')}>
          <Settings2 size={16} aria-hidden />
          {text.manage}
        </MenuItem>
      </Menu>
      <AskedDialog {...{ orgId, query, name, onOpen, asking }} onClose={() => setAsking(undefined)} />
    </>
  )
}

type AskedProps = Props & { asking: Asking | undefined; onClose: () => void }

function AskedDialog({ orgId, query, name, onOpen, asking, onClose }: AskedProps) {
  return (
    <Suspense>
      {asking === 'share' && (
        <ShareDialog orgId={orgId} view={undefined} draft={{ name, query }} onClose={onClose} />
      )}
      {asking === 'mail' && (
        <MailDialog orgId={orgId} view={undefined} draft={{ name, query }} onClose={onClose} />
      )}
      {asking === 'save' && (
        <NameDialog
          title={text.saving.title}
          text={text.saving.text}
          name={name}
          onSave={async (typed) => {
            const view = await createView(orgId, { name: typed, query })
            showToast({ kind: 'good', text: text.saving.done(view.name) })
          }}
          onClose={onClose}
        />
      )}
      {asking === 'manage' && <ViewsDialog orgId={orgId} query={query} onOpen={onOpen} onClose={onClose} />}
    </Suspense>
  )
}
