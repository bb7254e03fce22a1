import { isVectorFormat, type DownloadFormat } from '@everscan/contract/resources/downloads.ts'
import { pictureDefaults, pictureLimits } from '@everscan/qr/picture.ts'
import { validationError } from '../http/request-errors.ts'

const mmPerInch = 25.4
const dpiDefault = 300

/** How large a picture is: in pixels, and in print when that was asked for or is all there is. */
export type PictureSize = { sizePx: number; widthMm: number | undefined; dpi: number | undefined }

/** Reads `size`, `sizeMm` and `dpi`, of which the last two go together. Throws 400 for what cannot be. */
export function pictureSizeOf(
  format: DownloadFormat,
  { size, sizeMm, dpi }: { size?: number; sizeMm?: number; dpi?: number },
): PictureSize {
  if (sizeMm === undefined) {
    if (dpi !== undefined)
      throw validationError([{ path: 'dpi', message: 'goes with sizeMm, which is missing' }])
    const sizePx = size ?? pictureDefaults.sizePx
    return { sizePx, widthMm: isVectorFormat(format) ? (sizePx / dpiDefault) * mmPerInch : undefined, dpi }
  }
  if (size !== undefined)
    throw validationError([{ path: 'sizeMm', message: 'must not be given together with size' }])
  if (isVectorFormat(format) || format === 'svg')
    return { sizePx: pictureDefaults.sizePx, widthMm: sizeMm, dpi: undefined }
  const dots = dpi ?? dpiDefault
  const sizePx = Math.round((sizeMm / mmPerInch) * dots)
  const { sizePxMin, sizePxMax } = pictureLimits
  if (sizePx >= sizePxMin && sizePx <= sizePxMax) return { sizePx, widthMm: sizeMm, dpi: dots }
  const message = `must come to ${sizePxMin} to ${sizePxMax} pixels at ${dots} dpi, got ${sizePx}`
  throw validationError([{ path: 'sizeMm', message }])
}
