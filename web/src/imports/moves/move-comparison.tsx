import {
  EverscanError,
  type ComparedLink,
  type Comparison,
  type Move,
} from '@everscan/client/create-client.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { api, queries } from '../../session/api.ts'
import { useMay } from '../../session/roles.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { formatNumber } from '../../ui/format.ts'
import { fieldProblem } from '../../ui/problems.ts'
import { Card, FormProblem, Notice } from '../../ui/surfaces.tsx'
import { movesWords } from '../../words/moves-words.ts'
import { sayProblem } from '../../words/problems/say-problem.ts'
import { sayProblems } from '../../words/problems/say-problems.ts'

const text = movesWords.compare
const askedEveryMs = 1_000

/** Compares random links of a move with the old service, and lists those that differ. */
export function MoveComparison({ orgId, move }: { orgId: string; move: Move }) {
  const { id, successCount } = move
  const mayEdit = useMay(orgId, 'EDITOR')
  const [baseUrl, setBaseUrl] = useState('')
  const queryKey = ['moves', orgId, 'comparison', id]
  const comparison = useQuery({
    queryKey,
    queryFn: async ({ signal }) => readLast(orgId, id, signal),
    refetchInterval: ({ state }) => (state.data?.completedAt === null ? askedEveryMs : false),
  })
  const start = useMutation({
    mutationFn: async () =>
      api.moves.compare(orgId, id, baseUrl.trim() === '' ? {} : { baseUrl: baseUrl.trim() }),
    onSuccess: (started) => queries.setQueryData(queryKey, started),
  })
  const last = comparison.data ?? undefined
  const isRunning = last?.completedAt === null
  const { comparedLinksMax } = limits
  const links =
    successCount > comparedLinksMax
      ? text.sample(formatNumber(comparedLinksMax))
      : text.all(successCount, formatNumber(successCount))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    start.mutate()
  }
  return (
    <Card title={text.title}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <p className="text-soft">{text.text(links)}</p>
        {last !== undefined && <Result comparison={last} />}
        {mayEdit && !isRunning && (
          <form onSubmit={submit} noValidate className="grid grid-cols-[minmax(0,1fr)] gap-4">
            <FormProblem error={start.error} fields={['baseUrl']} />
            <Field
              label={text.baseUrl}
              hint={text.baseUrlHint}
              inputMode="url"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              value={baseUrl}
              problem={fieldProblem(start.error, 'baseUrl')}
              onChange={(event) => setBaseUrl(event.target.value)}
            />
            <div>
              <Button type="submit" busy={start.isPending}>
                {last === undefined ? text.start : text.again}
              </Button>
            </div>
          </form>
        )}
      </div>
    </Card>
  )
}

/** Returns the last comparison, or null if there was none. */
async function readLast(orgId: string, id: string, signal: AbortSignal): Promise<Comparison | null> {
  try {
    return await api.moves.readComparison(orgId, id, { signal })
  } catch (error) {
    if (error instanceof EverscanError && error.code === 'NOT_FOUND') return null
    throw error
  }
}

function Result({ comparison }: { comparison: Comparison }) {
  const { status, comparedLinks, totalLinks, sameCount, differences, failureReason } = comparison
  const of = formatNumber(totalLinks)
  if (status === 'PENDING' || status === 'PROCESSING')
    return (
      <div>
        <progress
          aria-label={text.progress}
          max={totalLinks}
          value={comparedLinks}
          className="h-2.5 w-full accent-brand"
        />
        <p role="status" className="mt-1 text-sm text-soft">
          {text.running(formatNumber(comparedLinks), of)}
        </p>
      </div>
    )
  const isSame = sameCount === totalLinks
  return (
    <>
      <Notice kind={isSame ? 'good' : 'problem'}>
        {status === 'FAILED'
          ? `${text.failed} ${sayProblem({ ...comparison, message: failureReason ?? '' })}`
          : isSame
            ? text.allSame(totalLinks, of)
            : text.different(formatNumber(differences.length), of)}
      </Notice>
      {status === 'COMPLETED' && differences.length > 0 && (
        <ul
          aria-label={text.list}
          className="max-h-96 divide-y divide-line overflow-y-auto rounded-control border border-line"
          // A list that scrolls is reachable by keyboard.
          tabIndex={0}
        >
          {differences.map((link) => (
            <li key={link.shortCode} className="px-4 py-3 text-sm">
              <Difference link={link} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function Difference({ link }: { link: ComparedLink }) {
  const { url, oldStatus, oldLocation, location, problem } = link
  const answered =
    problem === null ? text.status(String(oldStatus)) : sayProblems({ ...link, message: problem })
  const there = oldLocation ?? answered
  return (
    <>
      <p className="font-medium break-all">
        <bdi>{url}</bdi>
      </p>
      <dl className="mt-1 grid gap-x-4 text-soft sm:grid-cols-[auto_minmax(0,1fr)]">
        <dt>{text.there}</dt>
        <dd className="break-all">{there}</dd>
        <dt className="max-sm:mt-1">{text.here}</dt>
        <dd className="break-all">{location ?? text.noRedirect}</dd>
      </dl>
    </>
  )
}
