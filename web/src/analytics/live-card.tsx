import type { Scan } from '@everscan/client/create-client.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { AnalyticsScope } from './analytics.ts'
import { answerName, type RuleNames } from './destinations/rule-names.ts'
import { codeQuery } from '../codes/codes.ts'
import { formatAge, formatTime } from '../ui/format.ts'
import type { LiveState } from './live-scans.ts'
import { deviceOf, placeOf } from './scan-words.ts'
import { analyticsWords } from '../words/analytics-words.ts'
import { Card } from '../ui/surfaces.tsx'

const text = analyticsWords.live
const tickMs = 1_000

type Props = {
  scope: AnalyticsScope
  scans: readonly Scan[]
  state: LiveState
  ruleNames: RuleNames
  /** Whether the figures beside it are of fewer scans than these. */
  isNarrowed: boolean
}

/** Lists the last scans since the page was opened, newest first. */
export function LiveCard({ scope, scans, state, ruleNames, isNarrowed }: Props) {
  const nowMs = useNow(scans.length > 0)
  return (
    <Card title={text.title}>
      <p role="status" className="-mt-3 mb-2 flex items-center gap-2 text-sm text-soft">
        <span
          aria-hidden
          className={`size-2 shrink-0 rounded-full border ${state === 'open' ? 'border-brand bg-brand' : 'border-soft'}`}
        />
        {text.states[state]}
      </p>
      {isNarrowed && <p className="mb-2 text-sm text-soft">{text.everything}</p>}
      <ol className="h-52 divide-y divide-line overflow-hidden sm:h-80">
        {scans.length === 0 && <li className="py-3 text-soft">{text.waiting}</li>}
        {scans.map((scan) => (
          <li key={scan.id} className="py-2 text-sm">
            <p className="flex items-baseline gap-2">
              <span className="min-w-0 flex-1 truncate font-medium">
                {scope.codeId === undefined ? (
                  <CodeName orgId={scope.orgId} codeId={scan.qrCodeId} />
                ) : (
                  placeOf(scan)
                )}
              </span>
              <time dateTime={scan.timestamp} title={formatTime(scan.timestamp)} className="text-soft">
                {formatAge(scan.timestamp, Math.max(nowMs, Date.parse(scan.timestamp)))}
              </time>
            </p>
            <p className="truncate text-soft">
              {scope.codeId === undefined && `${placeOf(scan)} · `}
              {[deviceOf(scan), answerName(scan, ruleNames)].filter((part) => part !== undefined).join(' · ')}
            </p>
          </li>
        ))}
      </ol>
    </Card>
  )
}

/** Shows the name of a code. Events carry only its id. */
function CodeName({ orgId, codeId }: { orgId: string; codeId: string }) {
  const code = useQuery({ ...codeQuery(orgId, codeId), staleTime: 60_000 })
  return code.data?.code.name ?? (code.isError ? text.deletedCode : ' ')
}

/** Returns the time, updated every second while it is needed. */
function useNow(isNeeded: boolean): number {
  const [nowMs, setNowMs] = useState(Date.now)
  useEffect(() => {
    if (!isNeeded) return undefined
    setNowMs(Date.now())
    const timer = setInterval(() => setNowMs(Date.now()), tickMs)
    return () => clearInterval(timer)
  }, [isNeeded])
  return nowMs
}
