import type { Scan } from '@everscan/client/create-client.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { analyticsKey, scansQueryOf } from './analytics.ts'
import type { Asked } from './asked.ts'
import type { AnalyticsSearch } from './analytics-search.ts'
import { answerName, type RuleNames } from './destinations/rule-names.ts'
import { api } from '../session/api.ts'
import { formatAge, formatTime } from '../ui/format.ts'
import { deviceOf, placeOf, valueName } from './scan-words.ts'
import { analyticsWords } from '../words/analytics-words.ts'
import { Pager } from '../ui/pager.tsx'
import { Card, Failure } from '../ui/surfaces.tsx'

const text = analyticsWords.list
const perPage = 10

type Props = {
  orgId: string
  codeId: string
  search: AnalyticsSearch
  asked: Asked
  ruleNames: RuleNames
  onSearch: (changes: AnalyticsSearch) => void
}

/** Lists the single scans of a code behind the figures above, newest first. */
export function ScanList({ orgId, codeId, search, asked, ruleNames, onSearch }: Props) {
  const { page = 1, bots = false } = search
  const query = { ...scansQueryOf(search, asked), page, limit: perPage, ...(bots && { includeBots: true }) }
  const scans = useQuery({
    queryKey: [...analyticsKey({ orgId, codeId }), 'scans', query],
    queryFn: async ({ signal }) => api.scans.list(orgId, codeId, query, { signal }),
    placeholderData: keepPreviousData,
  })
  return (
    <Card
      title={text.title}
      action={
        <label className="flex min-h-10 cursor-pointer items-center gap-2 text-sm">
          <input
            type="checkbox"
            checked={bots}
            onChange={(event) => onSearch({ bots: event.target.checked || undefined })}
            className="size-4 accent-brand"
          />
          {text.bots}
        </label>
      }
    >
      {scans.isError && <Failure error={scans.error} onRetry={() => void scans.refetch()} />}
      {scans.data?.pagination.total === 0 && <p className="text-soft">{text.none}</p>}
      <ul
        aria-busy={scans.isFetching}
        className={`divide-y divide-line ${scans.isPlaceholderData ? 'opacity-60' : ''}`}
      >
        {scans.data?.data.map((scan) => (
          <ScanRow key={scan.id} scan={scan} ruleNames={ruleNames} />
        ))}
        {scans.isPending &&
          Array.from({ length: perPage }, (_row, at) => (
            <li key={at} className="flex h-16 animate-pulse items-center">
              <div className="h-4 w-56 rounded bg-raised" />
            </li>
          ))}
      </ul>
      <Pager
        page={page}
        totalPages={scans.data?.pagination.totalPages ?? 0}
        onGo={(next) => onSearch({ page: next === 1 ? undefined : next })}
      />
    </Card>
  )
}

function ScanRow({ scan, ruleNames }: { scan: Scan; ruleNames: RuleNames }) {
  const answer = answerName(scan, ruleNames)
  const { timestamp, referrer, isBot, botReason, isUnique } = scan
  return (
    <li className="grid min-h-16 grid-cols-[1fr_auto] content-center gap-x-4 py-2 text-sm sm:grid-cols-[1fr_1fr_1fr_8rem]">
      <p className="truncate font-medium">{placeOf(scan)}</p>
      <time
        dateTime={timestamp}
        title={formatTime(timestamp)}
        className="text-end text-soft sm:order-last sm:self-center"
      >
        {formatAge(timestamp)}
      </time>
      <p className="truncate text-soft">{deviceOf(scan)}</p>
      <p className="truncate text-end text-soft sm:text-start">
        {isBot ? text.bot(botReason ?? '') : isUnique ? text.first : text.again}
        {answer !== undefined && ` · ${answer}`}
        {referrer !== '' && ` · ${valueName('referrer', referrer)}`}
      </p>
    </li>
  )
}
