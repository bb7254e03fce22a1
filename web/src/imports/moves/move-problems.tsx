import type { Move } from '@everscan/client/create-client.ts'
import { useState } from 'react'
import { api } from '../../session/api.ts'
import { Button } from '../../ui/button.tsx'
import { formatNumber } from '../../ui/format.ts'
import { movesWords } from '../../words/moves-words.ts'
import { SaveErrors } from '../save-errors.tsx'
import { sayProblems, type ToldTogether } from '../../words/problems/say-problems.ts'

const text = movesWords.problems
/** Links that are shown at once, and that each press adds. */
const step = 10

/** Lists the links that cannot come with the reasons, and saves all of them. */
export function MoveProblems({ orgId, move }: { orgId: string; move: Move }) {
  const [shownMax, setShownMax] = useState(step)
  const { errors, errorCount } = move
  if (errorCount === 0) return <Warnings move={move} />
  const shown = errors.slice(0, shownMax)
  const left = errors.length - shown.length
  const beyond = errorCount - errors.length
  const title = move.dryRun ? text.title : text.titleAfter
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <h3 className="font-medium">{title}</h3>
      <ul aria-label={title} className="divide-y divide-line rounded-control border border-line text-sm">
        {shown.map(({ error, ...link }) => (
          <li key={link.row} className="grid gap-x-4 gap-y-0.5 px-4 py-3 sm:grid-cols-[7rem_minmax(0,1fr)]">
            <span className="text-soft tabular-nums">{text.line(formatNumber(link.line))}</span>
            <span className="min-w-0">
              <bdi className="block truncate font-medium">{codeOf(move, link.values)}</bdi>
              <span className="block break-words text-danger">
                {linkProblems({ ...link, message: error })}
              </span>
            </span>
          </li>
        ))}
      </ul>
      {left === 0 && beyond > 0 && <p className="text-sm text-soft">{text.beyond(formatNumber(beyond))}</p>}
      <div className="flex flex-wrap gap-3">
        {left > 0 && (
          <Button onClick={() => setShownMax(shownMax + step)}>
            {text.more(formatNumber(Math.min(step, left)))}
          </Button>
        )}
        <SaveErrors
          id={move.id}
          label={text.download}
          read={async () => api.moves.errorsCsv(orgId, move.id)}
        />
      </div>
      <Warnings move={move} />
    </section>
  )
}

/** Lists links that come although their destinations give no page. */
function Warnings({ move }: { move: Move }) {
  const { warnings, warningCount } = move
  if (warningCount === 0) return null
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div>
        <h3 className="font-medium">
          {text.warnings} ({formatNumber(warningCount)})
        </h3>
        <p className="text-sm text-soft">{text.warningsText}</p>
      </div>
      <ul
        aria-label={text.warnings}
        // A list that scrolls is reachable by keyboard.
        tabIndex={0}
        className="max-h-80 divide-y divide-line overflow-y-auto rounded-control border border-line text-sm"
      >
        {warnings.map(({ error, ...link }) => (
          <li key={link.row} className="grid gap-x-4 gap-y-0.5 px-4 py-3 sm:grid-cols-[7rem_minmax(0,1fr)]">
            <span className="text-soft tabular-nums">{text.line(formatNumber(link.line))}</span>
            <span className="min-w-0">
              <bdi className="block truncate font-medium">{codeOf(move, link.values)}</bdi>
              <span className="block truncate text-soft">{link.values?.[link.column ?? ''] ?? ''}</span>
              <span className="block break-words text-warning">
                {sayProblems({ ...link, message: error }, () => '')}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Returns the short code, or the short URL, that the row of a link has. */
function codeOf({ mapping }: Move, values: Readonly<Record<string, string>> | null): string {
  const cells = mapping.shortCode.map((name) => values?.[name] ?? '')
  return cells.find((cell) => cell.trim() !== '') ?? ''
}

/** Names fields in problems as this page does: `shortCode` is "Short code". */
export function linkProblems(told: ToldTogether): string {
  return sayProblems(told, (path) => fieldNames[path] ?? path)
}

const fieldNames: Readonly<Record<string, string>> = movesWords.fields
