import { ChevronDown, ChevronUp, Plus, X } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { editorWords } from '../words/editor-words.ts'
import { Button } from '../ui/button.tsx'

const text = editorWords
/**
 * Entries that contain lists are all open up to this number. Beyond it, they are opened one by one:
 * a menu may have ten thousand dishes.
 */
const openMax = 6

type Props = {
  /** Name of one entry. */
  name: string
  rows: readonly unknown[]
  rowsMin: number
  rowsMax: number
  /** Problem of the list as a whole. */
  problem: string | undefined
  /** Whether entries are so large that they are folded when there are many. */
  isLarge: boolean
  /** Returns the title of an entry, shown while it is folded. */
  titleOf: (row: unknown) => string
  /** Returns whether an entry shows a problem, so that it must be visible. */
  hasProblem: (at: number) => boolean
  onChange: (rows: unknown[]) => void
  onAdd: () => void
  children: (row: unknown, at: number) => ReactNode
}

/** Shows a list whose entries can be added, removed and moved. */
export function Rows(props: Props) {
  const { name, rows, rowsMin, rowsMax, problem, isLarge, titleOf, hasProblem, children } = props
  const { opened, toggle, move, remove, add } = useOpenRows(props)
  const isFolding = isLarge && rows.length > openMax
  return (
    <div className="grid gap-3">
      {rows.map((row, at) => {
        const title = `${name} ${at + 1}`
        const isOpen = !isFolding || opened.has(at) || hasProblem(at)
        return (
          <fieldset
            // Rows have no ids, and the form holds their content.
            // oxlint-disable-next-line no-array-index-key
            key={at}
            className="min-w-0 rounded-control border border-line p-3"
          >
            <legend className="sr-only">{title}</legend>
            <RowHead
              title={title}
              fold={
                isFolding ? { name: titleOf(row) || title, isOpen, onToggle: () => toggle(at) } : undefined
              }
              onUp={at === 0 ? undefined : () => move(at, at - 1)}
              onDown={at === rows.length - 1 ? undefined : () => move(at, at + 1)}
              onRemove={rows.length <= rowsMin ? undefined : () => remove(at)}
            />
            {isOpen && <div className="grid gap-3">{children(row, at)}</div>}
          </fieldset>
        )
      })}
      {problem !== undefined && <p className="text-sm text-danger">{problem}</p>}
      <div>
        <Button disabled={rows.length >= rowsMax} onClick={add}>
          <Plus size={16} aria-hidden />
          {text.add(name)}
        </Button>
      </div>
    </div>
  )
}

/** Holds which entries are open while they are added, removed and moved. */
function useOpenRows({ rows, onChange, onAdd }: Pick<Props, 'rows' | 'onChange' | 'onAdd'>) {
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set())
  const renumber = (placeOf: (at: number) => number) =>
    setOpened((all) => new Set([...all].map(placeOf).filter((at) => at >= 0)))
  return {
    opened,
    toggle: (at: number) =>
      setOpened((all) => new Set(all.has(at) ? [...all].filter((one) => one !== at) : [...all, at])),
    move: (at: number, to: number) => {
      renumber((one) => (one === at ? to : one === to ? at : one))
      onChange(rows.with(at, rows[to]).with(to, rows[at]))
    },
    remove: (at: number) => {
      renumber((one) => (one === at ? -1 : one > at ? one - 1 : one))
      onChange(rows.toSpliced(at, 1))
    },
    add: () => {
      setOpened((all) => new Set([...all, rows.length]))
      onAdd()
    },
  }
}

type HeadProps = {
  title: string
  /** Undefined: it is not folded. */
  fold: { name: string; isOpen: boolean; onToggle: () => void } | undefined
  /** Absent: it cannot. */
  onUp: (() => void) | undefined
  onDown: (() => void) | undefined
  onRemove: (() => void) | undefined
}

/** Shows the title of an entry, and moves and removes it. */
function RowHead({ title, fold, onUp, onDown, onRemove }: HeadProps) {
  const actions = [
    { label: text.up(title), Icon: ChevronUp, act: onUp },
    { label: text.down(title), Icon: ChevronDown, act: onDown },
    { label: text.remove(title), Icon: X, act: onRemove },
  ]
  return (
    <div className="flex items-center gap-1">
      {fold !== undefined ? (
        <button
          type="button"
          aria-expanded={fold.isOpen}
          onClick={fold.onToggle}
          className="me-auto min-h-10 min-w-0 cursor-pointer truncate text-start text-sm font-medium"
        >
          {fold.name}
        </button>
      ) : (
        <span aria-hidden className="me-auto text-sm text-soft first-letter:uppercase">
          {title}
        </span>
      )}
      {actions.map(({ label, Icon, act }) => (
        <Button
          key={label}
          look="quiet"
          aria-label={label}
          disabled={act === undefined}
          onClick={() => act?.()}
          className="px-2"
        >
          <Icon size={18} aria-hidden />
        </Button>
      ))}
    </div>
  )
}
