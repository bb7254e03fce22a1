import { useQuery } from '@tanstack/react-query'
import { ChevronDown, X } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { hasScope, noScope, type AnalyticsSearch, type ScopeSearch } from './analytics-search.ts'
import { foldersQuery } from '../codes/folders.ts'
import { codesText } from '../codes/code-changes.ts'
import { selectedIds } from '../codes/selected-ids.ts'
import { analyticsWords } from '../words/analytics-words.ts'
import { commonWords } from '../words/common-words.ts'
import { Button } from '../ui/button.tsx'
import { loadPart } from '../session/reachability.ts'

const text = analyticsWords.scope

const ScopeDialog = lazy(async () =>
  loadPart(async () => import('./scope-dialog.tsx')).then((module) => ({ default: module.ScopeDialog })),
)

type Props = {
  orgId: string
  search: AnalyticsSearch
  onSearch: (changes: AnalyticsSearch) => void
}

/** Shows which codes the analytics are of, and chooses them. */
export function ScopeControl({ orgId, search, onSearch }: Props) {
  const [isOpen, setOpen] = useState(false)
  const parts = useScopeParts(orgId, search)
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-2">
      <Button onClick={() => setOpen(true)} aria-haspopup="dialog">
        {hasScope(search) ? text.choose : text.all}
        <ChevronDown size={16} aria-hidden />
      </Button>
      {parts.length > 0 && (
        <ul aria-label={text.label} className="flex min-w-0 flex-wrap gap-2">
          {parts.map(({ name, without }) => (
            <li key={name} className="max-w-full">
              <Button
                aria-label={text.remove(name)}
                onClick={() => onSearch(without)}
                className="max-w-full border-brand"
              >
                <span className="truncate">{name}</span>
                <X size={16} aria-hidden className="shrink-0" />
              </Button>
            </li>
          ))}
        </ul>
      )}
      {isOpen && (
        <Suspense>
          <ScopeDialog
            orgId={orgId}
            search={search}
            onSearch={onSearch}
            onClear={() => onSearch(noScope)}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </div>
  )
}

/** Names the parts of a scope, each with the change that removes it. */
export function useScopeParts(
  orgId: string,
  search: ScopeSearch,
): readonly { name: string; without: ScopeSearch }[] {
  const { folder, tags = [], type } = search
  const folders = useQuery({ ...foldersQuery(orgId), enabled: folder !== undefined })
  const found = folders.data?.find(({ id }) => id === folder)?.name
  const ids = selectedIds(search)
  return [
    ...(folder === undefined
      ? []
      : [
          {
            name:
              folder === 'none'
                ? text.noFolder
                : (found ?? (folders.data === undefined ? commonWords.loading : text.unknownFolder)),
            without: { folder: undefined },
          },
        ]),
    ...tags.map((tag) => ({
      name: text.tag(tag),
      without: { tags: tags.length === 1 ? undefined : tags.filter((one) => one !== tag) },
    })),
    ...(type === undefined ? [] : [{ name: commonWords.types[type], without: { type: undefined } }]),
    ...(ids === undefined
      ? []
      : [{ name: text.selected(codesText(ids.length)), without: { ids: undefined, selection: undefined } }]),
  ]
}
