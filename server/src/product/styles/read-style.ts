import type { Style } from '@everscan/contract/resources/styles.ts'
import { quietModules } from '@everscan/qr/shapes/frames.ts'
import { minPrint } from '@everscan/qr/reading/min-print.ts'
import { createMatrix } from '@everscan/qr/content/matrix.ts'
import { readBack } from '@everscan/qr/reading/read-back.ts'
import { readerNames } from '@everscan/qr/reading/readers.ts'
import type { StyledMatrix, StyleReading } from './style-work.ts'
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

const plainStyle: Style = { foregroundColor: '#000000', backgroundColor: '#FFFFFF', margin: quietModules }

/** Whether a style changes nothing of a picture but maybe its error correction. */
export function isUnstyled(style: Style): boolean {
  const plain: Readonly<Record<string, unknown>> = plainStyle
  return Object.entries(style).every(([field, value]) => {
    const own = typeof value === 'string' ? value.toUpperCase() : value
    return own === undefined || own === plain[field] || field === 'errorCorrection'
  })
}

/**
 * Returns the result of `readStyle` for a plain style, without a picture: every reader reads every
 * plain code in all conditions, at each version and level (a test compares them).
 */
export function readPlain({ code }: Pick<StyledMatrix, 'code'>): StyleReading {
  const width = createMatrix(code).size + 2 * quietModules
  return {
    readers: readerNames.map((name) => ({ name, missed: [], of: plainConditions })),
    print: minPrint({ width }, plainModulePx),
  }
}

/** Those of an opaque white picture without a logo. */
const plainConditions = 7
const plainModulePx = 1.5

/**
 * The checked code stands for many: a logo may cover more modules of another code that happen to be
 * light. So the code must remain readable if the logo covers one more module on every side.
 */
function withWiderLogo(style: Style): Style {
  return style.logo === undefined
    ? style
    : { ...style, logo: { ...style.logo, margin: (style.logo.margin ?? 1) + 1 } }
}
