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
  const { name, rows, rowsMin, rowsMax, problem, isLarge, titleOf, hasProblem, onChange, onAdd, children } =
    props
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set())
  const isFolding = isLarge && rows.length > openMax
  const toggle = (at: number) =>
    setOpened((all) => new Set(all.has(at) ? [...all].filter((one) => one !== at) : [...all, at]))
  const renumber = (placeOf: (at: number) => number) =>
    setOpened((all) => new Set([...all].map(placeOf).filter((at) => at >= 0)))
  const move = (at: number, to: number) => {
    renumber((one) => (one === at ? to : one === to ? at : one))
    onChange(rows.with(at, rows[to]).with(to, rows[at]))
  }
  const remove = (at: number) => {
    renumber((one) => (one === at ? -1 : one > at ? one - 1 : one))
    onChange(rows.toSpliced(at, 1))
  }
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
            <div className="flex items-center gap-1">
              {isFolding ? (
                <button
                  type="button"
                  aria-expanded={isOpen}
                  onClick={() => toggle(at)}
                  className="me-auto min-h-10 min-w-0 cursor-pointer truncate text-start text-sm font-medium"
                >
                  {titleOf(row) || title}
                </button>
              ) : (
                <span aria-hidden className="me-auto text-sm text-soft first-letter:uppercase">
                  {title}
                </span>
              )}
              <RowButton label={text.up(title)} disabled={at === 0} onClick={() => move(at, at - 1)}>
                <ChevronUp size={18} aria-hidden />
              </RowButton>
              <RowButton
                label={text.down(title)}
                disabled={at === rows.length - 1}
                onClick={() => move(at, at + 1)}
              >
                <ChevronDown size={18} aria-hidden />
              </RowButton>
              <RowButton
                label={text.remove(title)}
                disabled={rows.length <= rowsMin}
                onClick={() => remove(at)}
              >
                <X size={18} aria-hidden />
              </RowButton>
            </div>
            {isOpen && <div className="grid gap-3">{children(row, at)}</div>}
          </fieldset>
        )
      })}
      {problem !== undefined && <p className="text-sm text-danger">{problem}</p>}
      <div>
        <Button
          disabled={rows.length >= rowsMax}
          onClick={() => {
            setOpened((all) => new Set([...all, rows.length]))
            onAdd()
          }}
        >
          <Plus size={16} aria-hidden />
          {text.add(name)}
        </Button>
      </div>
    </div>
  )
}

function RowButton({
  label,
  disabled,
  onClick,
  children,
}: {
  label: string
  disabled: boolean
  onClick: () => void
  children: ReactNode
}) {
  return (
    <Button look="quiet" aria-label={label} disabled={disabled} onClick={onClick} className="px-2">
      {children}
    </Button>
  )
}
