import type { AnalyticsDestination, QrCodeAnalytics } from '@everscan/contract/resources/analytics.ts'
import type { Rule } from '@everscan/contract/rules/rules.ts'
import { useQuery } from '@tanstack/react-query'
import { Ban, Check } from 'lucide-react'
import type { MouseEvent } from 'react'
import type { AnalyticsSearch } from '../analytics-search.ts'
import { isFilteredBy, withFilters, withoutFilters, type Filter } from '../filters.ts'
import { historyQuery } from '../../codes/codes.ts'
import { formatNumber, formatPercent } from '../../ui/format.ts'
import { Card } from '../../ui/surfaces.tsx'
import { analyticsWords } from '../../words/analytics-words.ts'
import { destinationsWords } from '../../words/destinations-words.ts'
import { chanceOf, weightsDuring } from './split-chance.ts'

const text = { ...analyticsWords.destinations, ...destinationsWords }

type Props = {
  orgId: string
  codeId: string
  /** The rules that the code has now. */
  rules: readonly Rule[]
  destinations: QrCodeAnalytics['destinations']
  period: QrCodeAnalytics['period']
  search: AnalyticsSearch
  onSearch: (changes: AnalyticsSearch) => void
}

/** Shows scans by the rule and arm that answered. */
export function DestinationsCard({ orgId, codeId, rules, destinations, period, search, onSearch }: Props) {
  return (
    <Card title={text.title}>
      {destinations.length === 0 ? (
        <p className="text-soft">{analyticsWords.breakdowns.nothing}</p>
      ) : (
        <DestinationsTable {...{ destinations, rules, search, onSearch }} />
      )}
      {/* The other arms are left out. */}
      {search.arm === undefined && <Chances {...{ orgId, codeId, destinations, period }} />}
    </Card>
  )
}

const numberClass = 'px-1.5 text-end whitespace-nowrap sm:px-3'
/** On phones a chip leaves scans out: its "is" becomes "is not". */
const wide = 'max-sm:hidden'

type TableProps = Pick<Props, 'destinations' | 'rules' | 'search' | 'onSearch'>

function DestinationsTable({ destinations, rules, search, onSearch }: TableProps) {
  const highest = destinations[0]?.scans ?? 1
  return (
    <table className="-my-2 w-full table-auto text-sm tabular-nums">
      <caption className="sr-only">{text.title}</caption>
      <thead>
        <tr className="h-10 border-b border-line text-soft">
          <th scope="col" className="w-full px-2 text-start font-medium">
            {text.rule}
          </th>
          <th scope="col" className={`font-medium ${numberClass}`}>
            {text.scans}
          </th>
          <th scope="col" title={text.uniqueScans} className={`font-medium ${numberClass}`}>
            {text.unique}
          </th>
          <th scope="col" className={`font-medium ${numberClass}`}>
            {text.share}
          </th>
          <td className={wide} />
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {destinations.map((one) => (
          <DestinationRow
            key={`${one.ruleId} ${one.arm}`}
            destination={one}
            isRemoved={one.ruleId !== null && rules.every(({ id }) => id !== one.ruleId)}
            barPercent={(100 * one.scans) / highest}
            exclusion={exclusionOf(one, destinations)}
            {...{ search, onSearch }}
          />
        ))}
      </tbody>
    </table>
  )
}

type RowProps = Pick<Props, 'search' | 'onSearch'> & {
  destination: AnalyticsDestination
  isRemoved: boolean
  barPercent: number
  /** Leaves out exactly these scans. Undefined if no filter does. */
  exclusion: Filter | undefined
}

function DestinationRow({ destination, isRemoved, barPercent, exclusion, search, onSearch }: RowProps) {
  const { scans, uniqueScans, percentage, arm } = destination
  const name = nameOf(destination)
  const note = noteOf(destination, isRemoved)
  const full = arm === null ? name : `${name} · ${arm}`
  const filters = filtersOf(destination)
  const isChosen = isFilteredBy(search, filters)
  const exclude = () => exclusion && onSearch(withFilters(search, [exclusion]))
  const choose = ({ altKey }: MouseEvent) => {
    if (altKey) exclude()
    else onSearch(isChosen ? withoutFilters(search, filters) : withFilters(search, filters))
  }
  return (
    <tr className="h-16">
      <th scope="row" className="max-w-0 py-1 text-start font-normal">
        <button
          type="button"
          aria-pressed={isChosen}
          title={analyticsWords.filters.only(full)}
          onClick={choose}
          className="block min-h-11 w-full cursor-pointer rounded-control px-2 py-1 text-start hover:bg-raised"
        >
          <span className="flex items-center gap-1.5">
            {isChosen && <Check size={16} aria-hidden className="shrink-0 text-brand" />}
            <span className="line-clamp-2 font-medium break-words">{name}</span>
          </span>
          {note !== '' && <span className="line-clamp-2 text-xs break-words text-soft">{note}</span>}
          <span aria-hidden className="mt-1 block h-1 overflow-hidden rounded-full bg-raised">
            <span className="block h-full rounded-full bg-brand" style={{ width: `${barPercent}%` }} />
          </span>
        </button>
      </th>
      <td className={`font-medium ${numberClass}`}>{formatNumber(scans)}</td>
      <td className={numberClass}>{formatNumber(uniqueScans)}</td>
      <td className={`text-soft ${numberClass}`}>{formatPercent(percentage)}</td>
      <td className={`w-9 text-end ${wide}`}>
        {exclusion !== undefined && (
          <button
            type="button"
            aria-label={analyticsWords.filters.exclude(full)}
            title={analyticsWords.filters.exclude(full)}
            onClick={exclude}
            className="inline-flex size-9 cursor-pointer items-center justify-center rounded-control text-soft opacity-60 hover:bg-raised hover:text-danger hover:opacity-100 focus-visible:opacity-100"
          >
            <Ban size={14} aria-hidden />
          </button>
        )}
      </td>
    </tr>
  )
}

function nameOf({ ruleId, name }: AnalyticsDestination): string {
  if (ruleId === null) return text.own
  return name ?? text.unknown
}

function noteOf({ ruleId, name, arm }: AnalyticsDestination, isRemoved: boolean): string {
  if (ruleId === null) return text.ownNote
  const parts = [arm === null ? '' : text.arm(arm), isRemoved && name !== null ? text.removed : '']
  return parts.filter((part) => part !== '').join(' · ')
}

/** Returns the filters that show exactly the scans of a destination. */
function filtersOf({ ruleId, arm }: AnalyticsDestination): readonly Filter[] {
  const rule: Filter = { name: 'rule', value: ruleId ?? 'none', isNot: false }
  return arm === null ? [rule] : [rule, { name: 'arm', value: arm, isNot: false }]
}

/**
 * Returns the filter that leaves out a destination and no other: its arm if no other rule has one
 * of this name, otherwise its rule if it has no other arms.
 */
function exclusionOf(
  { ruleId, arm }: AnalyticsDestination,
  all: readonly AnalyticsDestination[],
): Filter | undefined {
  if (arm !== null && all.every((one) => one.arm !== arm || one.ruleId === ruleId))
    return { name: 'arm', value: arm, isNot: true }
  if (all.filter((one) => one.ruleId === ruleId).length > 1) return undefined
  return { name: 'rule', value: ruleId ?? 'none', isNot: true }
}

/** Says of each split whether its visitors fit its weights, if these stayed the same. */
function Chances({
  orgId,
  codeId,
  destinations,
  period,
}: Pick<Props, 'orgId' | 'codeId' | 'destinations' | 'period'>) {
  const splits = Map.groupBy(
    destinations.filter(({ arm }) => arm !== null),
    ({ ruleId }) => ruleId ?? '',
  )
  const history = useQuery({ ...historyQuery(orgId, codeId), enabled: splits.size > 0 })
  const said = [...splits].flatMap(([ruleId, counted]) => {
    const weights = weightsDuring(history.data?.data ?? [], ruleId, period)
    if (weights === undefined || counted.some(({ arm }) => !weights.has(arm ?? ''))) return []
    const arms = [...weights].map(([name, weight]) => ({
      name,
      weight,
      uniqueScans: counted.find(({ arm }) => arm === name)?.uniqueScans ?? 0,
    }))
    const chance = chanceOf(arms)
    if (chance === undefined) return []
    const sum = arms.reduce((all, { weight }) => all + weight, 0)
    const shares = arms.map(({ name, weight }) => `${name} ${formatPercent((100 * weight) / sum)}`).join(', ')
    return [{ ruleId, words: text.chance[chance](nameOf(counted[0] ?? noDestination), shares) }]
  })
  if (said.length === 0) return null
  return (
    <ul className="mt-4 grid gap-1 border-t border-line pt-3 text-sm text-soft">
      {said.map(({ ruleId, words }) => (
        <li key={ruleId}>{words}</li>
      ))}
    </ul>
  )
}

const noDestination = { ruleId: '', name: null, arm: null, scans: 0, uniqueScans: 0, percentage: 0 }
