import type { QrCode } from '@everscan/contract/resources/qr-codes.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { FolderClosed, Plus } from 'lucide-react'
import { useMemo, useState, type DragEvent, type ReactNode } from 'react'
import { Button, buttonClass } from '../ui/button.tsx'
import { FirstAddressCard } from './address-notice.tsx'
import { ListAnalyticsLink } from './analytics-links.tsx'
import { actionsFor, useCodeActions, type CodeAction } from './code-actions.tsx'
import { useCodeDrags } from './dragging/code-drags.ts'
import { CodeFilters } from './code-filters.tsx'
import { CodeCard, CodeRow, moveBetweenRows } from './code-items.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { FolderTree } from './folder-tree.tsx'
import { useTitle } from '../ui/narrow-page.tsx'
import { Pager } from '../ui/pager.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { EmptyState, Failure } from '../ui/surfaces.tsx'
import { api } from '../session/api.ts'
import { listQuery, noFilters, type CodeSearch } from './code-search.ts'
import { folderQuery, foldersQuery, unfiled } from './folders.ts'
import { formatNumber } from '../ui/format.ts'
import { showProblem } from '../ui/problems.ts'
import { useMay } from '../session/roles.ts'
import { useSelection } from '../ui/selection.ts'
import { useShortcut } from '../ui/shortcut-keys.ts'
import { showToast } from '../ui/toasts.ts'
import { bulkWords, codesWords, foldersWords } from '../words/codes-words.ts'
import { commonWords } from '../words/common-words.ts'
import { editorWords } from '../words/editor-words.ts'

const text = codesWords
const route = getRouteApi('/$orgId/codes')
const perPage = 24
const readAtOnce = 100
/** With at most so many codes, an organization has just begun. */
const firstCodes = 3

/** Shows the codes of an organization. A selection does not carry over to another organization. */
export function CodesPage() {
  const { orgId } = route.useParams()
  return <Codes key={orgId} orgId={orgId} />
}

/** Lists codes. Search, filters, folder, order and view are in the URL. */
function Codes({ orgId }: { orgId: string }) {
  useTitle(text.title)
  const search = route.useSearch()
  const navigate = useNavigate({ from: '/$orgId/codes' })
  const mayEdit = useMay(orgId, 'EDITOR')
  const [foldersOpen, setFoldersOpen] = useState(false)
  const { view: _view, ...asked } = search
  const codes = useQuery({
    queryKey: ['codes', orgId, asked],
    queryFn: async ({ signal }) => api.qrCodes.list(orgId, listQuery(search, perPage), { signal }),
    placeholderData: keepPreviousData,
  })
  const shown = useMemo(() => codes.data?.data ?? [], [codes.data])
  const selection = useSelection(shown, tellFull)
  useShortcut('Escape', selection.clear)
  const { act, dialog } = useCodeActions({
    orgId,
    onChanged: selection.renew,
    onDeleted: (deleted) => selection.set(deleted, false),
  })
  const selectAll = useMutation({
    mutationFn: async () => {
      for (let page = 1, read = 0; read < limits.batchMax; page++) {
        const { data, pagination } = await api.qrCodes.list(orgId, {
          ...listQuery(search, readAtOnce),
          page,
        })
        read += data.length
        selection.add(data)
        if (!pagination.hasNext) return
      }
    },
    onError: showProblem,
  })
  const narrow = (changes: Partial<CodeSearch>) =>
    void navigate({ search: { ...search, page: undefined, ...changes }, replace: true })
  const openFolder = (folder: string | undefined) => {
    setFoldersOpen(false)
    void navigate({ search: { ...search, page: undefined, folder, own: undefined } })
  }
  const { page = 1, q, type, status, state, folder, own, domain, tags, view } = search
  const isFiltered = [q, type, status, state, domain, tags].some((one) => one !== undefined)
  const total = codes.data?.pagination.total
  const drags = useCodeDrags({ orgId, mayEdit, onChanged: selection.renew })
  const tree = (
    <FolderTree orgId={orgId} mayEdit={mayEdit} current={folder} drags={drags} onOpen={openFolder} />
  )
  const item = (code: QrCode) => ({
    orgId,
    code,
    isSelected: selection.codes.has(code.id),
    onSelect: (how: { range: boolean; on: boolean }) => selection.toggle(code, how),
    actions: actionsFor([code], mayEdit),
    onAct: (action: CodeAction) => act(action, [code]),
    ...(drags && {
      drag: {
        draggable: true,
        onDragStart: (event: DragEvent) =>
          drags.drag(event, {
            // A code of the selection stands for all of it.
            codes: selection.codes.has(code.id) ? [...selection.codes.values()] : [code],
          }),
        onDragEnd: (event: DragEvent) => drags.drag(event, undefined),
      },
    }),
  })
  return (
    <>
      <div className="mb-5 flex min-h-10 flex-wrap items-center gap-x-3 gap-y-2">
        <h1 className="text-2xl font-semibold">{text.title}</h1>
        <p aria-live="polite" className="flex-1 pt-1 text-soft">
          {total === undefined ? '' : text.count(total, formatNumber(total))}
        </p>
        <ListAnalyticsLink orgId={orgId} search={search} />
        {mayEdit && <CreateLink orgId={orgId} />}
      </div>
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
          {mayEdit && !isFiltered && folder === undefined && total !== undefined && total <= firstCodes && (
            <FirstAddressCard orgId={orgId} />
          )}
          {codes.isError && <Failure error={codes.error} onRetry={() => void codes.refetch()} />}
          {total === 0 && (
            <Nothing orgId={orgId} isFiltered={isFiltered} folder={folder} own={own} onNarrow={narrow}>
              {mayEdit && <CreateLink orgId={orgId} />}
            </Nothing>
          )}
          {codes.data !== undefined && total !== 0 && (
            <>
              <SelectionBar
                orgId={orgId}
                selection={selection}
                shown={shown}
                total={total ?? 0}
                mayEdit={mayEdit}
                onAct={act}
                onSelectAll={() => selectAll.mutate()}
                busy={selectAll.isPending}
              />
              <ul
                aria-label={text.title}
                aria-busy={codes.isPlaceholderData}
                onKeyDown={moveBetweenRows}
                className={`rounded-b-card border border-t-0 border-line ${codes.isPlaceholderData ? 'opacity-60' : ''} ${view === 'grid' ? 'grid grid-cols-2 gap-2 p-2 sm:grid-cols-3 sm:gap-3 sm:p-3 xl:grid-cols-4' : 'divide-y divide-line bg-surface'}`}
              >
                {shown.map((code) =>
                  view === 'grid' ? (
                    <CodeCard key={code.id} {...item(code)} />
                  ) : (
                    <CodeRow key={code.id} {...item(code)} />
                  ),
                )}
              </ul>
              <Pager
                page={page}
                totalPages={codes.data.pagination.totalPages}
                onGo={(next) => void navigate({ search: { ...search, page: next === 1 ? undefined : next } })}
              />
            </>
          )}
          {codes.isPending && <Skeleton grid={view === 'grid'} />}
        </div>
      </div>
      {foldersOpen && (
        <Dialog title={foldersWords.label} onClose={() => setFoldersOpen(false)}>
          {tree}
        </Dialog>
      )}
      {dialog}
    </>
  )
}

const tellFull = () =>
  void showToast({ text: bulkWords.full(formatNumber(limits.batchMax)), kind: 'problem' })

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

type NothingProps = {
  orgId: string
  isFiltered: boolean
  folder: string | undefined
  own: true | undefined
  onNarrow: (changes: Partial<CodeSearch>) => void
  /** Link that creates a code. */
  children: ReactNode
}

function Nothing({ orgId, isFiltered, folder, own, onNarrow, children }: NothingProps) {
  const { data } = useQuery(folderQuery(orgId, folder))
  const below = data?.qrCodesBelow ?? 0
  if (isFiltered)
    return (
      <EmptyState title={text.nothingFound.title} text={text.nothingFound.text}>
        <Button onClick={() => onNarrow({ ...noFilters, folder, own })}>{text.nothingFound.clear}</Button>
      </EmptyState>
    )
  if (own === true && below > 0)
    return (
      <EmptyState
        title={text.onlyBelow.title}
        text={text.onlyBelow.text(foldersWords.codes(below, formatNumber(below)))}
      >
        <Button onClick={() => onNarrow({ own: undefined })}>{text.onlyBelow.show}</Button>
      </EmptyState>
    )
  if (folder === unfiled)
    return (
      <EmptyState title={text.noneUnfiled.title} text={text.noneUnfiled.text}>
        <Button onClick={() => onNarrow(noFilters)}>{text.emptyFolder.all}</Button>
      </EmptyState>
    )
  if (folder !== undefined)
    return (
      <EmptyState title={text.emptyFolder.title} text={text.emptyFolder.text}>
        <Button onClick={() => onNarrow(noFilters)}>{text.emptyFolder.all}</Button>
      </EmptyState>
    )
  return (
    <EmptyState title={text.none.title} text={text.none.text}>
      {children}
      <a href="/docs" className={buttonClass()}>
        {text.none.link}
      </a>
    </EmptyState>
  )
}

/** Reserves the height of the list, so the page does not shift. */
function Skeleton({ grid }: { grid: boolean }) {
  return (
    <div
      role="status"
      aria-label={commonWords.loading}
      className="rounded-card border border-line bg-surface"
    >
      <div className="h-14 border-b border-line" />
      <div
        className={grid ? 'grid grid-cols-2 gap-3 p-3 sm:grid-cols-3 xl:grid-cols-4' : 'divide-y divide-line'}
      >
        {Array.from({ length: 8 }, (_, at) =>
          grid ? (
            <div key={at} className="aspect-square animate-pulse rounded-control bg-raised" />
          ) : (
            <div key={at} className="flex h-[4.3125rem] animate-pulse items-center gap-4 ps-4">
              <div className="size-12 rounded-control bg-raised" />
              <div className="h-4 w-48 max-w-1/2 rounded bg-raised" />
            </div>
          ),
        )}
      </div>
    </div>
  )
}
