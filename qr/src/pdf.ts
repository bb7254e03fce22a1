import { deflateSync } from 'node:zlib'
import type { Drawing, Layer, LogoLayer, PathLayer } from './drawing.ts'
import type { GradientFill } from './fills.ts'
import { type LogoData, readLogoData } from './logo-data.ts'
import {
  measurePrint,
  printMatrix,
  type PrintOptions,
  writeInk,
  writeNumber,
  writePrintPath,
  writeRgb,
} from './print.ts'
import { pushCircle } from './shapes.ts'

/**
 * Writes a drawing as a PDF of one page that is exactly the picture, `widthMm` wide, in vectors; gradients are
 * shadings, a logo is an image with its transparency. Black is black ink alone. There is no date and no id in it: the
 * same drawing gives the same bytes, as far as zlib does.
 *
 * Throws `PictureError` for a width out of bounds, and for a logo that is neither pixels nor a JPEG in grey or RGB.
 */
export function writePdf(drawing: Drawing, { widthMm, title }: PrintOptions): Buffer {
  const { widthPt, heightPt, scale } = measurePrint(drawing, widthMm)
  const matrix = printMatrix(drawing, scale)
  const objects = new PdfObjects()
  const pages = objects.reserve()
  const content = drawing.layers.map((layer, at) => writeLayer(layer, at)).join('\n')
  const resources = drawing.layers.flatMap((layer, at) => addResource(objects, layer, { at, matrix }))
  const page = objects.add(
    `<</Type/Page/Parent ${pages} 0 R/MediaBox[0 0 ${writeNumber(widthPt, 4)} ${writeNumber(heightPt, 4)}]` +
      `/Resources<<${resources.join('')}>>` +
      `/Contents ${objects.addStream('', Buffer.from(`${matrix} cm\n${content}\n`))} 0 R>>`,
  )
  objects.set(pages, `<</Type/Pages/Kids[${page} 0 R]/Count 1>>`)
  const isTitled = title !== undefined
  const root = objects.add(
    `<</Type/Catalog/Pages ${pages} 0 R${isTitled ? '/ViewerPreferences<</DisplayDocTitle true>>' : ''}>>`,
  )
  const info = isTitled ? `/Info ${objects.add(`<</Title ${writeText(title)}>>`)} 0 R` : ''
  return objects.write(`/Root ${root} 0 R${info}`)
}

function writeLayer(layer: Layer, at: number): string {
  if (layer.kind === 'logo') return writeLogo(layer, at)
  if (layer.kind === 'path') return `${writeFill(layer, at)}\n${writePrintPath(layer.path)}\nf`
  const { x, y, width, height } = layer.box
  return `${writeInk(layer.fill, inks)}\n${[x, y, width, height].join(' ')} re f`
}

const inks = { cmyk: 'k', rgb: 'rg' } as const

function writeFill({ fill }: PathLayer, at: number): string {
  return typeof fill === 'string' ? writeInk(fill, inks) : `/Pattern cs /R${at} scn`
}

/** Images are drawn from the bottom up, so the picture's box is turned over. */
function writeLogo({ box, clip }: LogoLayer, at: number): string {
  const place = [box.width, 0, 0, -box.height, box.x, box.y + box.height].map((value) => writeNumber(value))
  const circle: number[] = []
  if (clip) pushCircle(circle, clip, clip.radius)
  return `q\n${clip ? `${writePrintPath(circle)} W n\n` : ''}${place.join(' ')} cm /R${at} Do\nQ`
}

/** What a layer needs beside the page's content: its shading or its image. */
function addResource(objects: PdfObjects, layer: Layer, { at, matrix }: { at: number; matrix: string }) {
  if (layer.kind === 'logo') return [`/XObject<</R${at} ${addImage(objects, layer)} 0 R>>`]
  if (layer.kind === 'box' || typeof layer.fill === 'string') return []
  const shading = `<</Type/Pattern/PatternType 2/Matrix[${matrix}]/Shading ${writeShading(layer.fill)}>>`
  return [`/Pattern<</R${at} ${objects.add(shading)} 0 R>>`]
}

/** ISO 32000-1, 8.7.4.5.3 and 8.7.4.5.4. */
function writeShading(gradient: GradientFill): string {
  const [first, last] = gradient.colors.map(writeRgb)
  const blend = `<</FunctionType 2/Domain[0 1]/C0[${first}]/C1[${last}]/N 1>>`
  const coordinates =
    gradient.type === 'linear'
      ? [gradient.from.x, gradient.from.y, gradient.to.x, gradient.to.y]
      : [gradient.centre.x, gradient.centre.y, 0, gradient.centre.x, gradient.centre.y, gradient.radius]
  const type = gradient.type === 'linear' ? 2 : 3
  const coords = coordinates.map((value) => writeNumber(value)).join(' ')
  return `<</ShadingType ${type}/ColorSpace/DeviceRGB/Coords[${coords}]/Function ${blend}/Extend[true true]>>`
}

function addImage(objects: PdfObjects, { picture }: LogoLayer): number {
  const data = readLogoData(picture)
  const size = `/Width ${picture.widthPx}/Height ${picture.heightPx}/BitsPerComponent 8/Interpolate true`
  const mask = data.alpha && addMask(objects, size, data.alpha)
  const masked = mask === undefined ? '' : `/SMask ${mask} 0 R`
  const dictionary = `/Type/XObject/Subtype/Image${size}/ColorSpace/${data.colorSpace}${masked}`
  return objects.addPacked(dictionary, data)
}

function addMask(objects: PdfObjects, size: string, alpha: Buffer): number {
  const data = { filter: 'FlateDecode', samples: alpha } as const
  return objects.addPacked(`/Type/XObject/Subtype/Image${size}/ColorSpace/DeviceGray`, data)
}

/** A text string in UTF-16 with its mark, in hexadecimal digits, which need no escapes (7.9.2.2). */
function writeText(text: string): string {
  const bytes = Buffer.from(`\ufeff${text.toWellFormed()}`, 'utf16le').swap16()
  return `<${bytes.toString('hex')}>`
}

/** The numbered objects of a file, and the table of where they begin. */
class PdfObjects {
  private readonly bodies: Buffer[] = []

  reserve(): number {
    return this.bodies.push(Buffer.alloc(0))
  }

  set(number: number, body: string) {
    this.bodies[number - 1] = Buffer.from(body, 'latin1')
  }

  add(body: string): number {
    return this.bodies.push(Buffer.from(body, 'latin1'))
  }

  addStream(dictionary: string, data: Buffer): number {
    return this.addPacked(dictionary, { filter: 'FlateDecode', samples: deflateSync(data, { level: 9 }) })
  }

  addPacked(dictionary: string, { filter, samples }: Pick<LogoData, 'filter' | 'samples'>): number {
    const head = `<<${dictionary}/Filter/${filter}/Length ${samples.length}>>stream\n`
    return this.bodies.push(Buffer.concat([Buffer.from(head, 'latin1'), samples, Buffer.from('\nendstream')]))
  }

  /** 7.5: header with bytes above 127, so that nobody takes it for text; objects; table; trailer. */
  write(trailer: string): Buffer {
    const parts = [Buffer.from('%PDF-1.4\n%\xe2\xe3\xcf\xd3\n', 'latin1')]
    let offset = parts[0]?.length ?? 0
    let table = `xref\n0 ${this.bodies.length + 1}\n0000000000 65535 f \n`
    for (const [at, body] of this.bodies.entries()) {
      const part = Buffer.concat([Buffer.from(`${at + 1} 0 obj\n`), body, Buffer.from('\nendobj\n')])
      table += `${String(offset).padStart(10, '0')} 00000 n \n`
      parts.push(part)
      offset += part.length
    }
    const size = `/Size ${this.bodies.length + 1}`
    parts.push(Buffer.from(`${table}trailer\n<<${size}${trailer}>>\nstartxref\n${offset}\n%%EOF\n`))
    return Buffer.concat(parts)
  }
}
