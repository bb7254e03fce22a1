import type { Style } from '@everscan/contract/resources/styles.ts'
import { drawCode } from '@everscan/qr/drawing/drawing.ts'
import { createMatrix } from '@everscan/qr/content/matrix.ts'
import { writeSvg } from '@everscan/qr/writers/svg.ts'
import { useMemo } from 'react'

/** Sample text, long enough for a code of the usual size. */
const sample = 'HTTPS://EXAMPLE.COM/7K3QX9A'

/** Shows a small picture in a style, without its frame. It is for recognition, not for scanning. */
export function StylePicture({ style }: { style: Style }) {
  const source = useMemo(() => {
    const { frame: _frame, logo: _logo, ...plain } = style
    const matrix = createMatrix({ text: sample, errorCorrection: 'M' })
    return `data:image/svg+xml,${encodeURIComponent(writeSvg(drawCode(matrix, plain, { marginModules: 2 }), { sizePx: 96 }))}`
  }, [style])
  return (
    <span className="relative size-12 shrink-0">
      <img
        src={source}
        alt=""
        width="48"
        height="48"
        className="size-12 rounded-control border border-line bg-white"
      />
      {style.logo !== undefined && (
        <img
          src={style.logo.dataUri}
          alt=""
          className={`absolute start-4 top-4 size-4 bg-white object-contain ${style.logo.round === true ? 'rounded-full' : ''}`}
        />
      )}
    </span>
  )
}
