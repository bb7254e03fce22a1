export const looks = {
  scans: { stroke: 'var(--color-brand)', strokeWidth: 2.5 },
  uniqueScans: { stroke: 'var(--color-warning)', strokeWidth: 2, strokeDasharray: '1 4' },
  before: { stroke: 'var(--color-soft)', strokeWidth: 1.5, strokeDasharray: '7 5' },
} as const
export type Line = keyof typeof looks
/** Dashes of the part of a line that is not over. */
export const dashes = '5 6'

/** Draws a pole with a pennant. In the chart, the pole is as high as the chart. */
export function Flag({ x, top, height: poleHeight }: { x: number; top: number; height: number }) {
  return (
    <>
      <path d={`M${x},${top}v${poleHeight}`} stroke="var(--color-warning)" strokeWidth="1.5" />
      <path d={`M${x},${top}l8,4l-8,4Z`} fill="var(--color-warning)" />
    </>
  )
}
