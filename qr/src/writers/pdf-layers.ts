import { createHash } from 'node:crypto'
import type { ColorSpace } from '@everscan/contract/resources/downloads.ts'
import type { Layer, LogoLayer, PathLayer } from '../drawing/drawing.ts'
import type { GradientFill } from '../shapes/fills.ts'
import { readLogoData } from '../shapes/logo-data.ts'
import type { PdfObjects } from './pdf-objects.ts'
import { writeInk, writeNumber, writePrintPath, writeShade } from './print.ts'
import { pushCircle } from '../shapes/shapes.ts'

/**
 * Returns the layers of a drawing as operators, in the drawing's own units, and the resources that
 * the operators name. `matrix` maps these units to those of the page or form that will contain
 * them. `colorSpace` is that of all colors: see `writeInk`.
 */
export function writeLayers(
  objects: PdfObjects,
  layers: readonly Layer[],
  { matrix, colorSpace }: { matrix: string; colorSpace?: ColorSpace | undefined },
) {
  const content = layers.map((layer, at) => writeLayer(layer, at, colorSpace)).join('\n')
  const resources = layers.flatMap((layer, at) => addResource(objects, layer, { at, matrix, colorSpace }))
  return { content, resources: `<<${resources.join('')}>>` }
}

function writeLayer(layer: Layer, at: number, colorSpace?: ColorSpace): string {
  if (layer.kind === 'logo') return writeLogo(layer, at)
  if (layer.kind === 'path') return `${writeFill(layer, at, colorSpace)}\n${writePrintPath(layer.path)}\nf`
  const { x, y, width, height } = layer.box
  return `${writeInk(layer.fill, pdfInks, colorSpace)}\n${[x, y, width, height].join(' ')} re f`
}

export const pdfInks = { cmyk: 'k', rgb: 'rg' } as const

function writeFill({ fill }: PathLayer, at: number, colorSpace?: ColorSpace): string {
  return typeof fill === 'string' ? writeInk(fill, pdfInks, colorSpace) : `/Pattern cs /R${at} scn`
}

/** Images are drawn from the bottom up, so the picture's box is flipped. */
function writeLogo({ box, clip }: LogoLayer, at: number): string {
  const place = [box.width, 0, 0, -box.height, box.x, box.y + box.height].map((value) => writeNumber(value))
  const circle: number[] = []
  if (clip) pushCircle(circle, clip, clip.radius)
  return `q\n${clip ? `${writePrintPath(circle)} W n\n` : ''}${place.join(' ')} cm /R${at} Do\nQ`
}

/** Returns the resource that a layer needs in addition to its content: a shading or an image. */
function addResource(
  objects: PdfObjects,
  layer: Layer,
  { at, matrix, colorSpace }: { at: number; matrix: string; colorSpace?: ColorSpace | undefined },
) {
  if (layer.kind === 'logo') return [`/XObject<</R${at} ${addImageOnce(objects, layer, colorSpace)} 0 R>>`]
  if (layer.kind === 'box' || typeof layer.fill === 'string') return []
  const shading = `<</Type/Pattern/PatternType 2/Matrix[${matrix}]/Shading ${writeShading(layer.fill, colorSpace)}>>`
  return [`/Pattern<</R${at} ${objects.add(shading)} 0 R>>`]
}

/** ISO 32000-1, 8.7.4.5.3 and 8.7.4.5.4. */
function writeShading(gradient: GradientFill, colorSpace?: ColorSpace): string {
  const [from, to] = gradient.colors
  const [first, last] = [writeShade(from, colorSpace), writeShade(to, colorSpace)]
  const blend = `<</FunctionType 2/Domain[0 1]/C0[${first.parts}]/C1[${last.parts}]/N 1>>`
  const coordinates =
    gradient.type === 'linear'
      ? [gradient.from.x, gradient.from.y, gradient.to.x, gradient.to.y]
      : [gradient.centre.x, gradient.centre.y, 0, gradient.centre.x, gradient.centre.y, gradient.radius]
  const type = gradient.type === 'linear' ? 2 : 3
  const coords = coordinates.map((value) => writeNumber(value)).join(' ')
  return `<</ShadingType ${type}/ColorSpace/${first.space}/Coords[${coords}]/Function ${blend}/Extend[true true]>>`
}

/** Adds each logo to the file once, even if a thousand codes share it. */
function addImageOnce(objects: PdfObjects, layer: LogoLayer, colorSpace?: ColorSpace): number {
  const { dataUri, rgba } = layer.picture
  const key = createHash('sha256')
    .update(dataUri)
    .update(rgba ?? '')
    .digest('base64')
  const known = objects.images.get(key)
  if (known !== undefined) return known
  const image = addImage(objects, layer, colorSpace)
  objects.images.set(key, image)
  return image
}

function addImage(objects: PdfObjects, { picture }: LogoLayer, colorSpace?: ColorSpace): number {
  const data = readLogoData(picture, { colorSpace })
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
