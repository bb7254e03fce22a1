import { formatNumber } from './format.ts'
import { commonWords } from '../words/common-words.ts'
import { Button } from './button.tsx'

const text = commonWords.pages

/** Leads to the pages before and after. Shows nothing if there is only one. */
export function Pager({
  page,
  totalPages,
  onGo,
}: {
  page: number
  totalPages: number
  onGo: (page: number) => void
}) {
  if (totalPages < 2) return null
  return (
    <nav aria-label={text.label} className="mt-4 flex items-center justify-between gap-3">
      <Button disabled={page <= 1} onClick={() => onGo(page - 1)}>
        {text.previous}
      </Button>
      <p className="text-sm text-soft">{text.position(formatNumber(page), formatNumber(totalPages))}</p>
      <Button disabled={page >= totalPages} onClick={() => onGo(page + 1)}>
        {text.next}
      </Button>
    </nav>
  )
}
