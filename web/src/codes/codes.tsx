import type { QrCode } from '@everscan/contract/resources/qr-codes.ts'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { FolderClosed, Plus } from 'lucide-react'
import { useState, type DragEvent } from 'react'
import { Button, buttonClass } from '../ui/button.tsx'
import { FirstAddressCard } from './address-notice.tsx'
import { ListAnalyticsLink } from './analytics-links.tsx'
import { useCodeDrags, type Drags } from './dragging/code-drags.ts'
import { CodeFilters } from './code-filters.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { FolderTree } from './folder-tree.tsx'
import { CodeList, CodeListSkeleton } from './list/code-list.tsx'
import { NoCodes } from './list/no-codes.tsx'
import { useCodeList } from './list/use-code-list.ts'
import type { Selection } from '../ui/selection.ts'
import { useTitle } from '../ui/narrow-page.tsx'
import { Failure } from '../ui/surfaces.tsx'
import { isFiltered, type CodeSearch } from './code-search.ts'
import { folderQuery, foldersQuery, unfiled } from './folders.ts'
import { formatNumber } from '../ui/format.ts'
import { useMay } from '../session/roles.ts'
import { codesWords, foldersWords } from '../words/codes-words.ts'
import { editorWords } from '../words/editor-words.ts'

const text = codesWords
const route = getRouteApi('/$orgId/codes')
/** With at most so many codes, an organization has just begun. */
const firstCodes = 3

/** Shows the codes of an organization. A selection does not carry over to another organization. */
export function CodesPage() {
  useTitle(text.title)
  const { orgId } = route.useParams()
  return <Codes key={orgId} orgId={orgId} />
}

/** Lists codes. Search, filters, folder, order and view are in the URL. */
function Codes({ orgId }: { orgId: string }) {
  const search = route.useSearch()
  const navigate = useNavigate({ from: '/$orgId/codes' })
  const mayEdit = useMay(orgId, 'EDITOR')
  const [foldersOpen, setFoldersOpen] = useState(false)
  const list = useCodeList(orgId, search)
  const { codes, total } = list
  const narrow = (changes: Partial<CodeSearch>) =>
    void navigate({ search: { ...search, page: undefined, ...changes }, replace: true })
  const openFolder = (folder: string | undefined) => {
    setFoldersOpen(false)
    void navigate({ search: { ...search, page: undefined, folder, own: undefined } })
  }
  const { folder, own, view } = search
  const drags = useCodeDrags({ orgId, mayEdit, onChanged: list.selection.renew })
  const hasJustBegun = !isFiltered(search) && folder === undefined && (total ?? Infinity) <= firstCodes
  const tree = (
    <FolderTree orgId={orgId} mayEdit={mayEdit} current={folder} drags={drags} onOpen={openFolder} />
  )
  return (
    <>
      <Head orgId={orgId} search={search} total={total} mayEdit={mayEdit} />
      <div className="lg:grid lg:grid-cols-[15.5rem_minmax(0,1fr)] lg:gap-6">
        <aside className="sticky top-20 -m-1 hidden max-h-[calc(100dvh-6rem)] self-start overflow-auto p-1 lg:block">
          {tree}
        </aside>
        <div className="min-w-0">
          <CodeFilters
            orgId={orgId}
            search={search}
            onNarrow={narrow}
            folders={<FoldersButton orgId={orgId} folder={folder} onOpen={() => setFoldersOpen(true)} />}
          />
          <SubfoldersSwitch orgId={orgId} folder={folder} own={own === true} onNarrow={narrow} />
          {mayEdit && hasJustBegun && <FirstAddressCard orgId={orgId} />}
          {codes.isError && <Failure error={codes.error} onRetry={() => void codes.refetch()} />}
          {total === 0 && (
            <NoCodes orgId={orgId} search={search} onNarrow={narrow}>
              {mayEdit && <CreateLink orgId={orgId} />}
            </NoCodes>
          )}
          {codes.data !== undefined && total !== 0 && (
            <CodeList
              {...{ orgId, list, search, mayEdit }}
              dragOf={(code) => drags && dragOf(code, { drags, selection: list.selection })}
              onGo={(next) => void navigate({ search: { ...search, page: next === 1 ? undefined : next } })}
            />
          )}
          {codes.isPending && <CodeListSkeleton grid={view === 'grid'} />}
        </div>
      </div>
      {foldersOpen && (
        <Dialog title={foldersWords.label} onClose={() => setFoldersOpen(false)}>
          {tree}
        </Dialog>
      )}
      {list.dialog}
    </>
  )
}

type DragOptions = { drags: Drags; selection: Selection }

/** Returns the props that let a row or a card be dragged. */
function dragOf(code: QrCode, { drags, selection }: DragOptions) {
  return {
    draggable: true,
    onDragStart: (event: DragEvent) =>
      drags.drag(event, {
        // A code of the selection stands for all of it.
        codes: selection.codes.has(code.id) ? [...selection.codes.values()] : [code],
      }),
    onDragEnd: (event: DragEvent) => drags.drag(event, undefined),
  }
}

type HeadProps = { orgId: string; search: CodeSearch; total: number | undefined; mayEdit: boolean }

function Head({ orgId, search, total, mayEdit }: HeadProps) {
  return (
    <div className="mb-5 flex min-h-10 flex-wrap items-center gap-x-3 gap-y-2">
      <h1 className="text-2xl font-semibold">{text.title}</h1>
      <p aria-live="polite" className="flex-1 pt-1 text-soft">
        {total === undefined ? '' : text.count(total, formatNumber(total))}
      </p>
      <ListAnalyticsLink orgId={orgId} search={search} />
      {mayEdit && <CreateLink orgId={orgId} />}
    </div>
  )
}

type FoldersButtonProps = { orgId: string; folder: string | undefined; onOpen: () => void }

function FoldersButton({ orgId, folder, onOpen }: FoldersButtonProps) {
  const { data } = useQuery(folderQuery(orgId, folder))
  const name = folder === unfiled ? foldersWords.unfiled : data?.name
  return (
    <Button onClick={onOpen} className="min-w-0">
      <FolderClosed size={18} aria-hidden className="shrink-0" />
      <span className="truncate">{name ?? foldersWords.label}</span>
    </Button>
  )
}

function CreateLink({ orgId }: { orgId: string }) {
  return (
    <Link to="/$orgId/codes/new" params={{ orgId }} className={buttonClass('primary')}>
      <Plus size={16} aria-hidden />
      {editorWords.create}
    </Link>
  )
}

type SwitchProps = {
  orgId: string
  folder: string | undefined
  own: boolean
  onNarrow: (changes: Partial<CodeSearch>) => void
}

/** Lets the user leave out the codes of subfolders, where a folder has any. */
function SubfoldersSwitch({ orgId, folder, own, onNarrow }: SwitchProps) {
  const { data: folders = [] } = useQuery(foldersQuery(orgId))
  if (folder === undefined || !folders.some(({ parentId }) => parentId === folder)) return null
  return (
    <label className="-mt-1 mb-2 flex min-h-10 w-fit cursor-pointer items-center gap-2 text-sm">
      <input
        type="checkbox"
        role="switch"
        checked={!own}
        onChange={(event) => onNarrow({ own: event.target.checked ? undefined : true })}
        className="size-4 accent-brand"
      />
      {text.subfolders}
    </label>
  )
}
