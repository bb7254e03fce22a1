import { X } from 'lucide-react'
import type { AnalyticsSearch } from './analytics-search.ts'
import { filtersIn, noFilters, withoutFilters, withSwitched } from './filters.ts'
import type { RuleNames } from './destinations/rule-names.ts'
import { valueName } from './scan-words.ts'
import { analyticsWords } from '../words/analytics-words.ts'
import { Button } from '../ui/button.tsx'

const text = analyticsWords.filters
const partClass = 'min-h-10 cursor-pointer text-sm hover:bg-raised'

type Props = {
  search: AnalyticsSearch
  ruleNames: RuleNames
  /** Undefined for readers who cannot change the filters. */
  onSearch: ((changes: AnalyticsSearch) => void) | undefined
}

/** Lists the active filters. Pressing one switches "is" and "is not"; its cross removes it. */
export function FilterChips({ search, ruleNames, onSearch }: Props) {
  const filters = filtersIn(search)
  if (filters.length === 0) return null
  return (
    <ul aria-label={text.label} className="flex flex-wrap items-center gap-2">
      {filters.map((filter) => {
        const [name, value] = [text.names[filter.name], valueName(filter.name, filter.value, ruleNames)]
        const [verb, other] = filter.isNot ? [text.isNot, text.is] : [text.is, text.isNot]
        const content = (
          <>
            <span className="text-soft">{name}</span>{' '}
            <strong
              className={`font-medium ${filter.isNot ? 'text-danger' : 'text-brand'} ${onSearch === undefined ? '' : 'underline decoration-dotted underline-offset-4'}`}
            >
              {verb}
            </strong>{' '}
            {value}
          </>
        )
        return (
          <li
            key={`${filter.name} ${verb} ${filter.value}`}
            className="flex max-w-full items-center overflow-hidden rounded-control border border-line bg-surface"
          >
            {onSearch === undefined ? (
              <span className="truncate px-3 py-1.5 text-sm">{content}</span>
            ) : (
              <>
                <button
                  type="button"
                  title={text.switch(name, value, other)}
                  onClick={() => onSearch(withSwitched(search, filter))}
                  className={`${partClass} min-w-0 truncate ps-3 pe-2`}
                >
                  {content}
                </button>
                <button
                  type="button"
                  aria-label={text.remove(name, value)}
                  onClick={() => onSearch(withoutFilters(search, [filter]))}
                  className={`${partClass} flex shrink-0 items-center border-s border-line px-2.5 text-soft hover:text-ink`}
                >
                  <X size={16} aria-hidden />
                </button>
              </>
            )}
          </li>
        )
      })}
      {filters.length > 1 && onSearch !== undefined && (
        <li>
          <Button look="quiet" onClick={() => onSearch(noFilters)}>
            {text.clear}
          </Button>
        </li>
      )}
    </ul>
  )
}
