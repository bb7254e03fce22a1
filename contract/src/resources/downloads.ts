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

/** Whether a format is measured only in millimetres, not in pixels. */
export function isVectorFormat(format: DownloadFormat): format is 'pdf' | 'eps' {
  return format === 'pdf' || format === 'eps'
}

export const downloadContents = ['dynamic', 'direct'] as const
export const colorSpaces = ['rgb', 'cmyk'] as const
export type ColorSpace = (typeof colorSpaces)[number]
export const downloadDispositions = ['attachment', 'inline'] as const

/** The parameters that only PDF and EPS have. */
const printParameters = {
  colorSpace: Type.Optional(
    oneOf(colorSpaces, {
      description:
        'Colors of PDF and EPS: rgb has all colors in RGB, in PDF with the output intent sRGB; cmyk has all in the four inks, ' +
        'converted without a profile. Default: black and white in inks, other colors in RGB.',
    }),
  ),
  bleed: Type.Optional(
    Type.Number({
      description:
        'Millimetres, 0 to 5, by which the background and the frame of PDF and EPS continue beyond the picture, to be cut off. sizeMm is the width after the cut. Default: 0.',
      minimum: 0,
      maximum: 5,
    }),
  ),
  cropMarks: Type.Optional(
    Type.Boolean({
      description: 'Whether PDF and EPS have marks outside the picture that show where to cut. Default: no.',
    }),
  ),
}
export const printParameterNames = keysOf(printParameters)
export type PrintParameters = {
  colorSpace?: ColorSpace | undefined
  bleed?: number | undefined
  cropMarks?: boolean | undefined
}

/** The requested picture; by default a PNG of 1024 px. */
export const downloadParameters = {
  format: Type.Optional(
    oneOf(keysOf(downloadFormats), {
      description:
        'Picture format; jpg is jpeg. Default: the one picture type that the header Accept names, without */* beside it, otherwise png.',
      'x-aliases': { jpg: 'jpeg' },
    }),
  ),
  size: Type.Optional(
    Type.Integer({
      description:
        'Width in pixels, 64 to 4096. Default: 1024. The height is the same, or more with a label. ' +
        'For formats without pixels (PDF, EPS) it is taken at 300 dpi.',
      minimum: 64,
      maximum: 4096,
    }),
  ),
  sizeMm: Type.Optional(
    Type.Number({
      description:
        'Printed width in millimetres, instead of size: exact in PDF, EPS and SVG, converted to pixels with `dpi` in the others.',
      minimum: 5,
      maximum: 2_000,
      // The smallest size has too few pixels at the default resolution.
      examples: [40],
    }),
  ),
  dpi: Type.Optional(
    Type.Integer({
      description: 'Dots per inch of PNG, JPEG and WebP, with sizeMm. Default: 300.',
      minimum: 72,
      maximum: 1_200,
    }),
  ),
  ...printParameters,
  margin: Type.Optional(Margin),
  errorCorrection: Type.Optional(ErrorCorrection),
  content: Type.Optional(
    oneOf(downloadContents, {
      description:
        'dynamic encodes the short URL, whose destination can change and whose scans are counted; direct encodes the content itself, ' +
        'which works offline but is not counted, for types that have such a form.',
      default: 'dynamic',
    }),
  ),
}

/** The query of the download of one picture. */
export const DownloadQuery = strictObject({
  ...downloadParameters,
  disposition: Type.Optional(
    oneOf(downloadDispositions, {
      description: 'Whether a browser saves or shows the picture.',
      default: 'attachment',
    }),
  ),
})
export type DownloadQuery = Static<typeof DownloadQuery>
