import { commonWords } from '../words/common-words.ts'

/** Stands for lines of a card that is loading. It reserves their height, so nothing shifts. */
export function LinesSkeleton({ lines, className = 'h-14' }: { lines: number; className?: string }) {
  return (
    <div role="status" aria-label={commonWords.loading}>
      {Array.from({ length: lines }, (_, at) => (
        <div key={at} className={`flex animate-pulse items-center ${className}`}>
          <div className="h-4 w-48 max-w-2/3 rounded bg-raised" />
        </div>
      ))}
    </div>
  )
}

/** Stands for a page whose program is loading: its heading and a card. */
export function PageSkeleton() {
  return (
    <div role="status" aria-label={commonWords.loading} className="animate-pulse">
      <div className="mb-5 flex h-10 items-center">
        <div className="h-7 w-40 rounded bg-raised" />
      </div>
      <div className="h-96 rounded-card border border-line bg-surface" />
    </div>
  )
}
