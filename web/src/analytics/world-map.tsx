import { useState } from 'react'
import { boxAround, countryBox } from './country-box.ts'
import { formatCountry, formatNumber, formatPercent } from '../ui/format.ts'
import shapes from './world-shapes.json'
import { analyticsWords } from '../words/analytics-words.ts'
import { commonWords } from '../words/common-words.ts'

const text = analyticsWords.map
const { width, height } = shapes
const paths = Object.entries(shapes.paths)
const dots = Object.entries(shapes.dots)
/** Width of the map around a country that is a dot. */
const widthAroundDot = 80
const dotRadius = 7

export type CountryScans = { country: string; scans: number; percentage: number }

type Props = {
  countries: readonly CountryScans[]
  /** Country that fills the map. Undefined: the whole world. */
  zoomedTo: string | undefined
  /** Undefined for readers who cannot filter. */
  onChoose: ((country: string) => void) | undefined
}

/** Shows countries, darker with more scans. By keyboard, the list of countries does the same. */
export function WorldMap({ countries, zoomedTo, onChoose }: Props) {
  const [pointed, setPointed] = useState<string>()
  const byCode = new Map(countries.map((one) => [one.country, one]))
  const highest = Math.max(...countries.map(({ scans }) => scans), 1)
  const first = countries.flatMap(({ country }) => formatCountry(country) ?? []).slice(0, 3)
  const box = boxOf(zoomedTo)
  const lookOf = (code: string) => {
    const scans = byCode.get(code)?.scans ?? 0
    return {
      onPointerEnter: () => setPointed(code),
      ...(scans > 0 &&
        onChoose !== undefined && {
          onClick: () => onChoose(code),
          className: 'cursor-pointer hover:opacity-80',
        }),
      fill: scans > 0 ? 'var(--color-brand)' : 'var(--color-line)',
      // The square root keeps one country with nearly all scans from making the others look empty.
      fillOpacity: scans > 0 ? 0.25 + 0.75 * Math.sqrt(scans / highest) : 1,
      stroke: pointed === code ? 'var(--color-ink)' : 'var(--color-surface)',
      strokeWidth: pointed === code ? 1.5 : 0.75,
      vectorEffect: 'non-scaling-stroke' as const,
    }
  }
  const hint = onChoose === undefined ? text.readHint : zoomedTo === undefined ? text.hint : text.inCountry
  return (
    <>
      <svg
        viewBox={box.map((side) => side.toFixed(1)).join(' ')}
        role="img"
        aria-label={first.length === 0 ? text.labelEmpty : text.label(first.join(', '))}
        className="w-full rounded-control"
        onPointerLeave={() => setPointed(undefined)}
      >
        {paths.map(([code, path]) => (
          <path key={code} d={path} data-country={code} {...lookOf(code)} />
        ))}
        {dots
          .filter(([code]) => byCode.has(code))
          .map(([code, [x, y]]) => (
            <circle
              key={code}
              cx={x}
              cy={y}
              r={(dotRadius * box[2]) / width}
              data-country={code}
              {...lookOf(code)}
            />
          ))}
      </svg>
      <div className="mt-3 flex min-h-16 flex-wrap content-start sm:min-h-10 items-center justify-between gap-x-4 gap-y-1 text-sm text-soft">
        <p className="min-w-0 flex-1 basis-full sm:basis-0">
          {pointed === undefined ? hint : said(pointed, byCode.get(pointed))}
        </p>
        {zoomedTo === undefined && <Shades />}
      </div>
    </>
  )
}

/** Tells what the shades of countries stand for. */
function Shades() {
  return (
    <p aria-hidden className="flex items-center gap-1.5">
      {text.fewer}
      {[0.25, 0.5, 0.75, 1].map((opacity) => (
        <span key={opacity} className="size-3 rounded-sm bg-brand" style={{ opacity }} />
      ))}
      {text.more}
    </p>
  )
}

function boxOf(country: string | undefined) {
  const path = paths.find(([code]) => code === country)?.[1]
  const [, dot] = dots.find(([code]) => code === country) ?? []
  if (path !== undefined) return countryBox(path, shapes)
  if (dot !== undefined) return boxAround([dot[0] ?? 0, dot[1] ?? 0], widthAroundDot, shapes)
  return [0, 0, width, height] as const
}

function said(country: string, of: CountryScans | undefined): string {
  const { scans = 0, percentage = 0 } = of ?? {}
  const counted = analyticsWords.scans(scans, formatNumber(scans))
  const name = formatCountry(country) ?? analyticsWords.unknown
  return scans === 0
    ? `${name}${commonWords.colon} ${counted}`
    : `${name}${commonWords.colon} ${counted} (${formatPercent(percentage)})`
}
