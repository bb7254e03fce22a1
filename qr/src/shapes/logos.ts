import type { Logo } from '@everscan/contract/resources/styles.ts'
import type { Matrix } from '../content/matrix.ts'
import type { Box } from './shapes.ts'

/** A checked and decoded picture of a logo. */
export type LogoPicture = {
  /**
   * `data:image/…;base64,…`, as it goes into an SVG. PNG or JPEG, upright: SVG renderers other
   * than browsers show no WebP, and neither they nor PDF rotate a photo by its orientation tag.
   */
  readonly dataUri: string
  readonly widthPx: number
  readonly heightPx: number
  /**
   * `widthPx` × `heightPx` × 4 bytes, not premultiplied. PDF and EPS need it unless the logo is
   * an opaque JPEG.
   */
  readonly rgba?: Uint8Array | undefined
}

/** The place of a logo, in modules. A round logo covers the circle inside its square `clip`. */
export type LogoPlace = {
  readonly box: Box
  readonly clip?: { readonly x: number; readonly y: number; readonly radius: number } | undefined
}

const scaleDefault = 0.2
const marginDefault = 1

/**
 * Returns the minimum version of a code with a logo. Measured with thirty random codes each, level
 * H, a logo with a margin of one module, read by zxing in its strict mode: in versions 2 and 3 a
 * logo of a quarter of the width spoils one code in five. From version 4 on it spoils none, even if
 * one more module is lost all around the logo. With 0.3 of the width that takes version 6.
 */
export function minVersion({ scale = scaleDefault }: Logo): number {
  return scale <= 0.25 ? 4 : 6
}

/**
 * Modules along the sides of the code that hold eyes and format information (ISO/IEC 18004, 7.9). A
 * logo never covers them.
 */
const reservedModules = 9

/**
 * Places the logo in the middle. Its longer side, or the diameter of a round logo, is `scale` of
 * the code's width. In the smallest versions it is smaller, so that it stays clear of the format
 * information.
 */
export function placeLogo(
  size: number,
  logo: Logo,
  picture: { widthPx: number; heightPx: number },
): LogoPlace {
  const width = logoWidth(size, logo)
  const centre = size / 2
  const { widthPx, heightPx } = picture
  const fit = width / (logo.round ? Math.min(widthPx, heightPx) : Math.max(widthPx, heightPx))
  const box = {
    x: centre - (widthPx * fit) / 2,
    y: centre - (heightPx * fit) / 2,
    width: widthPx * fit,
    height: heightPx * fit,
  }
  return logo.round ? { box, clip: { x: centre, y: centre, radius: width / 2 } } : { box }
}

const logoWidth = (size: number, { scale = scaleDefault }: Logo) =>
  Math.min(scale * size, size - 2 * reservedModules)

/**
 * Returns the matrix without the modules that the logo and its margin touch. Each module stays or
 * goes as a whole. Eyes, timing patterns, format and version information stay, whatever the margin.
 */
export function cutOutLogo(matrix: Matrix, logo: Logo, place: LogoPlace): Matrix {
  const { margin = marginDefault } = logo
  const modules = matrix.modules.slice()
  const touches = place.clip ? touchesCircle : touchesBox
  for (let y = 0; y < matrix.size; y++) {
    for (let x = 0; x < matrix.size; x++) {
      if (touches(place, margin, x, y) && !isReserved(matrix, x, y)) modules[y * matrix.size + x] = 0
    }
  }
  return { ...matrix, modules }
}

/** A module that the logo only grazes stays. */
const tolerance = 1e-6

function touchesBox({ box }: LogoPlace, margin: number, x: number, y: number): boolean {
  return (
    x + 1 > box.x - margin + tolerance &&
    x < box.x + box.width + margin - tolerance &&
    y + 1 > box.y - margin + tolerance &&
    y < box.y + box.height + margin - tolerance
  )
}

function touchesCircle({ clip }: LogoPlace, margin: number, x: number, y: number): boolean {
  if (!clip) return false
  const across = clip.x - Math.min(Math.max(clip.x, x), x + 1)
  const down = clip.y - Math.min(Math.max(clip.y, y), y + 1)
  return Math.hypot(across, down) < clip.radius + margin - tolerance
}

/**
 * Whether a module belongs to the eyes with their separators and format information, the timing
 * patterns, or the version blocks beside two eyes.
 */
function isReserved({ size, version }: Matrix, x: number, y: number): boolean {
  if (x === 6 || y === 6) return true
  const far = size - reservedModules + 1
  if (x < reservedModules && (y < reservedModules || y >= far)) return true
  if (y < reservedModules && x >= far) return true
  return version >= 7 && ((x >= size - 11 && y < 6) || (y >= size - 11 && x < 6))
}
