import { Link } from '@tanstack/react-router'
import { memo, useId, useState, type ClipboardEvent, type KeyboardEvent } from 'react'
import { Button } from '../ui/button.tsx'
import { typeIcons } from '../codes/type-icons.ts'
import { tableWords } from '../words/bulk-table-words.ts'
import { commonWords } from '../words/common-words.ts'
import { shownCell, type FolderLabel } from './bulk-csv.ts'
import {
  bulkFields,
  cellOf,
  cellsOf,
  changedFields,
  contentText,
  ownLook,
  plainLook,
  rowProblems,
  urlOf,
  type BulkField,
  type BulkRow,
} from './bulk-rows.ts'
import type { SavedStyle } from '@everscan/contract/resources/saved-styles.ts'

const text = tableWords

/** Columns of the table where there is room for one. */
export const gridClass =
  'lg:grid lg:grid-cols-[minmax(9rem,1.1fr)_minmax(13rem,2fr)_minmax(8rem,.9fr)_minmax(8rem,.9fr)_minmax(7rem,.8fr)] lg:gap-2'

/** Marks a cell for the keyboard: see `moveInColumn`. */
export const cellMark = (field: BulkField) => ({ 'data-cell': field })

/** Folders and styles by which cells are named. */
export type RowNames = { folders: readonly FolderLabel[]; styles: readonly SavedStyle[] }

export type RowActions = {
  onCell: (id: string, field: BulkField, value: string) => void
  /** Fills cells from this one on with a text of several cells. */
  onPaste: (id: string, field: BulkField, pasted: string) => void
  onTheirs: (id: string) => void
  onMine: (id: string) => void
  onRemove: (id: string) => void
}

type Props = { orgId: string; row: BulkRow; names: RowNames; actions: RowActions; readOnly: boolean }

/** Shows a code as a row of the table, or as a card on a narrow screen. */
export const BulkRowView = memo(function BulkRowView({ orgId, row, names, actions, readOnly }: Props) {
  const { code } = row
  const problems = rowProblems(row)
  const cell = (field: BulkField) => ({
    row,
    field,
    readOnly,
    names,
    problem: problems[field],
    onCell: actions.onCell,
    onPaste: actions.onPaste,
  })
  return (
    <li
      data-row={code.id}
      className="border-b border-line px-3 py-3 lg:[contain-intrinsic-size:auto_3.5rem] lg:[content-visibility:auto] last:border-b-0 lg:py-1.5"
    >
      <div className={`grid gap-2 sm:grid-cols-2 ${gridClass}`}>
        <TextCell {...cell('name')} />
        {urlOf(code) === undefined ? <Content orgId={orgId} row={row} /> : <TextCell {...cell('url')} />}
        <ChoiceCell {...cell('folder')} />
        <TextCell {...cell('tags')} />
        <ChoiceCell {...cell('look')} />
      </div>
      <RowProblem row={row} names={names} actions={actions} />
    </li>
  )
})

type CellProps = {
  row: BulkRow
  field: BulkField
  names: RowNames
  readOnly: boolean
  problem: string | undefined
  onCell: RowActions['onCell']
  onPaste: RowActions['onPaste']
}

const cellClass =
  'w-full min-h-10 rounded-control border border-line bg-surface px-2.5 py-1.5 text-sm text-ink aria-invalid:border-danger lg:border-transparent lg:hover:border-line lg:focus:border-line'
const changedClass = 'border-s-4 !border-s-brand bg-raised'

function TextCell({ row, field, names, readOnly, problem, onCell, onPaste }: CellProps) {
  const { id } = row.code
  const { label, described, before } = useCell({ row, field, names, problem })
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Escape' || before === undefined) return
    event.stopPropagation()
    onCell(id, field, row.base[field])
  }
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    const pasted = event.clipboardData.getData('text/plain').replace(/\r?\n$/, '')
    if (!/[\n\t]/.test(pasted)) return
    event.preventDefault()
    onPaste(id, field, pasted)
  }
  return (
    <div className="min-w-0">
      {label}
      <input
        {...described}
        {...cellMark(field)}
        value={cellOf(row, field)}
        readOnly={readOnly}
        inputMode={field === 'url' ? 'url' : undefined}
        spellCheck={field === 'name'}
        autoComplete="off"
        onChange={(event) => onCell(id, field, event.target.value)}
        onKeyDown={onKeyDown}
        onPaste={paste}
        className={`${cellClass} ${before === undefined ? '' : changedClass}`}
      />
      <Below described={described} problem={problem} before={before} />
    </div>
  )
}

/**
 * Offers folders or looks. The options exist only while the cell is used, because a thousand rows
 * with a thousand folders are too many for a page.
 */
function ChoiceCell({ row, field, names, readOnly, problem, onCell }: CellProps) {
  const [isOpen, setOpen] = useState(false)
  const { label, described, before } = useCell({ row, field, names, problem })
  const value = cellOf(row, field)
  const all = field === 'folder' ? folderOptions(names) : lookOptions(names, row)
  const options = isOpen ? all : all.filter(([one]) => one === value)
  return (
    <div className="min-w-0">
      {label}
      <select
        {...described}
        {...cellMark(field)}
        value={value}
        disabled={readOnly}
        onPointerDown={() => setOpen(true)}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onChange={(event) => onCell(row.code.id, field, event.target.value)}
        className={`${cellClass} cursor-pointer ${before === undefined ? '' : changedClass}`}
      >
        {options.map(([one, name]) => (
          <option key={one} value={one}>
            {name}
          </option>
        ))}
        {!all.some(([one]) => one === value) && <option value={value}>{value}</option>}
      </select>
      <Below described={described} problem={problem} before={before} />
    </div>
  )
}

export function folderOptions({ folders }: Pick<RowNames, 'folders'>): [string, string][] {
  return [['', text.noFolder], ...folders.map(({ id, label }): [string, string] => [id, label])]
}

export function lookOptions({ styles }: Pick<RowNames, 'styles'>, row?: BulkRow): [string, string][] {
  return [
    ...(row?.base.look === ownLook ? [[ownLook, text.ownLook] as [string, string]] : []),
    [plainLook, text.plainLook],
    ...styles.map(({ id, name }): [string, string] => [id, name]),
  ]
}

/** Returns the label of a cell, the props that connect it with its problem, and its old value. */
function useCell({ row, field, names, problem }: Pick<CellProps, 'row' | 'field' | 'names' | 'problem'>) {
  const id = useId()
  const column = text.columns[field]
  const before = row.changes[field] === undefined ? undefined : shownCell(row.base[field], field, names)
  return {
    label: (
      <span aria-hidden className="mb-0.5 block text-xs text-soft lg:hidden">
        {column}
      </span>
    ),
    before,
    described: {
      id,
      'aria-label': text.cell(column, row.code.name),
      'aria-invalid': problem !== undefined,
      'aria-describedby': problem === undefined && before === undefined ? undefined : `${id}-below`,
    },
  }
}

function Below({
  described,
  problem,
  before,
}: {
  described: { id: string }
  problem: string | undefined
  before: string | undefined
}) {
  if (problem === undefined && before === undefined) return null
  return (
    <p
      id={`${described.id}-below`}
      className={problem === undefined ? 'sr-only' : 'mt-0.5 text-xs text-danger'}
    >
      {problem ?? text.changed(before ?? '')}
    </p>
  )
}

/** Shows the content of a code that is no link, with a way to the editor. */
function Content({ orgId, row }: { orgId: string; row: BulkRow }) {
  const { id, type, name } = row.code
  const Icon = typeIcons[type]
  return (
    <div className="flex min-h-10 min-w-0 items-center gap-2 px-2.5 text-sm text-soft max-lg:px-0 sm:max-lg:pt-4">
      <Icon size={16} aria-hidden className="shrink-0" />
      <span className="min-w-0 flex-1 truncate">
        {commonWords.types[type]} {contentText(row.code)}
      </span>
      <Link
        to="/$orgId/codes/$codeId"
        params={{ orgId, codeId: id }}
        aria-label={text.openEditor(name)}
        className="shrink-0 text-brand underline underline-offset-2"
      >
        {text.edit}
      </Link>
    </div>
  )
}

/** Says why a row was not saved, and offers what can be done. */
function RowProblem({ row, names, actions }: Pick<Props, 'row' | 'names' | 'actions'>) {
  const { code, problem, theirs, isGone } = row
  if (isGone === true)
    return (
      <div role="alert" className="mt-1 flex flex-wrap items-center gap-2 px-2.5 pb-1 text-sm text-danger">
        <span className="flex-1">{text.gone.text}</span>
        <Button onClick={() => actions.onRemove(code.id)}>{text.gone.remove}</Button>
      </div>
    )
  if (theirs !== undefined) {
    const now = cellsOf(theirs.code, names.styles)
    const moved = bulkFields.filter((field) => now[field] !== row.base[field])
    return (
      <div role="alert" className="mt-1 flex flex-wrap items-center gap-2 px-2.5 pb-1 text-sm">
        <div className="min-w-0 flex-1 basis-64">
          <p className="text-danger">{text.conflict.text}</p>
          {moved.map((field) => (
            <p key={field} className="break-words text-soft">
              {text.conflict.now(text.columns[field], shownCell(now[field], field, names))}
            </p>
          ))}
        </div>
        <Button onClick={() => actions.onTheirs(code.id)}>{text.conflict.theirs}</Button>
        <Button onClick={() => actions.onMine(code.id)}>{text.conflict.mine}</Button>
      </div>
    )
  }
  if (problem === undefined || changedFields(row).length === 0) return null
  return (
    <p role="alert" className="mt-1 px-2.5 pb-1 text-sm text-danger">
      {problem}
    </p>
  )
}
