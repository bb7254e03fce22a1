import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useBlocker, useLocation } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { LeaveDialog } from '../editor/editor-dialogs.tsx'
import { Button, buttonClass } from '../ui/button.tsx'
import { formatNumber } from '../ui/format.ts'
import { useTitle } from '../ui/narrow-page.tsx'
import { Options } from '../ui/options.tsx'
import { EmptyState, Failure } from '../ui/surfaces.tsx'
import { showToast } from '../ui/toasts.ts'
import { hasGivenUp, useUnsaved } from '../ui/unsaved.ts'
import { tableWords } from '../words/bulk-table-words.ts'
import { commonWords } from '../words/common-words.ts'
import { bulkTableQuery, type BulkTable } from './bulk-queries.ts'
import { bulkFields } from './bulk-rows.ts'
import {
  BulkRowView,
  folderOptions,
  gridClass,
  lookOptions,
  type RowActions,
  type RowNames,
} from './bulk-row-view.tsx'
import { CsvTool } from './csv-tool.tsx'
import { pastedCells } from './pasted-cells.ts'
import { ReplaceTool } from './replace-tool.tsx'
import { ChoiceTool, TagsTool } from './set-tools.tsx'
import type { CellValue } from './use-bulk-rows.ts'
import { useBulkTable } from './use-bulk-table.ts'
import { UtmTool } from './utm-tool.tsx'

const text = tableWords
const route = getRouteApi('/$orgId/codes/table')
const noIds: readonly string[] = []

const tools = ['replace', 'utm', 'folder', 'tags', 'look', 'csv'] as const
type Tool = (typeof tools)[number]

/** Shows the codes that were selected in the list as a table. They are in the state of the page. */
export function BulkPage() {
  const { orgId } = route.useParams()
  const ids = useLocation({ select: ({ state }) => state.bulkIds }) ?? noIds
  useTitle(text.title)
  const table = useQuery(bulkTableQuery(orgId, ids))
  return (
    <>
      <div className="mb-5 flex min-h-10 flex-wrap items-center gap-x-3 gap-y-2">
        <h1 className="flex-1 text-2xl font-semibold">{text.title}</h1>
        <Link to="/$orgId/codes" params={{ orgId }} className={buttonClass('quiet')}>
          <ArrowLeft size={16} aria-hidden className="rtl:rotate-180" />
          {text.back}
        </Link>
      </div>
      {table.isError && <Failure error={table.error} onRetry={() => void table.refetch()} />}
      {table.isPending && (
        <div
          role="status"
          aria-label={commonWords.loading}
          className="h-96 animate-pulse rounded-card border border-line bg-surface"
        />
      )}
      {table.data !== undefined && <TableView orgId={orgId} table={table.data} />}
    </>
  )
}

function TableView({ orgId, table }: { orgId: string; table: BulkTable }) {
  const bulk = useBulkTable(orgId, table)
  const { rows, cells } = bulk
  const { folders, styles } = table
  const names = useMemo(() => ({ folders, styles }), [folders, styles])
  useUnsaved(cells > 0)
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => cells > 0 && current.pathname !== next.pathname,
    enableBeforeUnload: () => cells > 0 && !hasGivenUp(),
    withResolver: true,
  })
  const actions = useRowActions(bulk, names)
  return (
    <>
      {rows.length === 0 && (
        <EmptyState title={text.none.title} text={text.none.text}>
          <Link to="/$orgId/codes" params={{ orgId }} className={buttonClass('primary')}>
            {text.none.link}
          </Link>
        </EmptyState>
      )}
      <Tools orgId={orgId} bulk={bulk} names={names} />
      {rows.length > 0 && (
        <>
          <Table {...{ orgId, bulk, names, actions }} />
          <SaveBar bulk={bulk} />
        </>
      )}
      {blocker.status === 'blocked' && <LeaveDialog onLeave={blocker.proceed} onStay={blocker.reset} />}
    </>
  )
}

type ToolsProps = { orgId: string; bulk: ReturnType<typeof useBulkTable>; names: RowNames }

/** Changes many rows at once, with one tool of several. */
function Tools({ orgId, bulk, names }: ToolsProps) {
  const { rows, setCells } = bulk
  const [tool, setTool] = useState<Tool>(rows.length === 0 ? 'csv' : 'replace')
  const toolProps = { rows, onApply: setCells }
  const views: Record<Tool, () => React.ReactNode> = {
    replace: () => <ReplaceTool {...toolProps} />,
    utm: () => <UtmTool {...toolProps} orgId={orgId} folders={names.folders} />,
    folder: () => (
      <ChoiceTool
        {...toolProps}
        key="folder"
        field="folder"
        options={folderOptions(names)}
        words={text.folder}
      />
    ),
    tags: () => <TagsTool {...toolProps} />,
    look: () => (
      <ChoiceTool {...toolProps} key="look" field="look" options={lookOptions(names)} words={text.look} />
    ),
    csv: () => (
      <CsvTool
        orgId={orgId}
        rows={rows}
        {...names}
        onApply={(added, values: CellValue[]) => {
          bulk.addRows(added)
          setCells(values)
        }}
      />
    ),
  }
  return (
    <section
      aria-label={text.tools}
      className="mb-4 grid gap-4 rounded-card border border-line bg-surface p-4"
    >
      {rows.length > 0 && (
        <Options
          legend={text.tools}
          legendHidden
          value={tool}
          options={tools.map((one) => [one, text.toolNames[one]] as const)}
          onChoose={setTool}
        />
      )}
      {views[tool]()}
    </section>
  )
}

/** Shows the codes as rows, whose cells are fields. */
function Table({ orgId, bulk, names, actions }: ToolsProps & { actions: RowActions }) {
  const { rows } = bulk
  return (
    <>
      <div className="mb-2 flex flex-wrap items-baseline gap-x-3 px-1 text-sm text-soft">
        <p className="font-medium text-ink">{text.codes(rows.length, formatNumber(rows.length))}</p>
        <p className="max-lg:hidden">{text.hint}</p>
      </div>
      <div className="rounded-card border border-line bg-surface">
        <div
          aria-hidden
          className={`hidden border-b border-line px-3 py-2 text-sm font-medium text-soft ${gridClass}`}
        >
          {bulkFields.map((field) => (
            <span key={field} className="px-2.5">
              {text.columns[field]}
            </span>
          ))}
        </div>
        <ul aria-label={text.title} onKeyDown={moveInColumn}>
          {rows.map((row) => (
            <BulkRowView
              key={row.code.id}
              orgId={orgId}
              row={row}
              names={names}
              actions={actions}
              readOnly={bulk.isSaving}
            />
          ))}
        </ul>
      </div>
    </>
  )
}

/** Returns actions that stay the same, so that a change renders only its own row again. */
function useRowActions(bulk: ReturnType<typeof useBulkTable>, names: RowNames): RowActions {
  const latest = useRef(bulk)
  useEffect(() => {
    latest.current = bulk
  })
  return useMemo(
    () => ({
      onCell: (id, field, value) => latest.current.setCells([{ id, field, value }]),
      onPaste: (id, field, pasted) => {
        const { rows, setCells } = latest.current
        const { values, problem } = pastedCells(pasted, { rows, id, field, names })
        setCells(values)
        if (problem !== undefined) showToast({ kind: 'problem', text: problem })
      },
      onTheirs: (id) => latest.current.takeTheirs(id),
      onMine: (id) => latest.current.keepMine(id),
      onRemove: (id) => latest.current.removeRow(id),
    }),
    [names],
  )
}

function SaveBar({ bulk }: { bulk: ReturnType<typeof useBulkTable> }) {
  const { cells, badCells, changedRows, isSaving } = bulk
  return (
    <div className="sticky bottom-[calc(3.5rem+1px+env(safe-area-inset-bottom))] z-[5] -mx-1 mt-4 flex flex-wrap items-center gap-2 border-t border-line bg-ground px-1 py-3 md:bottom-0">
      <p role="status" className="flex-1 text-sm text-soft">
        {text.unsaved(cells, formatNumber(cells))}
      </p>
      {cells > 0 && (
        <Button onClick={bulk.discard} disabled={isSaving}>
          {text.discard}
        </Button>
      )}
      {badCells > 0 ? (
        <Button look="primary" onClick={focusBadCell}>
          {text.fix(badCells, formatNumber(badCells))}
        </Button>
      ) : (
        <Button look="primary" busy={isSaving} disabled={changedRows === 0} onClick={bulk.save}>
          {changedRows === 0 ? text.nothing : text.save(changedRows, formatNumber(changedRows))}
        </Button>
      )}
    </div>
  )
}

function focusBadCell(): void {
  document.querySelector<HTMLElement>('[data-cell][aria-invalid=true]')?.focus()
}

/** Enter goes to the same cell of the next row, with Shift to the one before. */
function moveInColumn(event: KeyboardEvent<HTMLElement>): void {
  const cell = event.target as HTMLElement
  const field = cell.dataset['cell']
  if (event.key !== 'Enter' || field === undefined) return
  event.preventDefault()
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>(`[data-cell=${field}]`)]
  const next = all[all.indexOf(cell) + (event.shiftKey ? -1 : 1)]
  next?.focus()
  if (next instanceof HTMLInputElement) next.select()
}
