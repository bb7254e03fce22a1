import { useMutation, useQuery } from '@tanstack/react-query'
import { limits } from '@everscan/contract/schema/limits.ts'
import type { QrCode } from '@everscan/contract/resources/qr-codes.ts'
import { useId, useState, type FormEvent } from 'react'
import { api } from '../session/api.ts'
import { changeCodes, codesText } from './code-changes.ts'
import { problemText } from '../ui/problems.ts'
import { bulkWords } from '../words/codes-words.ts'
import { Checkbox } from '../ui/checkbox.tsx'
import { Dialog, FormButtons } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Notice } from '../ui/surfaces.tsx'
import { currentLocale } from '../words/chosen-language.ts'

const text = bulkWords
const suggestionsMax = 100

type Props = {
  orgId: string
  codes: readonly QrCode[]
  onClose: () => void
  onChanged: (codes: readonly QrCode[]) => void
}

/** Adds tags to codes, and removes tags that some of them have. */
export function TagsDialog({ orgId, codes, onClose, onChanged }: Props) {
  const [typed, setTyped] = useState('')
  const [removed, setRemoved] = useState<readonly string[]>([])
  const known = useId()
  const added = tagsOf(typed).filter((tag) => !removed.includes(tag))
  const tooLong = added.some((tag) => tag.length > limits.tagCharsMax)
  const save = useMutation({
    mutationFn: async () =>
      changeCodes(orgId, codes, {
        updates: {
          ...(added.length > 0 && { addTags: added }),
          ...(removed.length > 0 && { removeTags: [...removed] }),
        },
        done: (count) => text.done.tagged(codesText(count)),
        onChanged,
      }),
    onSuccess: onClose,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <Dialog title={text.tags.title(codesText(codes.length))} onClose={onClose}>
      <form className="grid gap-4" onSubmit={submit}>
        {save.error !== null && <Notice kind="problem">{problemText(save.error)}</Notice>}
        <Field
          label={text.tags.add}
          hint={text.tags.addHint}
          problem={tooLong ? text.tags.tooLong(limits.tagCharsMax) : undefined}
          list={known}
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <TagSuggestions orgId={orgId} id={known} typed={typed} />
        <RemovedTags codes={codes} removed={removed} onChange={setRemoved} />
        <FormButtons
          action={text.tags.save}
          busy={save.isPending}
          disabled={tooLong || (added.length === 0 && removed.length === 0)}
          onClose={onClose}
        />
      </form>
    </Dialog>
  )
}

/** Offers the most used tags. */
function TagSuggestions({ orgId, id, typed }: { orgId: string; id: string; typed: string }) {
  const suggestions = useQuery({
    queryKey: ['tags', orgId, 'suggestions'],
    queryFn: async ({ signal }) => api.tags.list(orgId, { limit: suggestionsMax }, { signal }),
  })
  return (
    <datalist id={id}>
      {/* Choosing a tag keeps the text before the last comma. */}
      {suggestions.data?.data.map(({ tag }) => (
        <option key={tag} value={typed.includes(',') ? typed.replace(/[^,]*$/, ` ${tag}`) : tag} />
      ))}
    </datalist>
  )
}

type RemovedProps = {
  codes: readonly QrCode[]
  removed: readonly string[]
  onChange: (removed: readonly string[]) => void
}

/** Chooses tags of the codes to remove. */
function RemovedTags({ codes, removed, onChange }: RemovedProps) {
  const counts = countTags(codes)
  if (counts.length === 0) return null
  return (
    <fieldset>
      <legend className="mb-1 text-sm font-medium">{text.tags.remove}</legend>
      <div className="max-h-48 overflow-auto px-1">
        {counts.map(([tag, count]) => (
          <div key={tag} className="flex items-center gap-2">
            <Checkbox
              label={tag}
              withLabel
              className="min-w-0 flex-1 break-words"
              checked={removed.includes(tag)}
              onChange={() =>
                onChange(removed.includes(tag) ? removed.filter((one) => one !== tag) : [...removed, tag])
              }
            />
            {codes.length > 1 && <span className="text-sm text-soft">{codesText(count)}</span>}
          </div>
        ))}
      </div>
    </fieldset>
  )
}

/** Returns typed tags as the service stores them: trimmed, each once. */
function tagsOf(typed: string): string[] {
  const tags = typed.split(',').map((tag) => tag.trim().normalize('NFC'))
  return [...new Set(tags.filter((tag) => tag !== ''))].slice(0, limits.tagsMax)
}

/** Returns the tags of codes and how many codes have each, sorted by name. */
function countTags(codes: readonly QrCode[]): [tag: string, count: number][] {
  const counts = new Map<string, number>()
  for (const tag of codes.flatMap(({ tags }) => tags)) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  return [...counts].toSorted(([one], [other]) => one.localeCompare(other, currentLocale()))
}
