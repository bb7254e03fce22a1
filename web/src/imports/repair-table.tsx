import type { ImportRepairs, ImportRowError } from '@everscan/client/create-client.ts'
import { useId, useState, type KeyboardEvent } from 'react'
import { formatNumber } from '../ui/format.ts'
import { inputClass } from '../ui/field.tsx'
import { importsWords } from '../words/imports-words.ts'
import { Button } from '../ui/button.tsx'
import { faultsOf, withRepair } from './repairs.ts'

const text = importsWords.errors
/** Rows that are shown at once, and that each press adds. */
const step = 50

type Props = {
  errors: readonly ImportRowError[]
  errorCount: number
  /** Absent: the rows can only be read. */
  edit?: { repairs: ImportRepairs; onRepairs: (repairs: ImportRepairs) => void } | undefined
}

/** Shows failed rows: the line in the file, what is wrong, and the values at fault, to repair. */
export function RepairTable({ errors, errorCount, edit }: Props) {
  const [shownMax, setShownMax] = useState(step)
  const shown = errors.slice(0, shownMax)
  const beyond = errorCount - errors.length
  return (
    <div className="grid gap-2">
      <ul aria-label={text.title} className="divide-y divide-line rounded-control border border-line">
        {shown.map((error) => (
          <li key={error.row} className="grid gap-x-4 gap-y-2 p-3 sm:grid-cols-[9rem_minmax(0,1fr)]">
            <Row error={error} edit={edit} />
          </li>
        ))}
      </ul>
      {shown.length < errors.length && (
        <div>
          <Button onClick={() => setShownMax(shownMax + step)}>
            {text.showMore(formatNumber(errors.length - shown.length))}
          </Button>
        </div>
      )}
      {beyond > 0 && shown.length === errors.length && (
        <p className="text-sm text-soft">{text.more(formatNumber(beyond))}</p>
      )}
    </div>
  )
}

function Row({ error, edit }: { error: ImportRowError; edit: Props['edit'] }) {
  const { row, line, values } = error
  const { cells, rowProblem } = faultsOf(error)
  const columns = rowProblem === undefined ? cells.map(({ column }) => column) : Object.keys(values ?? {})
  const name = values?.['name'] ?? ''
  return (
    <>
      <div className="min-w-0 text-sm">
        <p className="font-medium tabular-nums">{text.line(formatNumber(line))}</p>
        {name !== '' && !columns.includes('name') && (
          <p title={name} className="truncate text-soft">
            {name}
          </p>
        )}
      </div>
      <div className="grid min-w-0 gap-2">
        {rowProblem !== undefined && (
          <p className="text-sm break-words text-danger">
            {rowProblem} {values === null && edit !== undefined && text.tooLong}
          </p>
        )}
        {values !== null &&
          columns.map((column) => (
            <Cell
              key={column}
              column={column}
              line={line}
              value={edit?.repairs[row]?.[column] ?? values[column] ?? ''}
              before={values[column] ?? ''}
              problem={cells.find((cell) => cell.column === column)?.problem}
              onChange={
                edit === undefined
                  ? undefined
                  : (value) => edit.onRepairs(withRepair(edit.repairs, { row, column, value }))
              }
            />
          ))}
      </div>
    </>
  )
}

type CellProps = {
  column: string
  line: number
  value: string
  /** The value that failed. */
  before: string
  problem: string | undefined
  onChange: ((value: string) => void) | undefined
}

function Cell({ column, line, value, before, problem, onChange }: CellProps) {
  const id = useId()
  const isRepaired = value !== before
  const isWrong = problem !== undefined && !isRepaired
  return (
    <div className="grid gap-x-3 gap-y-1 md:grid-cols-[7rem_minmax(0,1fr)]">
      <label htmlFor={id} className="truncate text-sm text-soft md:pt-2.5">
        {column}
        <span className="sr-only">, {text.line(formatNumber(line))}</span>
      </label>
      <div className="min-w-0">
        {/* A text of several lines keeps them. */}
        <textarea
          id={id}
          data-repair
          rows={1}
          value={value}
          readOnly={onChange === undefined}
          spellCheck={false}
          autoComplete="off"
          aria-invalid={isWrong}
          aria-describedby={problem === undefined ? undefined : `${id}-below`}
          onChange={(event) => onChange?.(event.target.value)}
          onKeyDown={goToNext}
          className={`${inputClass} field-sizing-content max-h-40 resize-none text-sm ${isRepaired ? 'border-s-4! border-s-brand!' : ''}`}
        />
        {problem !== undefined && (
          <p
            id={`${id}-below`}
            className={`text-sm break-words ${isWrong ? 'text-danger' : 'text-soft line-through'}`}
          >
            {problem}
          </p>
        )}
      </div>
    </div>
  )
}

/** Enter goes on to the next value to repair, as in a spreadsheet. */
function goToNext(event: KeyboardEvent<HTMLTextAreaElement>) {
  if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
  event.preventDefault()
  const all = [...document.querySelectorAll<HTMLTextAreaElement>('textarea[data-repair]')]
  all[all.indexOf(event.currentTarget) + 1]?.focus()
}
