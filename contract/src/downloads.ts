import { Type, type Static } from 'typebox'
import { oneOf, strictObject } from './common.ts'
import { keysOf } from './records.ts'
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
      description: 'Width and height in pixels, 64 to 4096.',
      minimum: 64,
      maximum: 4096,
      default: 1024,
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
