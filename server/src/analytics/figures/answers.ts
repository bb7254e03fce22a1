import type {
  MatrixSides,
  OrganizationFigures,
  QrCodeAnalyticsOptions,
  QrCodeFigures,
  ScanMatrix,
} from '../scan-store.ts'
import type { Interval } from './calendar.ts'
import {
  ownDestination,
  rankedDestinations,
  rankedQrCodes,
  scanFigures,
  type BreakdownRow,
  type ScanFigures,
} from './figures.ts'
import { matrixOf } from './matrix-cells.ts'
import type { Period } from './period.ts'

/** Arranges the groups of all breakdowns of a code. */
export function codeFiguresOf(options: QrCodeAnalyticsOptions, rows: readonly BreakdownRow[]): QrCodeFigures {
  const figures = figuresOf(options, rows)
  const { summary } = figures
  const destinations =
    options.byDestination === true ? rankedDestinations(rows, summary.totalScans) : ownDestination(summary)
  return { qrCodeId: options.qrCodeId, ...figures, destinations }
}

/** Arranges the groups of all breakdowns of an organization. */
export function organizationFiguresOf(
  options: AnsweredOptions,
  rows: readonly BreakdownRow[],
): OrganizationFigures {
  return { ...figuresOf(options, rows), topQrCodes: rankedQrCodes(rows) }
}

type AnsweredOptions = Period & { interval: Interval; matrix?: MatrixSides | undefined }

function figuresOf(
  options: AnsweredOptions,
  rows: readonly BreakdownRow[],
): ScanFigures & { matrix?: ScanMatrix } {
  const figures = scanFigures(options, rows)
  const { matrix } = options
  if (matrix === undefined) return figures
  return { ...figures, matrix: matrixOf(matrix, rows, figures.summary.totalScans) }
}
