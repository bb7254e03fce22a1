import type { BinnedQrCode } from '@everscan/client/create-client.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { ArchiveRestore, ArrowLeft, Trash2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useMay } from '../session/roles.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { inputClass } from '../ui/field.tsx'
import { formatNumber, formatTime, formatWhen } from '../ui/format.ts'
import { useTitle } from '../ui/narrow-page.tsx'
import { Pager } from '../ui/pager.tsx'
import { showProblem } from '../ui/problems.ts'
import { useSettled } from '../ui/use-settled.ts'
import { EmptyState, Failure } from '../ui/surfaces.tsx'
import { binWords, deletionWords } from '../words/bin-words.ts'
import { codesWords } from '../words/codes-words.ts'
import { commonWords } from '../words/common-words.ts'
import { binQuery, purgeCodes, restoreCodes } from './bin.ts'
import { codesText } from './code-changes.ts'
import { withoutScheme } from './codes.ts'

const text = binWords
const route = getRouteApi('/$orgId/bin')
const dayMs = 86_400_000

/** Shows the deleted codes of an organization, which can be restored. */
export function BinPage() {
  useTitle(text.title)
  const { orgId } = route.useParams()
  const { page = 1 } = route.useSearch()
  const navigate = useNavigate({ from: '/$orgId/bin' })
  const mayEdit = useMay(orgId, 'EDITOR')
  const [typed, setTyped] = useState('')
  const { search } = useSettled(
    useMemo(() => ({ search: typed.trim() }), [typed]),
    250,
  )
  const bin = useQuery(binQuery(orgId, { page, search }))
  const codes = bin.data?.data ?? []
  const total = bin.data?.pagination.total
  return (
    <>
      <Link to="/$orgId/codes" params={{ orgId }} className={`${buttonClass('quiet')} -ms-3 mb-1`}>
        <ArrowLeft size={16} aria-hidden className="rtl:rotate-180" />
        {text.back}
      </Link>
      <div className="mb-2 flex flex-wrap items-baseline gap-x-3">
        <h1 className="text-2xl font-semibold">{text.title}</h1>
        <p aria-live="polite" className="text-soft">
          {total === undefined ? '' : text.count(total, formatNumber(total))}
        </p>
      </div>
      <p className="mb-5 max-w-2xl text-soft">{text.text}</p>
      {(search !== '' || (total ?? 0) > 0) && (
        <input
          type="search"
          aria-label={text.search}
          placeholder={text.search}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          className={`${inputClass} mb-4 max-w-sm`}
        />
      )}
      {bin.isError && <Failure error={bin.error} onRetry={() => void bin.refetch()} />}
      {bin.isPending && (
        <div
          role="status"
          aria-label={commonWords.loading}
          className="h-72 animate-pulse rounded-card border border-line bg-surface"
        />
      )}
      {total === 0 && <EmptyState {...(search === '' ? text.empty : text.nothingFound)} />}
      {codes.length > 0 && <BinList key={page} orgId={orgId} codes={codes} mayEdit={mayEdit} />}
      {bin.data !== undefined && (
        <Pager
          page={page}
          totalPages={bin.data.pagination.totalPages}
          onGo={(next) => void navigate({ search: { page: next === 1 ? undefined : next } })}
        />
      )}
    </>
  )
}

type ListProps = { orgId: string; codes: readonly BinnedQrCode[]; mayEdit: boolean }

function BinList({ orgId, codes, mayEdit }: ListProps) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [purged, setPurged] = useState<readonly BinnedQrCode[]>()
  const chosen = codes.filter(({ id }) => selected.has(id))
  const restore = useMutation({
    mutationFn: async (which: readonly BinnedQrCode[]) => restoreCodes(orgId, which),
    onSuccess: () => setSelected(new Set()),
    onError: showProblem,
  })
  const select = (ids: readonly string[], on: boolean) => {
    const next = new Set(selected)
    for (const id of ids) {
      if (on) next.add(id)
      else next.delete(id)
    }
    setSelected(next)
  }
  return (
    <div className="rounded-card border border-line bg-surface">
      {mayEdit && (
        <BinBar
          codes={codes}
          chosen={chosen}
          busy={restore.isPending}
          onSelect={(on) =>
            select(
              codes.map(({ id }) => id),
              on,
            )
          }
          onRestore={() => restore.mutate(chosen)}
          onPurge={() => setPurged(chosen)}
        />
      )}
      <ul aria-label={text.title} className="divide-y divide-line">
        {codes.map((code) => (
          <BinRow
            key={code.id}
            code={code}
            mayEdit={mayEdit}
            isSelected={selected.has(code.id)}
            busy={restore.isPending}
            onSelect={(on) => select([code.id], on)}
            onRestore={() => restore.mutate([code])}
            onPurge={() => setPurged([code])}
          />
        ))}
      </ul>
      {purged !== undefined && (
        <PurgeDialog orgId={orgId} codes={purged} onClose={() => setPurged(undefined)} />
      )}
    </div>
  )
}

type PurgeProps = { orgId: string; codes: readonly BinnedQrCode[]; onClose: () => void }

function PurgeDialog({ orgId, codes, onClose }: PurgeProps) {
  const [first] = codes
  if (first === undefined) return null
  return (
    <ConfirmDialog
      title={text.purgeTitle(codes.length === 1 ? deletionWords.quoted(first.name) : codesText(codes.length))}
      text={text.purgeText(codes.length)}
      action={text.purge}
      onConfirm={async () => purgeCodes(orgId, codes)}
      onClose={onClose}
    />
  )
}

type BarProps = {
  codes: readonly BinnedQrCode[]
  chosen: readonly BinnedQrCode[]
  busy: boolean
  /** Selects all codes, or none. */
  onSelect: (on: boolean) => void
  onRestore: () => void
  onPurge: () => void
}

function BinBar({ codes, chosen, busy, onSelect, onRestore, onPurge }: BarProps) {
  return (
    <div className="flex min-h-14 flex-wrap items-center gap-2 border-b border-line px-3 py-2">
      <Checkbox
        label={codesWords.selectPage}
        checked={chosen.length === codes.length}
        partly={chosen.length > 0 && chosen.length < codes.length}
        onChange={() => onSelect(chosen.length < codes.length)}
      />
      {chosen.length === 0 ? (
        <span className="text-sm text-soft" aria-hidden>
          {codesWords.selectPage}
        </span>
      ) : (
        <>
          <p role="status" className="flex-1 text-sm font-medium">
            {codesText(chosen.length)}
          </p>
          <Button busy={busy} onClick={onRestore}>
            <ArchiveRestore size={18} aria-hidden />
            {text.restore}
          </Button>
          <Button look="quiet" onClick={onPurge}>
            <Trash2 size={18} aria-hidden />
            {text.purge}
          </Button>
        </>
      )}
    </div>
  )
}

type RowProps = {
  code: BinnedQrCode
  mayEdit: boolean
  isSelected: boolean
  busy: boolean
  onSelect: (on: boolean) => void
  onRestore: () => void
  onPurge: () => void
}

function BinRow({ code, mayEdit, isSelected, busy, onSelect, onRestore, onPurge }: RowProps) {
  const days = Math.ceil((Date.parse(code.restorableUntil) - Date.now()) / dayMs)
  return (
    <li className={`flex items-center gap-2 px-3 py-2.5 sm:gap-3 ${isSelected ? 'bg-raised' : ''}`}>
      {mayEdit && (
        <Checkbox
          label={codesWords.select(code.name)}
          checked={isSelected}
          onChange={(event) => onSelect(event.target.checked)}
        />
      )}
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium">{code.name}</p>
        <p className="truncate text-sm text-soft">
          {commonWords.types[code.type]} · <bdi>{withoutScheme(code.shortUrl)}</bdi>
          <span className="max-sm:hidden">
            {' · '}
            {codesWords.scans(code.totalScans, formatNumber(code.totalScans))}
          </span>
        </p>
        <p className="text-sm text-soft">
          <time dateTime={code.deletedAt} title={formatTime(code.deletedAt)}>
            {text.deletedBy(formatWhen(code.deletedAt), code.deletedBy.name)}
          </time>
          {' · '}
          <span title={formatTime(code.restorableUntil)} className={days < 3 ? 'text-danger' : ''}>
            {text.daysLeft(days)}
          </span>
        </p>
      </div>
      {mayEdit && (
        <>
          <Button aria-label={text.restoreOne(code.name)} disabled={busy} onClick={onRestore}>
            <ArchiveRestore size={18} aria-hidden />
            <span className="max-sm:hidden">{text.restore}</span>
          </Button>
          <Button look="quiet" aria-label={text.purgeOne(code.name)} className="px-2.5" onClick={onPurge}>
            <Trash2 size={18} aria-hidden />
          </Button>
        </>
      )}
    </li>
  )
}
