import type { QrCode } from '@everscan/contract/qr-codes.ts'
import { qrCodeTypes } from '@everscan/contract/qr-code-data.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { Plus, Search } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { Button, buttonClass } from '../components/button.tsx'
import { Choice } from '../components/choice.tsx'
import { CopyButton } from '../components/copy-button.tsx'
import { inputClass } from '../components/field.tsx'
import { useTitle } from '../components/narrow-page.tsx'
import { Pager } from '../components/pager.tsx'
import { EmptyState, Failure } from '../components/surfaces.tsx'
import { api } from '../lib/api.ts'
import { codeSorts, codeStatuses, type CodeSearch } from '../lib/code-search.ts'
import { formatAge, formatNumber, formatTime } from '../lib/format.ts'
import { useMay } from '../lib/roles.ts'
import { useShortcut } from '../lib/shortcuts.ts'
import { words } from '../words.ts'

const text = words.codes
const route = getRouteApi('/$orgId/codes')
const perPage = 25
/** Long enough not to ask for every letter, short enough to feel at once. */
const typingMs = 200

/** The codes of an organization: search, filters and order stand in the address. */
export function CodesPage() {
  useTitle(text.title)
  const { orgId } = route.useParams()
  const mayEdit = useMay(orgId, 'EDITOR')
  const search = route.useSearch()
  const navigate = useNavigate({ from: '/$orgId/codes' })
  const { page = 1, q, type, status, sort = 'createdAt' } = search
  const codes = useQuery({
    queryKey: ['codes', orgId, search],
    queryFn: async ({ signal }) =>
      api.qrCodes.list(
        orgId,
        {
          page,
          limit: perPage,
          sort,
          order: sort === 'name' ? 'asc' : 'desc',
          ...(q !== undefined && { search: q }),
          ...(type !== undefined && { type }),
          ...(status !== undefined && { status }),
        },
        { signal },
      ),
    placeholderData: keepPreviousData,
  })
  const narrow = (changes: Partial<CodeSearch>) =>
    void navigate({ search: { ...search, page: undefined, ...changes }, replace: true })
  const isFiltered = q !== undefined || type !== undefined || status !== undefined
  const total = codes.data?.pagination.total
  return (
    <>
      <div className="mb-5 flex flex-wrap items-center gap-x-3">
        <h1 className="text-2xl font-semibold">{text.title}</h1>
        <p aria-live="polite" className="text-soft">
          {total === undefined ? '' : text.count(total, formatNumber(total))}
        </p>
        {mayEdit && (
          <Link to="/$orgId/codes/new" params={{ orgId }} className={`${buttonClass('primary')} ms-auto`}>
            <Plus size={16} aria-hidden />
            {words.editor.create}
          </Link>
        )}
      </div>
      <div role="search" className="mb-4 grid grid-cols-3 gap-2 sm:grid-cols-[1fr_auto_auto_auto]">
        <SearchBox value={q ?? ''} onSearch={(value) => narrow({ q: value === '' ? undefined : value })} />
        <Choice
          label={text.columns.type}
          value={type ?? ''}
          options={[['', text.allTypes], ...qrCodeTypes.map((one) => [one, words.types[one]] as const)]}
          onChoose={(value) => narrow({ type: qrCodeTypes.find((one) => one === value) })}
        />
        <Choice
          label={text.columns.status}
          value={status ?? ''}
          options={[['', text.allStatuses], ...codeStatuses.map((one) => [one, text.statuses[one]] as const)]}
          onChoose={(value) => narrow({ status: codeStatuses.find((one) => one === value) })}
        />
        <Choice
          label={text.sort}
          value={sort}
          options={codeSorts.map((one) => [one, text.sorts[one]] as const)}
          onChoose={(value) => narrow({ sort: codeSorts.find((one) => one === value) })}
        />
      </div>
      {codes.isError && <Failure error={codes.error} onRetry={() => void codes.refetch()} />}
      {codes.data !== undefined && total === 0 && !isFiltered && (
        <EmptyState title={text.none.title} text={text.none.text}>
          {mayEdit && (
            <Link to="/$orgId/codes/new" params={{ orgId }} className={buttonClass('primary')}>
              {words.editor.create}
            </Link>
          )}
          <a href="/docs" className={buttonClass()}>
            {text.none.link}
          </a>
        </EmptyState>
      )}
      {codes.data !== undefined && total === 0 && isFiltered && (
        <EmptyState title={text.nothingFound.title} text={text.nothingFound.text}>
          <Button onClick={() => narrow({ q: undefined, type: undefined, status: undefined })}>
            {text.nothingFound.clear}
          </Button>
        </EmptyState>
      )}
      {codes.data !== undefined && total !== 0 && (
        <>
          <ul
            aria-busy={codes.isPlaceholderData}
            className={`divide-y divide-line rounded-card border border-line bg-surface ${codes.isPlaceholderData ? 'opacity-60' : ''}`}
          >
            {codes.data.data.map((code) => (
              <CodeRow key={code.id} code={code} orgId={orgId} />
            ))}
          </ul>
          <Pager
            page={page}
            totalPages={codes.data.pagination.totalPages}
            onGo={(next) => void navigate({ search: { ...search, page: next === 1 ? undefined : next } })}
          />
        </>
      )}
      {codes.isPending && <Skeleton />}
    </>
  )
}

function SearchBox({ value, onSearch }: { value: string; onSearch: (value: string) => void }) {
  const [typed, setTyped] = useState(value)
  const input = useRef<HTMLInputElement>(null)
  // What stands in the address wins when it changes by itself: back and forward.
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
    <div className="relative col-span-3 sm:col-span-1">
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
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        className={`${inputClass} ps-10`}
      />
    </div>
  )
}

function CodeRow({ code, orgId }: { code: QrCode; orgId: string }) {
  return (
    <li className="flex items-center gap-3 px-3 py-2.5 sm:gap-4 sm:px-4">
      {/* White in both lights: a picture lies on the paper that it will be printed on. */}
      <img
        src={`${new URL(code.imageUrl).pathname}?format=svg&disposition=inline`}
        alt=""
        width="48"
        height="48"
        loading="lazy"
        className="size-12 shrink-0 rounded-control border border-line bg-white object-contain"
      />
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium">
          <Link
            to="/$orgId/codes/$codeId"
            params={{ orgId, codeId: code.id }}
            className="-my-2 inline-block max-w-full truncate py-2 align-bottom hover:underline"
          >
            {code.name}
          </Link>
        </p>
        <p className="truncate text-sm text-soft">
          {words.types[code.type]} · <bdi>{code.shortUrl.replace(/^https?:\/\//, '')}</bdi>
          {code.status === 'ARCHIVED' && ` · ${text.statuses.ARCHIVED}`}
        </p>
      </div>
      <time
        dateTime={code.updatedAt}
        title={formatTime(code.updatedAt)}
        className="hidden text-sm text-soft md:block"
      >
        {formatAge(code.updatedAt)}
      </time>
      <Link
        to="/$orgId/codes/$codeId/analytics"
        params={{ orgId, codeId: code.id }}
        aria-label={text.analyticsOf(code.name, formatNumber(code.totalScans))}
        className="w-20 rounded-control px-1 text-end tabular-nums hover:bg-raised"
      >
        <span className="block font-medium">{formatNumber(code.totalScans)}</span>{' '}
        <span className="block text-xs text-soft">{text.columns.scans}</span>
      </Link>
      <CopyButton text={code.shortUrl} label={text.copyLink(code.name)} />
    </li>
  )
}

/** As high as what comes, so that nothing jumps. */
function Skeleton() {
  return (
    <div
      role="status"
      aria-label={words.loading}
      className="divide-y divide-line rounded-card border border-line bg-surface"
    >
      {Array.from({ length: 8 }, (_, at) => (
        <div key={at} className="h-[4.3125rem] animate-pulse">
          <div className="ms-4 flex h-full items-center gap-4">
            <div className="size-12 rounded-control bg-raised" />
            <div className="h-4 w-48 rounded bg-raised" />
          </div>
        </div>
      ))}
    </div>
  )
}
