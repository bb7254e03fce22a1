import { EverscanError, type TypedQrCode } from '@everscan/client/create-client.ts'
import type { UpdateStyle } from '@everscan/contract/resources/styles.ts'
import { keysOf } from '@everscan/contract/schema/records.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { historyQuery } from '../codes/codes.ts'
import { formatWhen } from '../ui/format.ts'
import { problemText } from '../ui/problems.ts'
import { editorWords } from '../words/editor-words.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Notice } from '../ui/surfaces.tsx'
import { actorName } from './history-card.tsx'
import { commonWords } from '../words/common-words.ts'

const text = editorWords

/** Asks which version to keep after another user saved first: theirs, or this one over it. */
export function OvertakenDialog({
  orgId,
  code,
  onTheirs,
  onMine,
  onClose,
}: {
  orgId: string
  code: TypedQrCode
  onTheirs: () => Promise<unknown>
  onMine: () => Promise<unknown>
  onClose: () => void
}) {
  const history = useQuery({ ...historyQuery(orgId, code.id), staleTime: 0 })
  const [newest] = history.data?.data ?? []
  const choose = useMutation({ mutationFn: async (run: () => Promise<unknown>) => run(), onSuccess: onClose })
  return (
    <Dialog
      title={text.overtaken.title}
      text={
        newest === undefined
          ? text.overtaken.somebody
          : text.overtaken.text(actorName(newest.changedBy), formatWhen(newest.changedAt))
      }
      onClose={onClose}
    >
      {choose.isError && <Notice kind="problem">{problemText(choose.error)}</Notice>}
      <p className="mb-4 text-sm text-soft">{text.overtaken.mineText}</p>
      <div className="flex flex-wrap justify-end gap-2">
        <Button busy={choose.isPending} onClick={() => choose.mutate(onTheirs)}>
          {text.overtaken.theirs}
        </Button>
        <Button look="primary" busy={choose.isPending} onClick={() => choose.mutate(onMine)}>
          {text.overtaken.mine}
        </Button>
      </div>
    </Dialog>
  )
}

/** Asks before the user leaves with unsaved changes. */
export function LeaveDialog({ onLeave, onStay }: { onLeave: () => void; onStay: () => void }) {
  return (
    <Dialog title={text.leave.title} text={text.leave.text} onClose={onStay}>
      <div className="flex flex-wrap justify-end gap-2">
        <Button look="danger" onClick={onLeave}>
          {text.leave.leave}
        </Button>
        <Button look="primary" onClick={onStay}>
          {text.leave.stay}
        </Button>
      </div>
    </Dialog>
  )
}

/** Returns the change that would make a refused picture readable for the service. */
export function suggestionOf(error: unknown): UpdateStyle | undefined {
  if (!(error instanceof EverscanError) || error.code !== 'STYLE_NOT_SCANNABLE') return undefined
  return error.details.find(({ suggestion }) => suggestion !== undefined)?.suggestion
}

/** Shows that no reader could read a style, and offers the nearest one that works. */
export function RefusedStyle({
  suggestion,
  busy,
  onApply,
}: {
  suggestion: UpdateStyle
  busy: boolean
  onApply: () => void
}) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // In braces, because newer browsers return a promise, which is no cleanup function for the
    // effect.
    place.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <div ref={place} role="alert" className="grid gap-2 rounded-control border border-danger p-3 text-sm">
      <p className="font-medium text-danger">{text.refused.title}</p>
      <p>{text.refused.text}</p>
      <ul className="grid gap-1">
        {keysOf(suggestion).map((field) => (
          <li key={field} className="flex flex-wrap items-center gap-x-2">
            <span className="text-soft">
              {text.refused.fields[field] ?? field}
              {commonWords.colon}
            </span>{' '}
            <Suggested value={suggestion[field]} />
          </li>
        ))}
      </ul>
      <div>
        <Button look="primary" busy={busy} onClick={onApply}>
          {text.refused.apply}
        </Button>
      </div>
    </div>
  )
}

function Suggested({ value }: { value: UpdateStyle[keyof UpdateStyle] }) {
  if (value === null || value === undefined) return <span>{text.refused.removed}</span>
  if (typeof value === 'object') {
    if ('colors' in value) return value.colors.map((color) => <Color key={color} color={color} />)
    if ('scale' in value && value.scale !== undefined)
      return <span>{text.refused.logoScale(String(Math.round(value.scale * 100)))}</span>
    return <span>{text.refused.adjusted}</span>
  }
  return typeof value === 'string' && value.startsWith('#') ? (
    <Color color={value} />
  ) : (
    <span>{String(value)}</span>
  )
}

function Color({ color }: { color: string }) {
  return (
    <span className="flex items-center gap-1 font-mono">
      <span
        aria-hidden
        style={{ backgroundColor: color }}
        className="inline-block size-4 rounded border border-line"
      />
      {color}
    </span>
  )
}
