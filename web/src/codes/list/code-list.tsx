import type { QrCode } from '@everscan/contract/resources/qr-codes.ts'
import type { LiHTMLAttributes } from 'react'
import { Pager } from '../../ui/pager.tsx'
import { codesWords } from '../../words/codes-words.ts'
import { commonWords } from '../../words/common-words.ts'
import { actionsFor, type CodeAction } from '../code-actions.tsx'
import { CodeCard, CodeRow, moveBetweenRows } from '../code-items.tsx'
import type { CodeSearch } from '../code-search.ts'
import { SelectionBar } from '../selection-bar.tsx'
import type { CodeList as List } from './use-code-list.ts'

type Props = {
  orgId: string
  list: List
  search: CodeSearch
  mayEdit: boolean
  /** Returns the props that let a code be dragged to a folder. Undefined: it cannot. */
  dragOf: (code: QrCode) => LiHTMLAttributes<HTMLLIElement> | undefined
  onGo: (page: number) => void
}

/** Shows a page of codes as rows or cards, and what can be done with the selected ones. */
export function CodeList({ orgId, list, search: { page = 1, view }, mayEdit, dragOf, onGo }: Props) {
  const { codes, shown, total, selection, act, selectAll } = list
  const Item = view === 'grid' ? CodeCard : CodeRow
  return (
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
        aria-label={codesWords.title}
        aria-busy={codes.isPlaceholderData}
        onKeyDown={moveBetweenRows}
        className={`rounded-b-card border border-t-0 border-line ${codes.isPlaceholderData ? 'opacity-60' : ''} ${view === 'grid' ? 'grid grid-cols-2 gap-2 p-2 sm:grid-cols-3 sm:gap-3 sm:p-3 xl:grid-cols-4' : 'divide-y divide-line bg-surface'}`}
      >
        {shown.map((code) => (
          <Item key={code.id} {...itemOf(code, { orgId, list, mayEdit, dragOf })} />
        ))}
      </ul>
      <Pager page={page} totalPages={codes.data?.pagination.totalPages ?? 0} onGo={onGo} />
    </>
  )
}

/** Returns the props of a row or a card. */
function itemOf(
  code: QrCode,
  { orgId, list, mayEdit, dragOf }: Pick<Props, 'orgId' | 'list' | 'mayEdit' | 'dragOf'>,
) {
  const { selection, act } = list
  return {
    orgId,
    code,
    isSelected: selection.codes.has(code.id),
    onSelect: (how: { range: boolean; on: boolean }) => selection.toggle(code, how),
    actions: actionsFor([code], mayEdit),
    onAct: (action: CodeAction) => act(action, [code]),
    drag: dragOf(code),
  }
}

/** Reserves the height of the list, so the page does not shift. */
export function CodeListSkeleton({ grid }: { grid: boolean }) {
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
