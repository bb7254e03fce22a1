import { mergeStyle, type ReaderResult, type Style } from '@everscan/contract/resources/styles.ts'
import { CircleCheck, CircleX, TriangleAlert } from 'lucide-react'
import { useEffect, useState } from 'react'
import { drawLivePicture, svgAddress, type PictureWanted } from '../codes/live-pictures.ts'
import { checkStyle } from './scan-checks.ts'
import { formatNumber } from '../ui/format.ts'
import { editorWords } from '../words/editor-words.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/surfaces.tsx'

const text = editorWords

/**
 * Returns the address of the live picture. The last one stays while the next is drawn. Null: the
 * picture cannot be drawn.
 */
export function useLivePicture({ shortUrl, style, kept }: PictureWanted): string | null | undefined {
  const [address, setAddress] = useState<string | null>()
  useEffect(() => {
    let isLast = true
    drawLivePicture({ shortUrl, style, kept }).then(
      (svg) => isLast && setAddress(svgAddress(svg)),
      () => isLast && setAddress(null),
    )
    return () => {
      isLast = false
    }
  }, [shortUrl, style, kept])
  return address
}

/** Shows the picture on a checkerboard, which is visible where the picture has no background. */
export function LivePicture({
  address,
  isSample,
  isTransparent,
}: {
  address: string | null | undefined
  isSample: boolean
  isTransparent: boolean
}) {
  return (
    <figure>
      <div
        className={`flex aspect-square items-center justify-center rounded-control border border-line p-3 ${isTransparent ? 'bg-white bg-[repeating-conic-gradient(#eee_0_25%,#fff_0_50%)] bg-[length:16px_16px]' : 'bg-raised'}`}
      >
        {typeof address === 'string' && (
          <img src={address} alt={text.picture.alt} className="max-h-full w-full rounded object-contain" />
        )}
      </div>
      {address === null && (
        <div className="mt-2">
          <Notice kind="problem">{text.picture.fails}</Notice>
        </div>
      )}
      {isSample && <figcaption className="mt-2 text-sm text-soft">{text.picture.sample}</figcaption>}
    </figure>
  )
}

const levels = {
  easy: { icon: CircleCheck, look: 'text-brand' },
  fair: { icon: TriangleAlert, look: 'text-warning' },
  hard: { icon: CircleX, look: 'text-danger' },
} as const

/** Shows in one line how well phones will read the code. Screen readers read each change. */
export function ScanLevel({ style }: { style: Style }) {
  const { level } = checkStyle(style)
  const { icon: Icon, look } = levels[level]
  return (
    <p role="status" className={`flex items-center gap-2 font-medium ${look}`}>
      <Icon size={18} aria-hidden className="shrink-0" />
      {text.check[level]}
    </p>
  )
}

/** Lists possible improvements, with a button for those that can be made at once. */
export function ScanAdviceList({
  style,
  onChange,
}: {
  style: Style
  onChange: ((style: Style) => void) | undefined
}) {
  const { level, advice } = checkStyle(style)
  const change = advice.find((one) => one.change !== undefined)?.change
  return (
    <div className="grid gap-2 text-sm text-soft">
      {level === 'easy' && <p>{text.check.easyText}</p>}
      {advice.length > 0 && (
        <ul className="grid gap-1">
          {advice.map(({ about }) => (
            <li key={about}>{text.check.advice[about]}</li>
          ))}
        </ul>
      )}
      {change !== undefined && onChange !== undefined && (
        <div>
          <Button onClick={() => onChange(mergeStyle(style, change))}>{text.check.apply}</Button>
        </div>
      )}
    </div>
  )
}

/** Says what the readers made of the saved picture. */
export function ReaderResults({ readers }: { readers: readonly ReaderResult[] }) {
  if (readers.length === 0) return null
  const isComplete = readers.every(({ read, of }) => read === of)
  return (
    <div className="text-sm text-soft">
      <p>{isComplete ? text.check.allRead : text.check.someMissed}</p>
      <ul className="mt-1 grid gap-1">
        {readers.map(({ name, read, of }) => (
          <li key={name} className="flex justify-between gap-3">
            <span>{name}</span>
            <span className="tabular-nums">{text.check.readOf(formatNumber(read), formatNumber(of))}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
