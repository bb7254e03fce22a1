import type { Figures } from './analytics.ts'
import type { PeriodDays } from '@everscan/contract/views/view-periods.ts'
import { formatChange, formatDays, formatNumber } from '../ui/format.ts'
import { analyticsWords } from '../words/analytics-words.ts'
import { LearnMore } from '../ui/learn-more.tsx'

const text = analyticsWords.summary
const changes = analyticsWords.change

type Figure = 'totalScans' | 'uniqueScans' | 'avgDailyScans' | 'botScans'
const figures: readonly { name: Figure; hint?: string }[] = [
  { name: 'totalScans' },
  { name: 'uniqueScans', hint: text.uniqueScansHint },
  { name: 'avgDailyScans' },
  { name: 'botScans', hint: text.botScansHint },
]

type Props = {
  summary: Figures['summary']
  /** Days to compare with. `before` has their figures once they are read. */
  comparedWith: PeriodDays | undefined
  before: Figures['summary'] | undefined
}

/** Shows the totals of a period, and how far each is from the period before; and closed hits. */
export function SummaryCards({ summary, comparedWith, before }: Props) {
  const { closedHits } = summary
  return (
    <div className="grid gap-3">
      <dl aria-label={text.label} className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        {figures.map(({ name, hint }) => (
          <div
            key={name}
            className="flex min-h-44 lg:min-h-38 flex-col rounded-card border border-line bg-surface p-4"
          >
            <dt className="text-sm text-soft">{text[name]}</dt>
            <dd className="mt-1 text-3xl font-semibold tabular-nums">{formatNumber(summary[name])}</dd>
            {name !== 'botScans' && comparedWith !== undefined && (
              <dd
                title={analyticsWords.compareDays(formatDays(comparedWith))}
                className="mt-1 text-sm text-soft"
              >
                {before === undefined ? (
                  changes.unknown
                ) : (
                  <Change now={summary[name]} before={before[name]} />
                )}
              </dd>
            )}
            {hint !== undefined && (
              <dd className="mt-auto pt-1 text-xs text-soft">
                {hint} {name === 'uniqueScans' && <LearnMore about="uniqueScans" />}
              </dd>
            )}
          </div>
        ))}
      </dl>
      {closedHits > 0 && (
        <p className="text-sm text-soft">{text.closedHits(closedHits, formatNumber(closedHits))}</p>
      )}
    </div>
  )
}

/** Shows a change in words and with a sign, so that it can be understood without color. */
function Change({ now, before }: { now: number; before: number }) {
  if (now === before) return changes.same
  if (before === 0) return changes.first
  const written = formatNumber(before)
  return (
    <>
      <strong className={now > before ? 'text-brand' : 'text-ink'}>{formatChange(now, before)}</strong>{' '}
      {now > before ? changes.more(written) : changes.fewer(written)}
    </>
  )
}
