import type { ReactNode } from 'react'
import { commonWords } from '../words/common-words.ts'

/** Shows the rows of a list. They are paler while other rows are loading. */
export function List({ busy = false, children }: { busy?: boolean; children: ReactNode }) {
  return (
    <ul
      aria-busy={busy}
      className={`divide-y divide-line rounded-card border border-line bg-surface ${busy ? 'opacity-60' : ''}`}
    >
      {children}
    </ul>
  )
}

/** Reserves the height of the rows, so the page does not shift. */
export function ListSkeleton({ rows = 4 }: { rows?: number }) {
  return (
    <div
      role="status"
      aria-label={commonWords.loading}
      className="divide-y divide-line rounded-card border border-line bg-surface"
    >
      {Array.from({ length: rows }, (_, at) => (
        <div key={at} className="flex h-[4.25rem] animate-pulse items-center px-4">
          <div className="h-4 w-48 rounded bg-raised" />
        </div>
      ))}
    </div>
  )
}
