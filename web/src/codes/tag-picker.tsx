import type { TagUse } from '@everscan/contract/resources/tags.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { api } from '../session/api.ts'
import { formatNumber } from '../ui/format.ts'
import { problemText } from '../ui/problems.ts'
import { codesWords } from '../words/codes-words.ts'
import { Checkbox } from '../ui/checkbox.tsx'
import { inputClass } from '../ui/field.tsx'
import { Notice } from '../ui/surfaces.tsx'

const text = codesWords
const shownMax = 50

type Props = { orgId: string; chosen: readonly string[]; onChoose: (tags: string[]) => void }

/**
 * Offers the tags of an organization to choose from, most used first. Tags that are already chosen
 * come first.
 */
export function TagPicker({ orgId, chosen, onChoose }: Props) {
  const [typed, setTyped] = useState('')
  const search = useDeferredValue(typed.trim())
  const [first] = useState(chosen)
  const tags = useQuery({
    queryKey: ['tags', orgId, search],
    queryFn: async ({ signal }) => api.tags.list(orgId, { limit: shownMax, search }, { signal }),
    placeholderData: keepPreviousData,
  })
  if (tags.isError) return <Notice kind="problem">{problemText(tags.error)}</Notice>
  const found = tags.data?.data ?? []
  const shown: (Omit<TagUse, 'qrCodeCount'> & { qrCodeCount?: number })[] = [
    ...(search === '' ? first.map((tag) => found.find((one) => one.tag === tag) ?? { tag }) : []),
    ...found.filter(({ tag }) => search !== '' || !first.includes(tag)),
  ]
  const toggle = (tag: string) =>
    onChoose(chosen.includes(tag) ? chosen.filter((one) => one !== tag) : [...chosen, tag])
  return (
    <div className="grid gap-2">
      <p className="text-sm text-soft">{text.tagsText}</p>
      <input
        type="search"
        aria-label={text.tagsSearch}
        placeholder={text.tagsSearch}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        className={inputClass}
      />
      {/* Has the height that the first response needs at most, so nothing shifts while the user
          types. */}
      <div className="h-64 overflow-auto" aria-busy={tags.isFetching}>
        {tags.data !== undefined && shown.length === 0 && (
          <p className="py-6 text-center text-sm text-soft">
            {search === '' ? text.noTags : text.noTagFound}
          </p>
        )}
        {shown.map(({ tag, qrCodeCount }) => (
          <div key={tag} className="flex items-center gap-2 px-1">
            <Checkbox
              label={tag}
              withLabel
              className="min-w-0 flex-1 break-words"
              checked={chosen.includes(tag)}
              onChange={() => toggle(tag)}
            />
            {qrCodeCount !== undefined && (
              <span className="text-sm text-soft tabular-nums">{formatNumber(qrCodeCount)}</span>
            )}
          </div>
        ))}
        {(tags.data?.pagination.total ?? 0) > shownMax && (
          <p className="py-2 text-sm text-soft">{text.moreTags}</p>
        )}
      </div>
    </div>
  )
}
