import type { Domain } from '@everscan/client/create-client.ts'
import { qrCodeTypes } from '@everscan/contract/code-types/code-types.ts'
import { useQuery } from '@tanstack/react-query'
import { LayoutGrid, List, ScanQrCode, Search, SlidersHorizontal, Tags, X } from 'lucide-react'
import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react'
import { closedStates, codeSorts, codeStatuses, type CodeSearch } from './code-search.ts'
import { domainsQuery } from '../session/domains.ts'
import { useShortcut } from '../ui/shortcut-keys.ts'
import { accessWords } from '../words/access-words.ts'
import { codesWords } from '../words/codes-words.ts'
import { commonWords } from '../words/common-words.ts'
import { domainsWords } from '../words/domains-words.ts'
import { Button } from '../ui/button.tsx'
import { askFinder } from '../ui/finder-requests.ts'
import { pictureWords } from '../words/finder-words.ts'
import { Choice, ChoiceField } from '../ui/choice.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { inputClass } from '../ui/field.tsx'
import { TagPicker } from './tag-picker.tsx'

const text = codesWords
/** Delay of the search: long enough to skip single letters, short enough to feel immediate. */
const typingMs = 200

type Props = {
  orgId: string
  search: CodeSearch
  /** Changes what the list shows, from its first page. */
  onNarrow: (changes: Partial<CodeSearch>) => void
  /** Button that opens the folders where there is no room for them beside the list. */
  folders: ReactNode
}

/**
 * Filters and sorts the list of codes: side by side where there is room, otherwise behind one
 * button.
 */
export function CodeFilters({ orgId, search, onNarrow, folders }: Props) {
  const [open, setOpen] = useState<'all' | 'tags'>()
  const { tags = [], view } = search
  const { data: domains = [] } = useQuery(domainsQuery(orgId))
  const filters = {
    orgId,
    search,
    onNarrow,
    domains: domains.length > 0 || search.domain !== undefined ? domains : undefined,
  }
  const chosen = chosenCount(search)
  return (
    <>
      {/* Filters are as wide as their words; where these are long, they are a second line. */}
      <div role="search" className="mb-3 flex flex-wrap gap-2">
        <SearchBox
          value={search.q ?? ''}
          onSearch={(value) => onNarrow({ q: value === '' ? undefined : value })}
        />
        <div className="flex max-w-full min-w-0 grow gap-2">
          <div className="hidden min-w-0 flex-auto flex-wrap gap-2 lg:flex">
            <Choices {...filters} />
            <Button onClick={() => setOpen('tags')} className="shrink-0 whitespace-nowrap">
              <Tags size={18} aria-hidden />
              {text.tagsCount(tags.length)}
            </Button>
          </div>
          <div className="flex flex-1 gap-2 lg:hidden">
            {folders}
            <Button onClick={() => setOpen('all')}>
              <SlidersHorizontal size={18} aria-hidden />
              {text.filterCount(chosen)}
            </Button>
          </div>
          <ViewToggle view={view} onChoose={(next) => onNarrow({ view: next, page: search.page })} />
        </div>
      </div>
      <ChosenTags tags={tags} onNarrow={onNarrow} />
      {open !== undefined && <FiltersDialog {...filters} of={open} onClose={() => setOpen(undefined)} />}
    </>
  )
}

const noChoices = { type: undefined, status: undefined, state: undefined, domain: undefined }

/** Returns how many filters are set. */
function chosenCount({ type, status, state, domain, tags = [] }: CodeSearch): number {
  return [type, status ?? state, domain, ...tags].filter((one) => one !== undefined).length
}

function ChosenTags({ tags, onNarrow }: Pick<Props, 'onNarrow'> & { tags: readonly string[] }) {
  if (tags.length === 0) return null
  return (
    <ul aria-label={text.tags} className="mb-3 flex flex-wrap gap-2">
      {tags.map((tag) => (
        <li key={tag}>
          <Button
            aria-label={text.removeTag(tag)}
            onClick={() => onNarrow({ tags: without(tags, tag) })}
            className="max-w-full"
          >
            <span className="truncate">{tag}</span>
            <X size={16} aria-hidden className="shrink-0" />
          </Button>
        </li>
      ))}
    </ul>
  )
}

type DialogProps = Omit<ChoicesProps, 'withLabel'> & {
  orgId: string
  of: 'all' | 'tags'
  onClose: () => void
}

/** Chooses all filters or only tags, where there is no room for them above the list. */
function FiltersDialog({ orgId, domains, search, onNarrow, of, onClose }: DialogProps) {
  const { tags = [] } = search
  return (
    <Dialog title={of === 'all' ? text.filtersTitle : text.tags} onClose={onClose}>
      <div className="grid gap-4">
        {of === 'all' && <Choices domains={domains} search={search} onNarrow={onNarrow} withLabel />}
        <section aria-label={text.tags}>
          {of === 'all' && <h3 className="mb-1 text-sm font-medium">{text.tags}</h3>}
          <TagPicker
            orgId={orgId}
            chosen={tags}
            onChoose={(next) => onNarrow({ tags: next.length === 0 ? undefined : next })}
          />
        </section>
        <div className="flex flex-wrap justify-end gap-2">
          <Button
            onClick={() => onNarrow({ tags: undefined, ...(of === 'all' && noChoices) })}
            disabled={of === 'all' ? chosenCount(search) === 0 : tags.length === 0}
          >
            {text.clearFilters}
          </Button>
          <Button look="primary" onClick={onClose}>
            {text.showResult}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

function without(tags: readonly string[], tag: string): string[] | undefined {
  const left = tags.filter((one) => one !== tag)
  return left.length === 0 ? undefined : left
}

type ChoicesProps = Pick<Props, 'search' | 'onNarrow'> & {
  /** Undefined: there is nothing to choose. */
  domains: readonly Domain[] | undefined
  withLabel?: boolean
}

function Choices({ domains, search, onNarrow, withLabel = false }: ChoicesProps) {
  const { type, status, state, domain, sort = 'createdAt' } = search
  const One = withLabel ? ChoiceField : Choice
  const className = withLabel ? '' : 'lg:w-auto lg:max-w-52 lg:flex-auto'
  return (
    <>
      <One
        className={className}
        label={text.columns.type}
        value={type ?? ''}
        options={[['', text.allTypes], ...qrCodeTypes.map((one) => [one, commonWords.types[one]] as const)]}
        onChoose={(value) => onNarrow({ type: qrCodeTypes.find((one) => one === value) })}
      />
      <One
        className={className}
        label={text.columns.status}
        value={state ?? status ?? ''}
        options={[
          ['', text.allStatuses],
          ...codeStatuses.map((one) => [one, text.statuses[one]] as const),
          ...closedStates.map((one) => [one, accessWords.states[one]] as const),
        ]}
        onChoose={(value) =>
          onNarrow({
            status: codeStatuses.find((one) => one === value),
            state: closedStates.find((one) => one === value),
          })
        }
      />
      {domains !== undefined && (
        <One
          className={className}
          label={domainsWords.choice}
          value={domain ?? ''}
          options={[
            ['', domainsWords.filterAll],
            ...domains.map(({ id, hostname }) => [id, hostname] as const),
            ['none', domainsWords.ofInstallation],
          ]}
          onChoose={(value) => onNarrow({ domain: value === '' ? undefined : value })}
        />
      )}
      <One
        className={className}
        label={text.sort}
        value={sort}
        options={codeSorts.map((one) => [one, text.sorts[one]] as const)}
        onChoose={(value) => onNarrow({ sort: codeSorts.find((one) => one === value) })}
      />
    </>
  )
}

type SearchProps = {
  value: string
  onSearch: (value: string) => void
}

function SearchBox({ value, onSearch }: SearchProps) {
  const [typed, setTyped] = useState(value)
  const input = useRef<HTMLInputElement>(null)
  // The URL wins when it changes by itself: back and forward.
  useEffect(() => setTyped(value), [value])
  useEffect(() => {
    if (typed.trim() === value) return undefined
    const timer = setTimeout(() => onSearch(typed.trim()), typingMs)
    return () => clearTimeout(timer)
  }, [typed, value, onSearch])
  useShortcut(
    '/',
    useCallback(() => input.current?.focus(), []),
  )
  return (
    <div className="relative w-full lg:w-auto lg:min-w-44 lg:grow-[99] lg:basis-44">
      <Search
        size={18}
        aria-hidden
        className="pointer-events-none absolute start-3 top-1/2 -translate-y-1/2 text-soft"
      />
      <input
        ref={input}
        type="search"
        aria-label={text.search}
        aria-keyshortcuts="/"
        placeholder={text.search}
        title={text.searchHint}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        className={`${inputClass} ps-10 pe-11 text-ellipsis`}
      />
      <button
        type="button"
        aria-label={pictureWords.open}
        title={pictureWords.open}
        onClick={() => askFinder('picture')}
        className="absolute end-0 top-0 flex size-10 cursor-pointer items-center justify-center rounded-control text-soft hover:text-ink"
      >
        <ScanQrCode size={18} aria-hidden />
      </button>
    </div>
  )
}

const views = [
  { view: undefined, icon: List, name: text.views.list },
  { view: 'grid', icon: LayoutGrid, name: text.views.grid },
] as const

function ViewToggle({
  view,
  onChoose,
}: {
  view: CodeSearch['view']
  onChoose: (view: CodeSearch['view']) => void
}) {
  return (
    <div
      role="group"
      aria-label={text.view}
      className="flex self-start rounded-control border border-line bg-surface"
    >
      {views.map(({ view: one, icon: Icon, name }) => (
        <button
          key={name}
          type="button"
          aria-label={name}
          aria-pressed={view === one}
          title={name}
          onClick={() => onChoose(one)}
          className="flex min-h-10 w-10 cursor-pointer items-center justify-center rounded-control text-soft hover:text-ink aria-pressed:bg-raised aria-pressed:text-ink"
        >
          <Icon size={18} aria-hidden />
        </button>
      ))}
    </div>
  )
}
