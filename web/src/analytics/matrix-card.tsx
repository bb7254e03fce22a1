import { matrixDimensions, type MatrixDimension } from '@everscan/contract/dimensions/dimensions.ts'
import type { AnalyticsMatrix } from '@everscan/contract/resources/analytics.ts'
import { useState, type ReactNode } from 'react'
import type { AnalyticsSearch } from './analytics-search.ts'
import { withFilters, type Filter } from './filters.ts'
import { MatrixTable, type Place } from './matrix-table.tsx'
import { valueName } from './scan-words.ts'
import { formatNumber } from '../ui/format.ts'
import { analyticsWords } from '../words/analytics-words.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { Choice } from '../ui/choice.tsx'
import { Card } from '../ui/surfaces.tsx'

const text = analyticsWords.matrix
const filterWords = analyticsWords.filters
/** Sides at first. More would be a wall of numbers. */
const atFirst = { rows: 20, columns: 12 }

type Side = { dimension: MatrixDimension; value: string; name: string }

type Props = {
  dimensions: readonly [MatrixDimension, MatrixDimension]
  matrix: AnalyticsMatrix
  /** Whether rows or columns can be codes. */
  hasCodes: boolean
  search: AnalyticsSearch
  /** Undefined for readers who cannot change the view. */
  onSearch: ((changes: AnalyticsSearch) => void) | undefined
  linkOfCode?: ((qrCodeId: string, children: ReactNode, className: string) => ReactNode) | undefined
}

/** Shows scans by two properties as a table of colors and numbers. */
export function MatrixCard({ dimensions, matrix, hasCodes, search, onSearch, linkOfCode }: Props) {
  const [isWhole, setWhole] = useState(false)
  const [chosen, setChosen] = useState<Place>()
  const { rows, columns } = sidesOf(matrix, dimensions)
  const names = { rows: rows.map(({ name }) => name), columns: columns.map(({ name }) => name) }
  const hasMore = rows.length > atFirst.rows || columns.length > atFirst.columns
  const shown = isWhole ? { rows: rows.length, columns: columns.length } : atFirst
  const [rowBy, columnBy] = dimensions
  return (
    <Card title={text.title}>
      {onSearch !== undefined && (
        <Dimensions
          dimensions={dimensions}
          hasCodes={hasCodes}
          onChoose={(next) => {
            setChosen(undefined)
            onSearch({ matrix: next.join() })
          }}
        />
      )}
      {rows.length === 0 ? (
        <p className="text-soft">{analyticsWords.breakdowns.nothing}</p>
      ) : (
        <>
          <MatrixTable
            caption={text.caption(text.dimensions[rowBy], text.dimensions[columnBy])}
            names={names}
            scans={matrix.scans}
            shown={shown}
            chosen={chosen}
            onChoose={setChosen}
          />
          <div className="mt-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 text-sm text-soft">
            <div aria-live="polite" className="min-h-10 min-w-0 flex-1 basis-72">
              <ChosenPlace
                sides={[rows[chosen?.row ?? -1], columns[chosen?.column ?? -1]]}
                scans={scansAt(matrix.scans, chosen)}
                {...{ search, onSearch, linkOfCode }}
              />
            </div>
            <Shades highest={Math.max(...matrix.scans.flat(), 0)} />
          </div>
          {matrix.other > 0 && (
            <p className="text-sm text-soft">
              {text.other(analyticsWords.scans(matrix.other, formatNumber(matrix.other)))}
            </p>
          )}
          {hasMore && (
            <Button look="quiet" className="-ms-3 -mb-3" onClick={() => setWhole(!isWhole)}>
              {isWhole
                ? text.showLess
                : text.showAll(formatNumber(rows.length), formatNumber(columns.length))}
            </Button>
          )}
        </>
      )}
    </Card>
  )
}

/** Returns the rows and columns with their names. */
function sidesOf(matrix: AnalyticsMatrix, [rowBy, columnBy]: Props['dimensions']) {
  const codes = new Map(matrix.qrCodes?.map(({ qrCodeId, name }) => [qrCodeId, name]))
  const sideOf = (dimension: MatrixDimension) => (value: string) => ({
    dimension,
    value,
    name: dimension === 'code' ? (codes.get(value) ?? text.deletedCode) : valueName(dimension, value),
  })
  return { rows: matrix.rows.map(sideOf(rowBy)), columns: matrix.columns.map(sideOf(columnBy)) }
}

/** Tells how dark the highest number is. */
function Shades({ highest }: { highest: number }) {
  return (
    <p aria-hidden className="flex items-center gap-2 tabular-nums">
      0
      <span className="h-3 w-24 rounded-sm border border-line bg-linear-to-r from-transparent to-brand/45" />
      {formatNumber(highest)}
    </p>
  )
}

type DimensionsProps = Pick<Props, 'dimensions' | 'hasCodes'> & {
  onChoose: (dimensions: readonly [MatrixDimension, MatrixDimension]) => void
}

/** Chooses the properties. Choosing the other one swaps both. */
function Dimensions({ dimensions: [row, column], hasCodes, onChoose }: DimensionsProps) {
  const options = matrixDimensions
    .filter((one) => hasCodes || one !== 'code')
    .map((one) => [one, text.dimensions[one]] as const)
  return (
    <div className="mb-3 grid grid-cols-2 gap-2 sm:flex">
      <Choice
        label={text.rows}
        className="sm:w-48"
        value={row}
        options={options}
        onChoose={(chosen) => onChoose([chosen, chosen === column ? row : column])}
      />
      <Choice
        label={text.columns}
        className="sm:w-48"
        value={column}
        options={options}
        onChoose={(chosen) => onChoose([chosen === row ? column : row, chosen])}
      />
    </div>
  )
}

type ChosenProps = Pick<Props, 'search' | 'onSearch' | 'linkOfCode'> & {
  /** Its row and its column. */
  sides: readonly (Side | undefined)[]
  scans: number
}

/** Reads out the chosen cell, row or column, and offers what can be done with it. */
function ChosenPlace({ sides: both, scans, search, onSearch, linkOfCode }: ChosenProps) {
  const sides = both.filter((side) => side !== undefined)
  const [first, second] = sides
  if (first === undefined) return <p className="py-2">{text.hint}</p>
  const counted = analyticsWords.scans(scans, formatNumber(scans))
  const said =
    second === undefined ? text.sum(first.name, counted) : text.cell(first.name, second.name, counted)
  const code = sides.find(({ dimension }) => dimension === 'code')
  const filters = sides.flatMap(filterOf)
  const only = () =>
    onSearch?.({
      ...withFilters(search, filters),
      ...(code !== undefined && { ids: code.value, selection: undefined }),
    })
  return (
    <div className="flex flex-wrap items-center gap-2">
      <p className="font-medium text-ink">{said}</p>
      {onSearch !== undefined && (
        <Button onClick={only}>{second === undefined ? filterWords.only(first.name) : text.onlyBoth}</Button>
      )}
      {onSearch !== undefined &&
        filters.map((filter) => (
          <Button
            key={filter.name}
            onClick={() => onSearch(withFilters(search, [{ ...filter, isNot: true }]))}
          >
            {filterWords.exclude(valueName(filter.name, filter.value))}
          </Button>
        ))}
      {code !== undefined && linkOfCode?.(code.value, text.open, buttonClass())}
    </div>
  )
}

function filterOf({ dimension, value }: Side): readonly Filter[] {
  return dimension === 'code' ? [] : [{ name: dimension, value, isNot: false }]
}

/** Returns the scans of a cell, or the sum of a row or a column. */
function scansAt(scans: AnalyticsMatrix['scans'], place: Place | undefined): number {
  const { row, column } = place ?? {}
  const rows = row === undefined ? scans : [scans[row] ?? []]
  return rows
    .flatMap((cells) => (column === undefined ? cells : [cells[column] ?? 0]))
    .reduce((sum, count) => sum + count, 0)
}
