import type { Style } from '@everscan/contract/resources/styles.ts'
import { quietModules } from '@everscan/qr/shapes/frames.ts'
import { minPrint } from '@everscan/qr/reading/min-print.ts'
import { readBack } from '@everscan/qr/reading/read-back.ts'
import type { StyledMatrix, StyleReading } from '../http/style-work.ts'
import { drawStyled } from './draw-styled.ts'

/**
 * Draws a code in a style and reads the picture with two third-party decoders. Takes tens of
 * milliseconds, most of them on the calling thread.
 */
export async function readStyle({ code, style }: StyledMatrix): Promise<StyleReading> {
  const drawing = await drawStyled(code, style)
  // A picture without a frame is surrounded by paper of its own background color; the record has a
  // warning about it.
  const paperModules =
    style.frame === undefined ? Math.max(0, quietModules - (style.margin ?? quietModules)) : 0
  const worn = style.logo && (await drawStyled(code, withWiderLogo(style)))
  const isOpaque = style.transparent !== true
  const { readers, minModulePx } = await readBack(drawing, code.text, { paperModules, worn, isOpaque })
  return { readers, print: minPrint(drawing, minModulePx) }
}

/**
 * The checked code stands for many: a logo may cover more modules of another code that happen to be
 * light. So the code must remain readable if the logo covers one more module on every side.
 */
function withWiderLogo(style: Style): Style {
  return style.logo === undefined
    ? style
    : { ...style, logo: { ...style.logo, margin: (style.logo.margin ?? 1) + 1 } }
}
