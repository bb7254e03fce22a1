import type { DownloadFormat } from '@everscan/contract/resources/downloads.ts'
import type { Style } from '@everscan/contract/resources/styles.ts'
import { createMatrix } from '@everscan/qr/content/matrix.ts'
import { encodePayload } from '@everscan/qr/content/payload.ts'
import { pictureDefaults } from '@everscan/qr/picture.ts'
import { encodingOf } from '@everscan/qr/shapes/encodings.ts'
import { layOutPicture, quietModules } from '@everscan/qr/shapes/frames.ts'
import { damaged, damageNames, open, type DamageName, type Scene } from '@everscan/qr/testing/damages.ts'
import { rasterizePdf, readers, readWithJsQr, readWithZbar } from '@everscan/qr/testing/readers.ts'
import sharp, { type Sharp } from 'sharp'
import { shortUrlOf } from '../../product/records/qr-code-records.ts'
import { pictureSizeOf } from '../../product/pictures/picture-sizes.ts'
import { drawPicture } from '../../product/pictures/pictures.ts'
import type { StyledSample } from './random-styles.ts'

/** White paper that is seen around a picture, in modules. */
const paperModules = 8

export type DamagedPicture = {
  sample: StyledSample
  /** The style as it was accepted. */
  style: Style
  /** EPS is compared with the SVG in its own tests: no package draws it. */
  format: Exclude<DownloadFormat, 'eps'>
  modulePx: number
  /** Whether the program zbarimg reads it too. */
  withZbar: boolean
}

/** Whether a reader found the text of a picture with a damage. */
export type DamagedReading = { reader: string; damage: DamageName; isRead: boolean }

/** Draws a picture, lays it on white paper, and shows it to the readers with each damage. */
export async function readDamaged(picture: DamagedPicture): Promise<DamagedReading[]> {
  const { sample, withZbar } = picture
  const text = encodePayload(shortUrlOf(sample, sample.publicUrl))
  const scene = await sceneOf(picture, text)
  const readings: DamagedReading[] = []
  const scenes: Scene[] = []
  for (const damage of damageNames) {
    const seen = await damaged(scene, damage)
    scenes.push(seen)
    for (const [reader, read] of Object.entries({ ...readers, jsQR: readWithJsQr }))
      readings.push({ reader, damage, isRead: (await read(open(seen))) === text })
  }
  const byZbar = withZbar ? await readWithZbar(scenes.map(open)) : []
  for (const [at, found] of byZbar.entries()) {
    const damage = damageNames[at]
    if (damage !== undefined) readings.push({ reader: 'zbar', damage, isRead: found === text })
  }
  return readings
}

async function sceneOf({ style, format, modulePx }: DamagedPicture, text: string): Promise<Scene> {
  const code = encodingOf(text, style)
  const margin = style.margin ?? pictureDefaults.marginModules
  const { width } = layOutPicture(createMatrix(code).size, margin, style.frame).picture
  const sizePx = Math.max(64, Math.round(width * modulePx))
  const bytes = Buffer.from(
    await drawPicture({ code, style, format, size: pictureSizeOf(format, { size: sizePx }), title: text }),
  )
  const drawn = format === 'pdf' ? await rasterizePdf(bytes, sizePx) : sharp(bytes)
  // As the warnings of the record require: the code's own paper up to the quiet zone.
  const own = style.backgroundColor ?? pictureDefaults.background
  const ownModules = style.frame === undefined ? Math.max(0, quietModules - margin) : 0
  const inner = await flat(drawn.flatten({ background: own }).extend(around(ownModules * modulePx, own)))
  const paper = style.transparent === true ? own : pictureDefaults.background
  const outer = await flat(open(inner).extend(around(paperModules * modulePx, paper)))
  return { ...outer, modulePx }

  async function flat(picture: Sharp): Promise<Scene> {
    const { data, info } = await picture
      .toColorspace('srgb')
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    return { data, width: info.width, height: info.height, modulePx }
  }
}

function around(px: number, background: string) {
  const side = Math.ceil(px)
  return { top: side, bottom: side, left: side, right: side, background }
}
