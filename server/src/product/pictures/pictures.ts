import type { DownloadFormat, PrintParameters } from '@everscan/contract/resources/downloads.ts'
import type { Style } from '@everscan/contract/resources/styles.ts'
import { type Drawing, isFlat, isPlain } from '@everscan/qr/drawing/drawing.ts'
import { writeEps } from '@everscan/qr/writers/eps.ts'
import { createMatrix, type MatrixOptions } from '@everscan/qr/content/matrix.ts'
import { writePdf } from '@everscan/qr/writers/pdf.ts'
import { drawPng } from '@everscan/qr/writers/png.ts'
import { writePng } from '@everscan/qr/writers/styled-png.ts'
import { writeSvg } from '@everscan/qr/writers/svg.ts'
import sharp, { type Sharp } from 'sharp'
import type { PictureSize } from './picture-sizes.ts'
import { drawStyled } from '../styles/draw-styled.ts'

export type PictureRequest = {
  code: MatrixOptions
  style: Style
  format: DownloadFormat
  size: PictureSize
  /** Of PDF and EPS. */
  print?: PrintParameters | undefined
  /** Quiet zone in modules; overrides that of the style. */
  marginModules?: number | undefined
  /** The text that assistive technology reads out. */
  title: string
}

const mmPerMetre = 1000

/**
 * Draws a picture in any format. Throws `PictureError` for fewer pixels than the code has modules.
 */
export async function drawPicture(request: PictureRequest): Promise<Buffer | string> {
  const { code, style, format, size, print = {}, marginModules, title } = request
  const { sizePx, widthMm } = size
  const pixelsPerMetre = widthMm === undefined ? undefined : Math.round((sizePx / widthMm) * mmPerMetre)
  if (format === 'png' && isPlain(style))
    return drawPng(createMatrix(code), {
      sizePx,
      marginModules: marginModules ?? style.margin,
      foreground: style.foregroundColor,
      background: style.backgroundColor,
      pixelsPerMetre,
    })
  const drawing = await drawStyled(code, style, { marginModules })
  const { colorSpace, bleed, cropMarks } = print
  const printed = { widthMm: widthMm ?? 0, title, colorSpace, bleedMm: bleed, cropMarks }
  switch (format) {
    case 'svg':
      return inMillimetres(writeSvg(drawing, { sizePx, title }), drawing, widthMm)
    case 'pdf':
      return Buffer.from(writePdf(drawing, printed))
    case 'eps':
      return Buffer.from(writeEps(drawing, printed))
    case 'png':
      if (isFlat(style)) return writePng(drawing, { sizePx, pixelsPerMetre })
      return withDensity(rasterize(drawing, sizePx), size).png({ compressionLevel: 9 }).toBuffer()
    case 'jpeg':
      return withDensity(rasterize(drawing, sizePx).flatten({ background: drawing.background }), size)
        .jpeg({ quality: 92, chromaSubsampling: '4:4:4' })
        .toBuffer()
    case 'webp':
      return rasterize(drawing, sizePx).webp({ lossless: true }).toBuffer()
    default:
      return format satisfies never
  }
}

function rasterize(drawing: Drawing, sizePx: number): Sharp {
  return sharp(Buffer.from(writeSvg(drawing, { sizePx })))
}

function withDensity(picture: Sharp, { dpi }: PictureSize): Sharp {
  return dpi === undefined ? picture : picture.withMetadata({ density: dpi })
}

/** The first width and height in an SVG are those of the picture itself. */
function inMillimetres(svg: string, { width, height }: Drawing, widthMm: number | undefined): string {
  if (widthMm === undefined) return svg
  const heightMm = Math.round(((widthMm * height) / width) * 1000) / 1000
  return svg.replace(/ width="\d+" height="\d+"/, ` width="${widthMm}mm" height="${heightMm}mm"`)
}
