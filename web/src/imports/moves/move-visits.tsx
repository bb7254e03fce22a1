import type { Move } from '@everscan/client/create-client.ts'
import type { MoveSource } from '@everscan/contract/moves/move-sources.ts'
import { visitFields } from '@everscan/contract/moves/moved-visits.ts'
import { Fragment, useRef } from 'react'
import { Button } from '../../ui/button.tsx'
import { formatNumber } from '../../ui/format.ts'
import { movesWords } from '../../words/moves-words.ts'
import { sayProblem } from '../../words/problems/say-problem.ts'

const text = movesWords.visits

/** Products that keep each visit; of others nobody knows. */
const withVisits: readonly MoveSource[] = ['shlink', 'yourls', 'csv']

type Props = { source: MoveSource; file: File | undefined; onChoose: (file: File | undefined) => void }

/** Takes the file of visits, which a move needs not have. */
export function ChooseVisits({ source, file, onChoose }: Props) {
  const input = useRef<HTMLInputElement>(null)
  if (!withVisits.includes(source)) return null
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div>
        <h3 className="font-medium">{text.title}</h3>
        <p className="text-sm text-soft">{text.hint}</p>
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <input
          ref={input}
          type="file"
          hidden
          aria-label={text.choose}
          accept=".csv,.tsv,.txt,.json,text/csv,application/json"
          onChange={(event) => {
            const [chosen] = event.target.files ?? []
            // Lets the user choose the same file again after fixing it.
            event.target.value = ''
            if (chosen !== undefined) onChoose(chosen)
          }}
        />
        <Button onClick={() => input.current?.click()}>{text.choose}</Button>
        {file !== undefined && (
          <>
            <bdi className="min-w-0 font-medium break-all">{file.name}</bdi>
            <Button look="quiet" onClick={() => onChoose(undefined)}>
              {text.remove}
            </Button>
          </>
        )}
      </div>
    </section>
  )
}

/** Says what became of the visits of a move, and which of them cannot be read. */
export function VisitsOutcome({ move }: { move: Move }) {
  const { totalVisits, movedScans, movedBots, skippedVisits, dryRun, visitProblems } = move
  if (totalVisits === 0) return null
  const said = [
    (dryRun ? text.can : text.came)(movedScans, formatNumber(movedScans)),
    movedBots > 0 && text.bots(movedBots, formatNumber(movedBots)),
    skippedVisits > 0 && (dryRun ? text.skippedCheck : text.skipped)(formatNumber(skippedVisits)),
  ]
  return (
    <>
      <p>{said.filter((one) => one !== false).join(' · ')}</p>
      {dryRun && <VisitColumns move={move} />}
      {visitProblems.length > 0 && (
        <section className="grid grid-cols-[minmax(0,1fr)] gap-3">
          <h3 className="font-medium">{text.unreadable}</h3>
          <ul
            aria-label={text.unreadable}
            // A list that scrolls is reachable by keyboard.
            tabIndex={0}
            className="max-h-80 divide-y divide-line overflow-y-auto rounded-control border border-line text-sm"
          >
            {visitProblems.map((visit) => (
              <li
                key={visit.line}
                className="grid gap-x-4 gap-y-0.5 px-4 py-3 sm:grid-cols-[7rem_minmax(0,1fr)]"
              >
                <span className="text-soft tabular-nums">
                  {movesWords.problems.line(formatNumber(visit.line))}
                </span>
                <span className="min-w-0 break-words text-danger">{sayProblem(visit)}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

/** Shows which column of the file of visits has each field: a wrong one makes wrong scans. */
function VisitColumns({ move: { visitColumns } }: { move: Move }) {
  if (visitColumns === null) return null
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <h3 className="font-medium">{text.columns}</h3>
      <dl
        aria-label={text.columns}
        className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)] gap-x-4 gap-y-1 text-sm"
      >
        {visitFields.map((field) => {
          const [first, second] = visitColumns[field]
          return (
            <Fragment key={field}>
              <dt className="break-words text-soft">{text.fields[field]}</dt>
              <dd className="min-w-0 break-words">
                {first === undefined ? (
                  <span className="text-soft">{movesWords.columns.none}</span>
                ) : (
                  <bdi>{second === undefined ? first : movesWords.columns.both(first, second)}</bdi>
                )}
              </dd>
            </Fragment>
          )
        })}
      </dl>
    </section>
  )
}

/** Whether all links of a move are done, and its visits are not. */
export function isAtVisitsOf({ totalRows, processedRows, totalVisits }: Move): boolean {
  return totalVisits > 0 && processedRows === totalRows
}
