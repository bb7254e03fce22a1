import { commonWords } from '../words/common-words.ts'

/** Reserves the height of the charts, so the page does not shift. */
export function AnalyticsSkeleton() {
  const block = 'animate-pulse rounded-card border border-line bg-surface'
  return (
    <div role="status" aria-label={commonWords.loading} className="grid gap-3">
      <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        {Array.from({ length: 4 }, (_, at) => (
          <div key={at} className={`${block} h-44 lg:h-38`} />
        ))}
      </div>
      <div className={`${block} h-[23rem]`} />
      <div className={`${block} h-[24rem]`} />
    </div>
  )
}

/** Reserves the place of the controls. */
export function ControlsSkeleton() {
  return <div aria-hidden className="mb-4 h-34 animate-pulse rounded-card bg-raised sm:h-10 sm:w-2/3" />
}
