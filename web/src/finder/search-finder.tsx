import type { Role } from '@everscan/contract/schema/common.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { FileText, FolderClosed, QrCode, Search, Zap, type LucideIcon } from 'lucide-react'
import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { formatNumber } from '../ui/format.ts'
import { finderWords } from '../words/finder-words.ts'
import type { EarlyKeys } from './early-keys.tsx'
import { commandGroups, recentGroup, type FinderGroup, type FinderItem } from './finder-groups.ts'
import { readRecentItems } from './recent-items.ts'
import { useFoundItems } from './use-found-items.ts'

const text = finderWords
const icons: Readonly<Record<FinderItem['kind'], LucideIcon>> = {
  code: QrCode,
  folder: FolderClosed,
  page: FileText,
  action: Zap,
}

type Props = { orgId: string; role: Role; early: EarlyKeys; onChoose: (item: FinderItem) => void }

/**
 * Finds by words: codes, folders, actions and pages. A combobox whose list is always open (WAI-ARIA
 * APG): the focus stays in the field, and the arrow keys move the active result.
 */
export function SearchFinder({ orgId, role, early, onChoose }: Props) {
  const listId = useId()
  const search = useSearch({ orgId, role, early, onChoose })
  const { typed, wanted, found, groups, items, current, isPending } = search
  return (
    <>
      <SearchField
        listId={listId}
        currentId={current?.id}
        typed={typed}
        onType={search.onType}
        onKeyDown={search.onKeyDown}
      />
      <p role="status" className="sr-only">
        {isPending ? text.searching : text.count(items.length, formatNumber(items.length))}
      </p>
      {found.isPaused && <p className="px-4 pt-3 text-sm text-soft">{text.offline}</p>}
      {found.error !== null && <p className="px-4 pt-3 text-sm text-danger">{text.failed}</p>}
      <div
        id={listId}
        role="listbox"
        aria-label={text.results}
        aria-busy={isPending}
        className="min-h-0 flex-1 overflow-auto overscroll-contain p-1.5"
      >
        {groups.map((group) => (
          <Group
            key={group.name}
            group={group}
            listId={listId}
            currentId={current?.id}
            onPoint={search.onPoint}
            onChoose={onChoose}
          />
        ))}
      </div>
      {items.length === 0 && <Nothing wanted={wanted} isPending={isPending} />}
      <Keys />
    </>
  )
}

/** Holds the words, and which of the results is active. */
function useSearch({ orgId, role, early, onChoose }: Props) {
  const [typed, setTyped] = useState(early.text)
  const [active, setActive] = useState(0)
  /** Whether Enter was pressed before the results were there. */
  const [hasEntered, setEntered] = useState(early.hasEntered)
  const wanted = typed.trim()
  const { groups, isPending, found } = useFinderGroups({ orgId, role, wanted })
  const items = groups.flatMap((group) => group.items)
  const current = items[Math.min(active, items.length - 1)]

  useEffect(() => {
    if (!hasEntered || isPending) return
    setEntered(false)
    if (current !== undefined) onChoose(current)
  }, [hasEntered, isPending, current, onChoose])

  const onKeyDown = (event: KeyboardEvent) => {
    // An input method takes these keys while it composes a character.
    if (event.nativeEvent.isComposing) return
    const next = nextActive(event.key, { active, count: items.length })
    if (next !== undefined) {
      event.preventDefault()
      setActive(next)
    }
    if (event.key !== 'Enter') return
    event.preventDefault()
    // A result that the user moved to is meant, whatever is still on its way.
    if (isPending && active === 0) setEntered(true)
    else if (current !== undefined) onChoose(current)
  }
  return {
    typed,
    wanted,
    found,
    groups,
    items,
    current,
    isPending,
    onType: (next: string) => {
      setTyped(next)
      setActive(0)
      setEntered(false)
    },
    onPoint: (item: FinderItem) => setActive(items.indexOf(item)),
    onKeyDown,
  }
}

type GroupsOptions = Pick<Props, 'orgId' | 'role'> & { wanted: string }

/** Returns the results by group. Without words, those that were opened last come first. */
function useFinderGroups({ orgId, role, wanted }: GroupsOptions) {
  const found = useFoundItems(orgId, wanted)
  const recent = useMemo(() => recentGroup(orgId, readRecentItems(orgId)), [orgId])
  const commands = useMemo(() => commandGroups(orgId, { role, typed: wanted }), [orgId, role, wanted])
  const all =
    wanted === ''
      ? [recent, ...withoutItems(found.groups, recent), ...commands]
      : [...found.groups, ...commands]
  return {
    groups: all.filter(({ items }) => items.length > 0),
    isPending: wanted !== '' && found.isPending,
    found,
  }
}

/** Returns the place that a key moves to: steps go around, pages stop at the ends. */
function nextActive(key: string, { active, count }: { active: number; count: number }): number | undefined {
  const moves = { ArrowDown: active + 1, ArrowUp: active - 1, PageDown: active + 5, PageUp: active - 5 }
  const next = moves[key as keyof typeof moves] as number | undefined
  if (next === undefined || count === 0) return undefined
  return key.startsWith('Arrow') ? (next + count) % count : Math.max(0, Math.min(next, count - 1))
}

type FieldProps = {
  listId: string
  currentId: string | undefined
  typed: string
  onType: (typed: string) => void
  onKeyDown: (event: KeyboardEvent) => void
}

function SearchField({ listId, currentId, typed, onType, onKeyDown }: FieldProps) {
  return (
    <div className="relative border-b border-line">
      <Search
        size={20}
        aria-hidden
        className="pointer-events-none absolute start-4 top-1/2 -translate-y-1/2 text-soft"
      />
      <input
        type="text"
        role="combobox"
        aria-label={text.title}
        aria-expanded
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={currentId === undefined ? undefined : `${listId}-${currentId}`}
        autoFocus
        autoComplete="off"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="go"
        maxLength={limits.searchCharsMax}
        placeholder={text.placeholder}
        value={typed}
        onChange={(event) => onType(event.target.value)}
        onKeyDown={onKeyDown}
        className="min-h-13 w-full bg-transparent ps-12 pe-12 text-base text-ink outline-none placeholder:text-soft"
      />
    </div>
  )
}

function Nothing({ wanted, isPending }: { wanted: string; isPending: boolean }) {
  return (
    <div className="px-4 pt-5 pb-8 text-center">
      <p className="font-medium wrap-anywhere">{isPending ? text.searching : text.nothing(wanted)}</p>
      {!isPending && <p className="mt-1 text-sm text-soft">{text.nothingHint}</p>}
    </div>
  )
}

function Keys() {
  return (
    <p aria-hidden className="hidden gap-4 border-t border-line px-4 py-2 text-xs text-soft sm:flex">
      {text.keys.map(([key, does]) => (
        <span key={key}>
          <kbd className="rounded border border-line bg-raised px-1.5 py-0.5 font-mono">{key}</kbd> {does}
        </span>
      ))}
    </p>
  )
}

/** Leaves out what another group shows already. */
function withoutItems(groups: readonly FinderGroup[], shown: FinderGroup): FinderGroup[] {
  const ids = new Set(shown.items.map(({ id }) => id))
  return groups.map(({ name, items }) => ({ name, items: items.filter(({ id }) => !ids.has(id)) }))
}

type GroupProps = {
  group: FinderGroup
  listId: string
  currentId: string | undefined
  onPoint: (item: FinderItem) => void
  onChoose: (item: FinderItem) => void
}

function Group({ group: { name, items }, listId, currentId, onPoint, onChoose }: GroupProps) {
  const labelId = useId()
  return (
    <div role="group" aria-labelledby={labelId}>
      <p id={labelId} role="presentation" className="px-3 pt-2 pb-1 text-xs font-medium text-soft">
        {name}
      </p>
      {items.map((item) => (
        <Option
          key={item.id}
          id={`${listId}-${item.id}`}
          item={item}
          isCurrent={item.id === currentId}
          onPoint={() => onPoint(item)}
          onChoose={() => onChoose(item)}
        />
      ))}
    </div>
  )
}

type OptionProps = {
  id: string
  item: FinderItem
  isCurrent: boolean
  onPoint: () => void
  onChoose: () => void
}

function Option({ id, item: { kind, name, detail }, isCurrent, onPoint, onChoose }: OptionProps) {
  const line = useRef<HTMLDivElement>(null)
  const Icon = icons[kind]
  useEffect(() => {
    if (isCurrent) line.current?.scrollIntoView({ block: 'nearest' })
  }, [isCurrent])
  return (
    <div
      ref={line}
      id={id}
      role="option"
      aria-selected={isCurrent}
      // A press must not take the focus from the field.
      onPointerDown={(event) => event.preventDefault()}
      onPointerMove={onPoint}
      onClick={onChoose}
      className="flex min-h-11 cursor-pointer items-center gap-3 rounded-control px-3 py-1.5 aria-selected:bg-raised"
    >
      <Icon size={18} aria-hidden className="shrink-0 text-soft" />
      <span className="min-w-0 flex-1">
        <span className="block truncate">{name}</span>
        {detail !== undefined && (
          <bdi title={detail.full} className="block truncate text-sm text-soft">
            {detail.shown}
          </bdi>
        )}
      </span>
    </div>
  )
}
