import { problem } from '@everscan/contract/problems/problem.ts'
import {
  isVectorFormat,
  type DownloadFormat,
  type DownloadQuery,
} from '@everscan/contract/resources/downloads.ts'
import type { Style } from '@everscan/contract/resources/styles.ts'
import { directPayload } from '@everscan/qr/content/direct-payload.ts'
import { encodingOf, errorCorrectionOf } from '@everscan/qr/shapes/encodings.ts'
import { layOutPicture } from '@everscan/qr/shapes/frames.ts'
import { createMatrix, type Matrix, type MatrixOptions } from '@everscan/qr/content/matrix.ts'
import { encodePayload } from '@everscan/qr/content/payload.ts'
import { PictureError, pictureDefaults } from '@everscan/qr/picture.ts'
import type { QrCodeRow } from '../../catalogue/rows/qr-code-row.ts'
import { pictureSizeOf, printParametersOf } from './picture-sizes.ts'
import type { PictureRequest } from './pictures.ts'
import { shortUrlOf } from '../records/qr-code-records.ts'
import { validationError } from '../../request-errors.ts'
import type { StyleWork } from '../styles/style-work.ts'
import { acceptStyle } from '../styles/acceptance.ts'

export type DownloadOptions = Omit<DownloadQuery, 'format' | 'disposition'> & {
  format: DownloadFormat
  publicUrl: string
  work: StyleWork
}

/**
 * Plans the picture of a code that a download requests. Throws ApiError 400 for a size that is too
 * small, an option of another format or a content that no picture can hold, and 422 if the picture
 * could not be decoded.
 */
export async function pictureOfDownload(row: QrCodeRow, options: DownloadOptions): Promise<PictureRequest> {
  const { format, errorCorrection, content, margin: marginModules, publicUrl, work } = options
  const size = pictureSizeOf(format, options)
  const print = printParametersOf(format, options)
  const style = errorCorrection === undefined ? row.style : { ...row.style, errorCorrection }
  const text = content === 'direct' ? directText(row) : encodePayload(shortUrlOf(row, publicUrl))
  const encode = (one: Style): MatrixOptions =>
    content === 'direct'
      ? encodingOf(text, one)
      : { text, errorCorrection: errorCorrectionOf(one), ...row.picture }
  const code = encode(style)
  const matrix = matrixOf(code)
  const margin = marginModules ?? style.margin ?? pictureDefaults.marginModules
  const leastPx = layOutPicture(matrix.size, margin, style.frame).picture.width
  if (!isVectorFormat(format) && format !== 'svg' && size.sizePx < leastPx) {
    const found = problem('pictureTooSmallFor', { min: leastPx, margin, got: size.sizePx })
    throw validationError([{ path: 'size', ...found }])
  }
  // The code's own picture was decoded when its style was accepted; this picture differs from it. A
  // large one without a style has nothing to find fault with: what a decoder fails at is its size.
  const isPlain = Object.keys(style).every((field) => field === 'errorCorrection')
  if ((style !== row.style || content === 'direct') && !isPlain)
    await acceptStyle(style, { encode, storedStyles: [style], work })
  return { code, style, format, size, print, marginModules, title: row.name }
}

function matrixOf(code: MatrixOptions): Matrix {
  try {
    return createMatrix(code)
  } catch (error) {
    if (!(error instanceof PictureError)) throw error
    const { text, errorCorrection: level } = code
    const max = bytesMax[level]
    const got = Buffer.byteLength(text)
    const found =
      got > max ? problem('contentTooLong', { max, level, got }) : problem('textTooLongForLevel', { level })
    throw validationError([{ path: 'content', ...found }])
  }
}

/** Bytes in a QR code of the largest version, by level: ISO/IEC 18004, table 7. */
const bytesMax = { L: 2_953, M: 2_331, Q: 1_663, H: 1_273 } as const

function directText({ type, data }: QrCodeRow): string {
  const text = directPayload(type, data as never)
  if (text !== undefined) return text
  throw validationError([{ path: 'content', ...problem('notDirectContent', { type }) }])
}
