import { labelPages, type LabelGrid } from '@everscan/contract/resources/label-grids.ts'
import { bulkWords } from '../words/codes-words.ts'

/** Maximum number of labels drawn: a sheet has at most 50 columns and 50 rows. */
const drawnMax = 2_500

type Props = { grid: LabelGrid; startAt: number; labels: number; caption: boolean }

/** Shows to scale which labels of the first sheet will be printed. */
export function LabelPreview({ grid, startAt, labels, caption }: Props) {
  const { widthMm, heightMm } = labelPages[grid.page]
  const count = grid.columns * grid.rows
  const places = Number.isInteger(count) && count > 0 && count <= drawnMax ? count : 0
  return (
    <figure>
      <svg
        viewBox={`0 0 ${widthMm} ${heightMm}`}
        aria-hidden
        className="mx-auto w-40 rounded-sm border border-line bg-white sm:w-full"
      >
        {Array.from({ length: places }, (_, at) => (
          <Label
            key={at}
            x={grid.marginLeftMm + (at % grid.columns) * (grid.labelWidthMm + grid.gapXMm)}
            y={grid.marginTopMm + Math.floor(at / grid.columns) * (grid.labelHeightMm + grid.gapYMm)}
            grid={grid}
            printed={at + 1 >= startAt && at + 1 < startAt + labels}
            caption={caption}
          />
        ))}
      </svg>
      <figcaption className="mt-2 text-center text-xs text-soft">{bulkWords.labels.preview}</figcaption>
    </figure>
  )
}

type LabelProps = { x: number; y: number; grid: LabelGrid; printed: boolean; caption: boolean }

function Label({ x, y, grid: { labelWidthMm: width, labelHeightMm: height }, printed, caption }: LabelProps) {
  if (![x, y, width, height].every(Number.isFinite)) return null
  // Follows the layout of the service roughly: the caption is beside the code on wide labels,
  // otherwise below it.
  const beside = width >= 1.5 * height
  const code = Math.max(0, Math.min(width, height) * (caption && !beside ? 0.7 : 0.85))
  const left = caption && beside ? x + height * 0.08 : x + (width - code) / 2
  const top = caption && !beside ? y + height * 0.05 : y + (height - code) / 2
  return (
    <>
      <rect {...{ x, y, width, height }} rx="1.5" fill="none" stroke="#b8b8b0" strokeWidth="0.5" />
      {printed && <rect x={left} y={top} width={code} height={code} fill="#1b1c1e" />}
      {printed && caption && beside && (
        <rect
          x={left + code + 2}
          y={y + height / 2 - 1.2}
          width={Math.max(0, width - code - height * 0.08 - 6)}
          height="2.4"
          fill="#8a8d93"
        />
      )}
      {printed && caption && !beside && (
        <rect x={x + width * 0.15} y={top + code + 1.5} width={width * 0.7} height="2.4" fill="#8a8d93" />
      )}
    </>
  )
}
