import type { QrCode } from '@everscan/contract/resources/qr-codes.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { ChevronDown, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatNumber } from '../ui/format.ts'
import type { Selection } from '../ui/selection.ts'
import { bulkWords, codesWords } from '../words/codes-words.ts'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { ActionItems, actionsFor, codeActions, type CodeAction } from './code-actions.tsx'
import { Menu } from '../ui/menu.tsx'
import { SelectionAnalyticsButton } from './analytics-links.tsx'

const text = bulkWords
/** Actions shown beside each other where there is room. The others are in the menu. */
const first: readonly CodeAction[] = ['move', 'tags', 'table', 'download']

type Props = {
  orgId: string
  selection: Selection
  /** Codes of the page. */
  shown: readonly QrCode[]
  /** Number of matching codes on all pages. */
  total: number
  mayEdit: boolean
  onAct: (action: CodeAction, codes: readonly QrCode[]) => void
  /** Selects the matching codes on all pages, as far as there is room. */
  onSelectAll: () => void
  busy: boolean
}

/**
 * Shows the head of the list: selects its page and offers actions on the selected codes. Its height
 * is the same with and without a selection.
 */
export function SelectionBar({ orgId, selection, shown, total, mayEdit, onAct, onSelectAll, busy }: Props) {
  const codes = [...selection.codes.values()]
  const here = shown.filter(({ id }) => selection.codes.has(id)).length
  const isWhole = here > 0 && here === shown.length
  const actions = actionsFor(codes, mayEdit)
  return (
    <div
      role="group"
      aria-label={text.bar}
      className="sticky top-(--head) z-[5] flex min-h-14 items-center gap-1 rounded-t-card border border-line bg-surface px-2 sm:gap-2 sm:px-3"
    >
      <Checkbox
        label={codesWords.selectPage}
        checked={isWhole}
        partly={here > 0 && !isWhole}
        onChange={() => selection.set(shown, !isWhole)}
      />
      {codes.length === 0 ? (
        <span className="text-sm text-soft" aria-hidden>
          {codesWords.selectPage}
        </span>
      ) : (
        <>
          <SelectedCount selected={codes.length} here={here}>
            {isWhole && codes.length < Math.min(total, limits.batchMax) && (
              <button
                type="button"
                disabled={busy}
                onClick={onSelectAll}
                className="cursor-pointer text-start text-brand underline underline-offset-2"
              >
                {total <= limits.batchMax
                  ? text.selectAll(formatNumber(total))
                  : text.selectMost(formatNumber(limits.batchMax))}
              </button>
            )}
          </SelectedCount>
          <SelectionAnalyticsButton orgId={orgId} codes={codes} />
          <BarActions actions={actions} onAct={(action) => onAct(action, codes)} />
          <Button look="quiet" aria-label={text.clear} onClick={selection.clear} className="px-2.5">
            <X size={18} aria-hidden />
          </Button>
        </>
      )}
    </div>
  )
}

type ActionsProps = { actions: readonly CodeAction[]; onAct: (action: CodeAction) => void }

/** Offers the first actions beside each other where there is room, and all in a menu where not. */
function BarActions({ actions, onAct }: ActionsProps) {
  const rest = actions.filter((action) => !first.includes(action))
  return (
    <>
      <div className="hidden gap-1 xl:flex">
        {actions
          .filter((action) => first.includes(action))
          .map((action) => {
            const { icon: Icon } = codeActions[action]
            return (
              <Button key={action} look="quiet" onClick={() => onAct(action)}>
                <Icon size={18} aria-hidden />
                {text.names[action]}
              </Button>
            )
          })}
        {rest.length > 0 && (
          <Menu trigger={<MenuButton name={text.more} />}>
            <ActionItems actions={rest} onAct={onAct} />
          </Menu>
        )}
      </div>
      <div className="xl:hidden">
        <Menu trigger={<MenuButton name={text.actions} />}>
          <ActionItems actions={actions} onAct={onAct} />
        </Menu>
      </div>
    </>
  )
}

type CountProps = { selected: number; here: number; children: ReactNode }

/** Tells how many codes are selected, here and on other pages. */
function SelectedCount({ selected, here, children }: CountProps) {
  const elsewhere = selected - here
  return (
    <p
      role="status"
      className="flex min-w-0 flex-1 flex-wrap gap-x-2.5 text-sm leading-tight max-sm:flex-col"
    >
      <span className="font-medium">{text.selected(formatNumber(selected))}</span>
      {elsewhere > 0 && <span className="text-soft">{text.elsewhere(formatNumber(elsewhere))}</span>}
      {children}
    </p>
  )
}

/** Passes on the props that a menu gives its trigger. */
function MenuButton({ name, ...props }: { name: string }) {
  return (
    <Button {...props}>
      {name}
      <ChevronDown size={16} aria-hidden />
    </Button>
  )
}
