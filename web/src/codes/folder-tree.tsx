import type { Folder } from '@everscan/client/create-client.ts'
import { useQuery } from '@tanstack/react-query'
import {
  ChevronDown,
  ChevronRight,
  Ellipsis,
  FolderClosed,
  FolderOpen,
  Inbox,
  Plus,
  QrCode,
  Trash2,
  type LucideIcon,
} from 'lucide-react'
import { hasWords, searchWords } from '@everscan/contract/schema/folding.ts'
import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import type { Drags } from './dragging/code-drags.ts'
import { useDropTarget } from './dragging/drop-target.ts'
import { foldersQuery, folderTree, unfiled, type FolderBranch } from './folders.ts'
import { formatNumber } from '../ui/format.ts'
import { problemText } from '../ui/problems.ts'
import { foldersWords } from '../words/codes-words.ts'
import { Button, iconButtonClass } from '../ui/button.tsx'
import { inputClass } from '../ui/field.tsx'
import { FolderDialog, type FolderTask } from './folder-dialogs.tsx'
import { Menu, MenuItem, MenuLine } from '../ui/menu.tsx'
import { LinesSkeleton } from '../ui/skeleton.tsx'
import { Notice } from '../ui/surfaces.tsx'
import { commonWords } from '../words/common-words.ts'

const text = foldersWords
/** Number of folders from which there is a search field. */
const searchedFrom = 12
/** Number of folders at the top that are shown at first, and more at each press. */
const shownStep = 100

type Props = {
  orgId: string
  mayEdit: boolean
  /** Folder whose codes are shown. Undefined: all codes. */
  current: string | undefined
  drags: Drags | undefined
  onOpen: (id: string | undefined) => void
}

/** Shows the folders of an organization. Opens, creates, renames, moves and deletes them. */
export function FolderTree({ orgId, mayEdit, current, drags, onOpen }: Props) {
  const folders = useQuery(foldersQuery(orgId))
  const [task, setTask] = useState<FolderTask>()
  const { data: all = [] } = folders
  const found = useFoundFolders(all, current)
  const tree = { mayEdit, current, drags, onOpen, onTask: setTask }
  return (
    <nav aria-label={text.label} className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <Places {...tree} hasFolders={all.length > 0} />
      {all.length >= searchedFrom && (
        <input
          type="search"
          aria-label={text.search}
          placeholder={text.search}
          value={found.typed}
          onChange={(event) => found.onType(event.target.value)}
          className={inputClass}
        />
      )}
      {folders.isError && <Notice kind="problem">{problemText(folders.error)}</Notice>}
      {folders.isPending && <LinesSkeleton lines={4} className="h-10 ps-6" />}
      {folders.data?.length === 0 && <p className="px-2 py-1 text-sm text-soft">{text.none}</p>}
      {found.isSearched && found.branches.length === 0 && (
        <p className="px-2 py-1 text-sm text-soft">{text.noneFound}</p>
      )}
      <Branches {...tree} branches={found.branches} isSearched={found.isSearched} />
      {drags?.dragged !== undefined && 'folder' in drags.dragged && drags.accepts(undefined) && (
        <TopLevel drags={drags} />
      )}
      {found.hasMore && (
        <Button look="quiet" onClick={found.showMore} className="justify-self-start">
          {text.more}
        </Button>
      )}
      {mayEdit && (
        <Button look="quiet" onClick={() => setTask({ do: 'create' })} className="justify-self-start">
          <Plus size={18} aria-hidden />
          {text.create}
        </Button>
      )}
      <Link to="/$orgId/bin" params={{ orgId }} className={`${lineClass} mt-1 ps-2`}>
        <Trash2 size={18} aria-hidden className="shrink-0" />
        {text.bin}
      </Link>
      {task !== undefined && (
        <FolderDialog
          orgId={orgId}
          task={task}
          onClose={() => setTask(undefined)}
          onDeleted={({ id }) => {
            if (id === current) onOpen(undefined)
          }}
        />
      )}
    </nav>
  )
}

/** Returns the folders whose names match, as many as are shown. */
function useFoundFolders(all: readonly Folder[], current: string | undefined) {
  const [typed, setTyped] = useState('')
  const [shownMax, setShownMax] = useState(shownStep)
  const words = searchWords(typed)
  const matches = ({ name }: Folder) => hasWords(name, words)
  const matching = folderTree(all).flatMap(({ folder, children }) => {
    const found = matches(folder) ? children : children.filter(matches)
    return matches(folder) || found.length > 0 ? [{ folder, children: found }] : []
  })
  const currentAt = matching.findIndex(
    ({ folder, children }) => folder.id === current || children.some(({ id }) => id === current),
  )
  // The open folder always shows.
  const branches = matching.slice(0, Math.max(shownMax, currentAt + 1))
  return {
    typed,
    onType: setTyped,
    isSearched: words.length > 0,
    branches,
    hasMore: matching.length > branches.length,
    showMore: () => setShownMax(branches.length + shownStep),
  }
}

type TreeProps = Omit<Props, 'orgId'> & { onTask: (task: FolderTask) => void }

function Places({ current, drags, onOpen, hasFolders }: TreeProps & { hasFolders: boolean }) {
  return (
    <>
      <PlaceLine
        icon={QrCode}
        name={text.all}
        isCurrent={current === undefined}
        onOpen={() => onOpen(undefined)}
      />
      {(hasFolders || current === unfiled) && (
        <PlaceLine
          icon={Inbox}
          name={text.unfiled}
          isCurrent={current === unfiled}
          drags={drags?.dragged !== undefined && 'codes' in drags.dragged ? drags : undefined}
          onOpen={() => onOpen(unfiled)}
        />
      )}
    </>
  )
}

type BranchesProps = TreeProps & { branches: readonly FolderBranch[]; isSearched: boolean }

/** Shows folders and their subfolders. All are unfolded while they are searched. */
function Branches({ branches, isSearched, ...tree }: BranchesProps) {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const fold = (id: string) => {
    const next = new Set(closed)
    if (!next.delete(id)) next.add(id)
    setClosed(next)
  }
  return (
    <ul className="grid grid-cols-[minmax(0,1fr)] gap-0.5">
      {branches.map(({ folder, children }) => {
        const open = isSearched || !closed.has(folder.id)
        return (
          <li key={folder.id}>
            <FolderLine {...tree} folder={folder} hasChildren={children.length > 0} nested={false}>
              {children.length > 0 && (
                <button
                  type="button"
                  aria-expanded={open}
                  aria-label={`${folder.name}${commonWords.colon} ${open ? text.close : text.open}`}
                  onClick={() => fold(folder.id)}
                  className="absolute start-0 top-0 flex h-10 w-6 cursor-pointer items-center justify-center rounded-control text-soft hover:text-ink"
                >
                  {open ? <ChevronDown size={16} aria-hidden /> : <ChevronRight size={16} aria-hidden />}
                </button>
              )}
            </FolderLine>
            {open && children.length > 0 && (
              <ul className="grid grid-cols-[minmax(0,1fr)] gap-0.5">
                {children.map((child) => (
                  <li key={child.id}>
                    <FolderLine {...tree} folder={child} hasChildren={false} nested />
                  </li>
                ))}
              </ul>
            )}
          </li>
        )
      })}
    </ul>
  )
}

const lineClass =
  'flex min-h-10 w-full min-w-0 cursor-pointer items-center gap-2 rounded-control pe-2 text-start text-soft hover:bg-raised hover:text-ink aria-[current=page]:bg-raised aria-[current=page]:font-medium aria-[current=page]:text-ink'

type PlaceProps = {
  icon: LucideIcon
  name: string
  isCurrent: boolean
  /** Present if codes can be dropped here. */
  drags?: Drags | undefined
  onOpen: () => void
}

/** Opens codes that no folder holds together. */
function PlaceLine({ icon: Icon, name, isCurrent, drags, onOpen }: PlaceProps) {
  const { isOver, target } = useDropTarget(drags, undefined)
  return (
    <button
      {...target}
      type="button"
      aria-current={isCurrent ? 'page' : undefined}
      onClick={onOpen}
      className={`${lineClass} ps-2 ${isOver ? overClass : ''}`}
    >
      <Icon size={18} aria-hidden className="shrink-0" />
      {name}
    </button>
  )
}

/** Shows that what is dragged would be dropped here. */
const overClass = 'bg-raised text-ink ring-2 ring-brand'

type LineProps = TreeProps & { folder: Folder; hasChildren: boolean; nested: boolean; children?: ReactNode }

function FolderLine({ folder, hasChildren, nested, children, ...tree }: LineProps) {
  const { mayEdit, drags, onOpen, onTask } = tree
  const current = tree.current === folder.id
  const { isOver, target } = useDropTarget(drags, folder)
  const { name, qrCodeCount, qrCodesBelow } = folder
  const own = formatNumber(qrCodeCount)
  const ownCodes = text.codes(qrCodeCount, own)
  const all = formatNumber(qrCodeCount + qrCodesBelow)
  const Icon = current ? FolderOpen : FolderClosed
  return (
    <div {...target} className="relative flex items-center">
      <button
        type="button"
        draggable={drags !== undefined}
        onDragStart={(event) => drags?.drag(event, { folder, hasChildren })}
        onDragEnd={(event) => drags?.drag(event, undefined)}
        aria-current={current ? 'page' : undefined}
        title={qrCodesBelow === 0 ? name : `${name}${commonWords.colon} ${text.withBelow(ownCodes, all)}`}
        onClick={() => onOpen(folder.id)}
        className={`${lineClass} ${nested ? 'ps-11' : 'ps-6'} ${isOver ? overClass : ''}`}
      >
        <Icon size={18} aria-hidden className="shrink-0" />
        <span className="min-w-0 flex-1 truncate">{name}</span>
        <span className="text-xs tabular-nums" aria-hidden>
          {qrCodesBelow === 0 ? own : text.ownOfAll(own, all)}
        </span>
        <span className="sr-only">{qrCodesBelow === 0 ? ownCodes : text.withBelow(ownCodes, all)}</span>
      </button>
      {children}
      {mayEdit && <FolderMenu folder={folder} hasChildren={hasChildren} onTask={onTask} />}
    </div>
  )
}

/** Shows while a subfolder is dragged: there it leaves its folder. */
function TopLevel({ drags }: { drags: Drags }) {
  const { isOver, target } = useDropTarget(drags, undefined)
  return (
    <p
      {...target}
      className={`flex min-h-10 items-center rounded-control border border-dashed border-line ps-2 text-soft ${isOver ? overClass : ''}`}
    >
      {text.top}
    </p>
  )
}

type MenuProps = { folder: Folder; hasChildren: boolean; onTask: (task: FolderTask) => void }

function FolderMenu({ folder, hasChildren, onTask }: MenuProps) {
  return (
    <Menu
      trigger={
        <button type="button" aria-label={text.menu(folder.name)} className={iconButtonClass}>
          <Ellipsis size={18} aria-hidden />
        </button>
      }
    >
      <MenuItem onSelect={() => onTask({ do: 'rename', folder })}>{text.rename}</MenuItem>
      {folder.parentId === null && (
        <MenuItem onSelect={() => onTask({ do: 'create', parent: folder })}>{text.createIn}</MenuItem>
      )}
      {/* Folders nest only one level. */}
      {!hasChildren && <MenuItem onSelect={() => onTask({ do: 'move', folder })}>{text.move}</MenuItem>}
      <MenuLine />
      <MenuItem danger onSelect={() => onTask({ do: 'delete', folder })}>
        {text.delete}
      </MenuItem>
    </Menu>
  )
}
