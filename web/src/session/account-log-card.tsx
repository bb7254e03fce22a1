import type { AccountEntry } from '@everscan/client/create-client.ts'
import { accountActionKinds, type AccountAction } from '@everscan/contract/resources/account-log.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Button } from '../ui/button.tsx'
import { formatAge, formatTime } from '../ui/format.ts'
import { Card, Failure } from '../ui/surfaces.tsx'
import { accountLogWords } from '../words/account-words.ts'
import { commonWords } from '../words/common-words.ts'
import { api, queries } from './api.ts'
import { programOf } from './programs.ts'

const text = accountLogWords
const queryKey = ['account-log'] as const
const perPage = 10

/** Reads the activity again, after a change that it records. */
export const refreshAccountLog = async () => queries.invalidateQueries({ queryKey })

/** Shows the owner what happened to the account, and what to do about it. */
export function AccountLogCard({ onChangePassword }: { onChangePassword: () => void }) {
  const log = useInfiniteQuery({
    queryKey,
    queryFn: async ({ pageParam, signal }) =>
      api.me.accountLog({ page: pageParam, limit: perPage }, { signal }),
    initialPageParam: 1,
    getNextPageParam: ({ pagination }) => (pagination.hasNext ? pagination.page + 1 : undefined),
  })
  // An entry that was added meanwhile moves another one onto the next page.
  const entries = [
    ...new Map(log.data?.pages.flatMap(({ data }) => data.map((entry) => [entry.id, entry]))).values(),
  ]
  return (
    <Card title={text.title}>
      <p className="text-soft">{text.text}</p>
      <p className="mt-3 mb-4 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-control bg-raised px-4 py-3">
        <span className="min-w-0 flex-1 basis-64">{text.advice}</span>
        <Button onClick={onChangePassword}>{text.toPassword}</Button>
      </p>
      {log.isError && <Failure error={log.error} onRetry={() => void log.refetch()} />}
      {log.isPending && <Skeleton />}
      {log.isSuccess && entries.length === 0 && <p className="py-6 text-center text-soft">{text.none}</p>}
      <ul aria-label={text.title} className="divide-y divide-line">
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </ul>
      {log.hasNextPage && (
        <Button className="mt-3" busy={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
          {text.more}
        </Button>
      )}
    </Card>
  )
}

function Entry({ entry }: { entry: AccountEntry }) {
  const { action, actor, network, userAgent, lastAt, createdAt, times } = entry
  const isFailure = kindOf(action) === 'attempt'
  const program = programOf(userAgent)
  const details = [
    // The sentence of a failure names the network, and that of a sign-in the program.
    isFailure || network === null ? undefined : network,
    isSignIn(action) ? undefined : program,
    actor === null ? undefined : text.by(actor.kind === 'system' ? text.operator : actor.name),
  ].filter((part) => part !== undefined)
  const when = times > 1 ? text.period(formatTime(createdAt), formatTime(lastAt)) : formatTime(lastAt)
  return (
    <li className="py-3">
      <p className={`break-words ${isFailure ? 'text-danger' : 'font-medium'}`}>{sentenceOf(entry)}</p>
      <p className="text-sm break-words text-soft">
        <time dateTime={lastAt} title={when}>
          {formatAge(lastAt)}
        </time>
        {details.map((part) => ` · ${part}`).join('')}
      </p>
    </li>
  )
}

function sentenceOf({ action, times, network, userAgent }: AccountEntry): string {
  // A newer service may report actions that this page does not know yet.
  if (!isKnown(action)) return action
  const sentence = text.actions[action]
  return typeof sentence === 'string'
    ? sentence
    : sentence({
        times,
        from: network ?? text.manyNetworks,
        program: programOf(userAgent) ?? text.someProgram,
      })
}

function isKnown(action: string): action is AccountAction {
  return action in accountActionKinds
}

function kindOf(action: string) {
  return isKnown(action) ? accountActionKinds[action] : undefined
}

const isSignIn = (action: string) => kindOf(action) === 'signIn'

/** Reserves the height of the rows, so the page does not shift. */
function Skeleton() {
  return (
    <div role="status" aria-label={commonWords.loading} className="divide-y divide-line">
      {Array.from({ length: 4 }, (_, at) => (
        <div key={at} className="flex h-[4.25rem] animate-pulse items-center">
          <div className="h-4 w-48 rounded bg-raised" />
        </div>
      ))}
    </div>
  )
}
