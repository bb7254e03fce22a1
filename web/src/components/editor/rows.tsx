import { ChevronDown, ChevronUp, Plus, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { words } from '../../words.ts'
import { Button } from '../button.tsx'

const text = words.editor

type Props = {
  /** What one is called. */
  name: string
  rows: readonly unknown[]
  rowsMin: number
  rowsMax: number
  /** What is wrong with the list as a whole. */
  problem: string | undefined
  onChange: (rows: unknown[]) => void
  onAdd: () => void
  children: (row: unknown, at: number) => ReactNode
}

/** A list whose entries can be added, taken away and moved. */
export function Rows({ name, rows, rowsMin, rowsMax, problem, onChange, onAdd, children }: Props) {
  const move = (at: number, to: number) => onChange(rows.with(at, rows[to]).with(to, rows[at]))
  return (
    <div className="grid gap-3">
      {rows.map((row, at) => {
        const title = `${name} ${at + 1}`
        return (
          <fieldset
            // Rows have no names of their own, and what is in them is held by the form.
            // oxlint-disable-next-line no-array-index-key
            key={at}
            className="min-w-0 rounded-control border border-line p-3"
          >
            <legend className="sr-only">{title}</legend>
            <div className="mb-1 flex items-center gap-1">
              <span aria-hidden className="me-auto text-sm text-soft first-letter:uppercase">
                {title}
              </span>
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
                onClick={() => onChange(rows.toSpliced(at, 1))}
              >
                <X size={18} aria-hidden />
              </RowButton>
            </div>
            <div className="grid gap-3">{children(row, at)}</div>
          </fieldset>
        )
      })}
      {problem !== undefined && <p className="text-sm text-danger">{problem}</p>}
      <div>
        <Button disabled={rows.length >= rowsMax} onClick={onAdd}>
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
