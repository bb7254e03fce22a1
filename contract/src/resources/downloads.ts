import { Type, type Static } from 'typebox'
import { oneOf, strictObject } from '../schema/common.ts'
import { keysOf } from '../schema/records.ts'
import { ErrorCorrection, Margin } from './styles.ts'

/** The picture formats, with their media types. */
export const downloadFormats = {
  png: 'image/png',
  svg: 'image/svg+xml',
  pdf: 'application/pdf',
  eps: 'application/postscript',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
} as const

export type DownloadFormat = keyof typeof downloadFormats

/** Whether a format has only millimetres and no pixels. */
export function isVectorFormat(format: DownloadFormat): format is 'pdf' | 'eps' {
  return format === 'pdf' || format === 'eps'
}

export const downloadContents = ['dynamic', 'direct'] as const
export const downloadDispositions = ['attachment', 'inline'] as const

/** What picture is wanted; without anything a PNG of 1024 px. */
export const downloadParameters = {
  format: Type.Optional(
    oneOf(keysOf(downloadFormats), {
      description: 'Picture format; without it the Accept header decides, and without that it is png.',
    }),
  ),
  size: Type.Optional(
    Type.Integer({
      description:
        'Width in pixels, 64 to 4096; 1024 unless given. The height is the same, and more with a label. ' +
        'Where there are no pixels (PDF, EPS) it is taken at 300 dpi.',
      minimum: 64,
      maximum: 4096,
    }),
  ),
  sizeMm: Type.Optional(
    Type.Number({
      description:
        'Width in print, in millimetres, in place of size: real millimetres in PDF, EPS and SVG, pixels at `dpi` in the others.',
      minimum: 5,
      maximum: 2_000,
    }),
  ),
  dpi: Type.Optional(
    Type.Integer({
      description: 'Dots an inch of PNG, JPEG and WebP, with sizeMm; 300 unless given.',
      minimum: 72,
      maximum: 1_200,
    }),
  ),
  margin: Type.Optional(Margin),
  errorCorrection: Type.Optional(ErrorCorrection),
  content: Type.Optional(
    oneOf(downloadContents, {
      description:
        'dynamic encodes the short URL, which can be changed and is counted; direct encodes the content itself, ' +
        'which works without a network but is not counted, for types that have such a form.',
      default: 'dynamic',
    }),
  ),
}

/** The query of a download of one picture. */
export const DownloadQuery = strictObject({
  ...downloadParameters,
  disposition: Type.Optional(
    oneOf(downloadDispositions, {
      description: 'Whether a browser saves it or shows it.',
      default: 'attachment',
    }),
  ),
})
export type DownloadQuery = Static<typeof DownloadQuery>
