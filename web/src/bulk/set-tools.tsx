import { useState, type FormEvent } from 'react'
import { Button } from '../ui/button.tsx'
import { ChoiceField } from '../ui/choice.tsx'
import { Field } from '../ui/field.tsx'
import { tableWords } from '../words/bulk-table-words.ts'
import { cellOf, tagsOf, type BulkRow } from './bulk-rows.ts'
import type { CellValue } from './use-bulk-rows.ts'

type Props = { rows: readonly BulkRow[]; onApply: (values: CellValue[]) => void }

/** Sets one value, a folder or a look, in all rows. */
export function ChoiceTool({
  rows,
  onApply,
  field,
  options,
  words,
}: Props & {
  field: 'folder' | 'look'
  options: readonly [string, string][]
  words: { choose: string; apply: string }
}) {
  const [value, setValue] = useState(options[0]?.[0] ?? '')
  const apply = (event: FormEvent) => {
    event.preventDefault()
    onApply(rows.map(({ code }) => ({ id: code.id, field, value })))
  }
  return (
    <form onSubmit={apply} className="flex flex-wrap items-end gap-3">
      <ChoiceField
        label={words.choose}
        value={value}
        options={options}
        onChoose={setValue}
        className="min-w-56"
      />
      <Button type="submit">{words.apply}</Button>
    </form>
  )
}

/** Adds tags to all rows and removes tags from them. */
export function TagsTool({ rows, onApply }: Props) {
  const [added, setAdded] = useState('')
  const [removed, setRemoved] = useState('')
  const text = tableWords.tags
  const apply = (event: FormEvent) => {
    event.preventDefault()
    const gone = new Set(tagsOf(removed))
    onApply(
      rows.map((row) => {
        const tags = [...tagsOf(cellOf(row, 'tags')), ...tagsOf(added)].filter((tag) => !gone.has(tag))
        return { id: row.code.id, field: 'tags', value: [...new Set(tags)].join(', ') }
      }),
    )
    setAdded('')
    setRemoved('')
  }
  return (
    <form onSubmit={apply} className="grid gap-3 sm:grid-cols-[1fr_1fr_auto] sm:items-start">
      <Field
        label={text.add}
        hint={text.hint}
        value={added}
        autoComplete="off"
        onChange={(event) => setAdded(event.target.value)}
      />
      <Field
        label={text.remove}
        value={removed}
        autoComplete="off"
        onChange={(event) => setRemoved(event.target.value)}
      />
      <Button type="submit" disabled={added.trim() === '' && removed.trim() === ''} className="sm:mt-6">
        {text.apply}
      </Button>
    </form>
  )
}
