import { useDeferredValue, useMemo, useState, type FormEvent } from 'react'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { Field } from '../ui/field.tsx'
import { formatNumber } from '../ui/format.ts'
import { tableWords } from '../words/bulk-table-words.ts'
import type { BulkRow } from './bulk-rows.ts'
import { ChangePreview } from './change-preview.tsx'
import { replacedDestinations, type CellChange } from './destinations.ts'
import type { CellValue } from './use-bulk-rows.ts'

const text = tableWords.replace

type Props = { rows: readonly BulkRow[]; onApply: (values: CellValue[]) => void }

/** Replaces a text in all destinations. Shows each change first. */
export function ReplaceTool({ rows, onApply }: Props) {
  const [find, setFind] = useState('')
  const [replace, setReplace] = useState('')
  const [ignoreCase, setIgnoreCase] = useState(false)
  const wanted = useDeferredValue(useMemo(() => ({ find, replace, ignoreCase }), [find, replace, ignoreCase]))
  const changes = useMemo(() => replacedDestinations(rows, wanted), [rows, wanted])
  const apply = (event: FormEvent) => {
    event.preventDefault()
    onApply(valuesOf(replacedDestinations(rows, { find, replace, ignoreCase })))
    setFind('')
    setReplace('')
  }
  return (
    <form onSubmit={apply} className="grid gap-3">
      <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-[1fr_1fr_auto_auto] lg:items-end">
        <Field
          label={text.find}
          value={find}
          onChange={(event) => setFind(event.target.value)}
          {...plainInput}
        />
        <Field
          label={text.replace}
          value={replace}
          onChange={(event) => setReplace(event.target.value)}
          {...plainInput}
        />
        <Checkbox
          label={text.ignoreCase}
          withLabel
          checked={ignoreCase}
          onChange={() => setIgnoreCase(!ignoreCase)}
        />
        <Button type="submit" disabled={changes.length === 0}>
          {text.apply(changes.length, formatNumber(changes.length))}
        </Button>
      </div>
      <DestinationPreview changes={changes} none={find === '' ? text.start : text.none} />
    </form>
  )
}

const plainInput = { autoComplete: 'off', spellCheck: false } as const

/** Returns the cells that a change of destinations fills. */
export const valuesOf = (changes: readonly CellChange[]): CellValue[] =>
  changes.map(({ id, after }) => ({ id, field: 'url', value: after }))

/** Shows destinations before and after, or why none changes. */
export function DestinationPreview({ changes, none }: { changes: readonly CellChange[]; none: string }) {
  if (changes.length === 0) return <p className="text-sm text-soft">{none}</p>
  return (
    <ChangePreview
      title={tableWords.preview.count(changes.length, formatNumber(changes.length))}
      lines={changes.map(({ id, ...change }) => ({ key: id, ...change }))}
    />
  )
}
