import type { QrCode } from '@everscan/contract/resources/qr-codes.ts'
import { Link } from '@tanstack/react-router'
import { Copy, Ellipsis } from 'lucide-react'
import type { KeyboardEvent, LiHTMLAttributes, ReactNode } from 'react'
import { copyText } from '../ui/clipboard.ts'
import { formatAge, formatNumber, formatTime } from '../ui/format.ts'
import { showProblem } from '../ui/problems.ts'
import { showToast } from '../ui/toasts.ts'
import { accessWords } from '../words/access-words.ts'
import { bulkWords, codesWords } from '../words/codes-words.ts'
import { commonWords } from '../words/common-words.ts'
import { iconButtonClass } from '../ui/button.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { ActionItems, type CodeAction } from './code-actions.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Lead } from './lead.tsx'
import { Menu, MenuItem } from '../ui/menu.tsx'

const text = codesWords

/** A code in the list, with the actions on it. */
type ItemProps = {
  orgId: string
  code: QrCode
  isSelected: boolean
  onSelect: (how: { range: boolean; on: boolean }) => void
  actions: readonly CodeAction[]
  onAct: (action: CodeAction) => void
  /** Present if the code can be dragged to a folder. */
  drag?: LiHTMLAttributes<HTMLLIElement> | undefined
}

/** Shows a code as a row. */
export function CodeRow({ orgId, code, drag, ...item }: ItemProps) {
  return (
    <li
      {...drag}
      className={`flex items-center gap-2 py-2.5 ps-2 pe-1 last:rounded-b-card sm:gap-3 sm:px-3 ${item.isSelected ? 'bg-raised' : ''}`}
    >
      <Tick code={code} {...item} />
      <Picture code={code} className="size-12 rounded-control border border-line" />
      <div className="min-w-0 flex-1">
        <CodeName orgId={orgId} code={code} />
        <p className="flex text-sm text-soft">
          <span className="shrink-0 whitespace-pre">
            {code.state !== 'LIVE' && `${accessWords.states[code.state]} · `}
            <span className="max-sm:sr-only">{`${commonWords.types[code.type]} → `}</span>
          </span>
          <Lead code={code} />
          <RulesMark code={code} />
        </p>
        <p className="truncate text-sm text-soft">
          <bdi className="sm:hidden">{code.shortCode}</bdi>
          <bdi className="max-sm:hidden">{code.shortUrl.replace(/^https?:\/\//, '')}</bdi>
          <span className="sm:hidden"> · {text.scans(code.totalScans, formatNumber(code.totalScans))}</span>
          {code.domainId !== null && <bdi className="sm:hidden"> · {new URL(code.shortUrl).hostname}</bdi>}
          {code.tags.length > 0 && <span className="max-sm:hidden"> · {code.tags.join(', ')}</span>}
        </p>
      </div>
      <time
        dateTime={code.updatedAt}
        title={formatTime(code.updatedAt)}
        className="hidden text-sm whitespace-nowrap text-soft md:block"
      >
        {formatAge(code.updatedAt)}
      </time>
      <Link
        to="/$orgId/codes/$codeId/analytics"
        params={{ orgId, codeId: code.id }}
        aria-label={text.analyticsOf(code.name, code.totalScans, formatNumber(code.totalScans))}
        className="hidden w-20 rounded-control px-1 text-end tabular-nums hover:bg-raised sm:block"
      >
        <span className="block font-medium">{formatNumber(code.totalScans)}</span>{' '}
        <span className="block text-xs text-soft">{text.scansUnit(code.totalScans)}</span>
      </Link>
      <div className="hidden sm:block">
        <CopyButton text={code.shortUrl} label={text.copyLink(code.name)} />
      </div>
      <CodeMenu code={code} {...item} />
    </li>
  )
}

/** Says that a code leads some visitors elsewhere. */
function RulesMark({ code: { rules } }: Pick<ItemProps, 'code'>) {
  return rules.length === 0 ? null : (
    <span className="ms-2 shrink-0 rounded-full border border-line px-2 text-xs leading-5 whitespace-nowrap">
      {text.rules(rules.length)}
    </span>
  )
}

/** Shows a code as a card with a large picture. */
export function CodeCard({ orgId, code, drag, ...item }: ItemProps) {
  return (
    <li
      {...drag}
      className={`min-w-0 overflow-hidden rounded-control border bg-surface ${item.isSelected ? 'border-brand' : 'border-line'}`}
    >
      <div className="flex items-center justify-between">
        <Tick code={code} {...item} />
        <CodeMenu code={code} {...item} />
      </div>
      <Picture code={code} className="aspect-square w-full border-y border-line" />
      <div className="px-3 py-2">
        <CodeName orgId={orgId} code={code} />
        <p className="flex text-sm text-soft">
          <Lead code={code} />
          <RulesMark code={code} />
        </p>
        <p className="truncate text-sm text-soft">
          {text.scans(code.totalScans, formatNumber(code.totalScans))}
          {code.state !== 'LIVE' && ` · ${accessWords.states[code.state]}`}
        </p>
      </div>
    </li>
  )
}

function CodeName({ orgId, code }: { orgId: string; code: QrCode }) {
  return (
    <p className="truncate font-medium">
      <Link
        to="/$orgId/codes/$codeId"
        params={{ orgId, codeId: code.id }}
        className="-my-2 inline-block max-w-full truncate py-2 align-bottom hover:underline"
      >
        {code.name}
      </Link>
    </p>
  )
}

/**
 * Shows the picture of a code. White in both themes, like the paper that the code will be printed
 * on.
 */
function Picture({ code, className }: { code: QrCode; className: string }) {
  return (
    <img
      src={`${new URL(code.imageUrl).pathname}?format=svg&disposition=inline`}
      alt=""
      width="48"
      height="48"
      loading="lazy"
      className={`shrink-0 bg-white object-contain ${className} ${code.status === 'ARCHIVED' ? 'opacity-50' : ''}`}
    />
  )
}

function Tick({ code, isSelected, onSelect }: Pick<ItemProps, 'code' | 'isSelected' | 'onSelect'>) {
  return (
    <Checkbox
      label={text.select(code.name)}
      data-row=""
      checked={isSelected}
      onChange={(event) => onSelect({ range: withShift(event.nativeEvent), on: event.target.checked })}
    />
  )
}

const withShift = (event: Event) => 'shiftKey' in event && event.shiftKey === true

function CodeMenu({ code, actions, onAct }: Pick<ItemProps, 'code' | 'actions' | 'onAct'>): ReactNode {
  const copy = async () => {
    try {
      await copyText(code.shortUrl)
      showToast({ text: bulkWords.linkCopied, kind: 'good' })
    } catch (error) {
      showProblem(error)
    }
  }
  return (
    <Menu
      trigger={
        <button type="button" aria-label={text.menu(code.name)} className={iconButtonClass}>
          <Ellipsis size={18} aria-hidden />
        </button>
      }
    >
      <MenuItem onSelect={() => void copy()}>
        <Copy size={18} aria-hidden />
        {bulkWords.copyLink}
      </MenuItem>
      <ActionItems actions={actions} onAct={onAct} />
    </Menu>
  )
}

/**
 * Moves the focus between checkboxes with the arrow keys. With Shift, the next checkbox takes the
 * state of the current one.
 */
export function moveBetweenRows(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  const from = event.target
  if (step === undefined || !(from instanceof HTMLInputElement) || !('row' in from.dataset)) return
  const ticks = [...event.currentTarget.querySelectorAll<HTMLInputElement>('input[data-row]')]
  const to = ticks[ticks.indexOf(from) + step]
  if (to === undefined) return
  event.preventDefault()
  to.focus()
  if (event.shiftKey && to.checked !== from.checked) to.click()
}
