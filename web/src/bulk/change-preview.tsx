import { ArrowRight } from 'lucide-react'
import { formatNumber } from '../ui/format.ts'
import { tableWords } from '../words/bulk-table-words.ts'

const text = tableWords.preview
/** Enough to see whether a change is right. All of them are in the table afterwards. */
const shownMax = 100

type Line = { key: string; name: string; before: string; after: string }

/** Shows changes before they are made: each value before and after. */
export function ChangePreview({ title, lines }: { title: string; lines: readonly Line[] }) {
  const rest = lines.length - shownMax
  return (
    <div>
      <p role="status" className="mb-1 text-sm font-medium">
        {title}
      </p>
      <div
        role="region"
        aria-label={text.label}
        tabIndex={0}
        className="max-h-56 overflow-auto rounded-control border border-line"
      >
        <ul className="divide-y divide-line text-sm">
          {lines.slice(0, shownMax).map(({ key, name, before, after }) => (
            <li key={key} className="grid gap-x-3 px-3 py-1.5 sm:grid-cols-[minmax(7rem,1fr)_minmax(0,3fr)]">
              <span className="break-words text-soft">{name}</span>
              <span className="flex min-w-0 flex-wrap items-center gap-x-2">
                <span className="sr-only">{text.before} </span>
                <del className="min-w-0 break-all text-soft decoration-1">{before || text.empty}</del>
                <ArrowRight size={14} aria-hidden className="shrink-0 text-soft rtl:rotate-180" />
                <span className="sr-only"> {text.after} </span>
                <ins className="min-w-0 font-medium break-all no-underline">{after || text.empty}</ins>
              </span>
            </li>
          ))}
          {rest > 0 && <li className="px-3 py-1.5 text-soft">{text.more(formatNumber(rest))}</li>}
        </ul>
      </div>
    </div>
  )
}
