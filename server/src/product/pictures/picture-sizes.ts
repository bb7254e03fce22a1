import { problem } from '@everscan/contract/problems/problem.ts'
import {
  isVectorFormat,
  printParameterNames,
  type DownloadFormat,
  type PrintParameters,
} from '@everscan/contract/resources/downloads.ts'
import { pictureDefaults, pictureLimits } from '@everscan/qr/picture.ts'
import { validationError } from '../../request-errors.ts'

const mmPerInch = 25.4
const dpiDefault = 300

/** The size of a picture: in pixels, and in print if this was requested or is the only measure. */
export type PictureSize = { sizePx: number; widthMm: number | undefined; dpi: number | undefined }

/**
 * Reads `size`, `sizeMm` and `dpi`; `dpi` requires `sizeMm`. Throws ApiError 400 for an impossible
 * combination.
 */
export function pictureSizeOf(
  format: DownloadFormat,
  { size, sizeMm, dpi }: { size?: number; sizeMm?: number; dpi?: number },
): PictureSize {
  if (sizeMm === undefined) {
    if (dpi !== undefined)
      throw validationError([{ path: 'dpi', ...problem('withoutRequired', { field: 'sizeMm' }) }])
    const sizePx = size ?? pictureDefaults.sizePx
    return { sizePx, widthMm: isVectorFormat(format) ? (sizePx / dpiDefault) * mmPerInch : undefined, dpi }
  }
  if (size !== undefined)
    throw validationError([{ path: 'sizeMm', ...problem('notTogetherWith', { fields: 'size' }) }])
  if (isVectorFormat(format) || format === 'svg')
    return { sizePx: pictureDefaults.sizePx, widthMm: sizeMm, dpi: undefined }
  const dots = dpi ?? dpiDefault
  const sizePx = Math.round((sizeMm / mmPerInch) * dots)
  const { sizePxMin, sizePxMax } = pictureLimits
  if (sizePx >= sizePxMin && sizePx <= sizePxMax) return { sizePx, widthMm: sizeMm, dpi: dots }
  const found = problem('pixelsOutside', { min: sizePxMin, max: sizePxMax, dpi: dots, got: sizePx })
  throw validationError([{ path: 'sizeMm', ...found }])
}

/**
 * Returns the parameters that only print formats have. Throws ApiError 400 for those of another
 * format.
 */
export function printParametersOf(format: DownloadFormat, asked: PrintParameters): PrintParameters {
  if (isVectorFormat(format)) {
    const { colorSpace, bleed, cropMarks } = asked
    return { colorSpace, bleed, cropMarks }
  }
  // Of the others, none and no are the same as nothing.
  const wrong = printParameterNames.filter((name) => Boolean(asked[name]))
  if (wrong.length === 0) return {}
  throw validationError(wrong.map((path) => ({ path, ...problem('onlyForPrint') })))
}
