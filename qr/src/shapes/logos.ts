import type { Logo } from '@everscan/contract/resources/styles.ts'
import type { Matrix } from '../content/matrix.ts'
import type { Box } from './shapes.ts'

/** The picture of a logo, as whoever checked it read it. */
export type LogoPicture = {
  /**
   * `data:image/…;base64,…`, as it goes into an SVG. PNG or JPEG, upright: renderers of SVG outside of browsers show
   * no WebP, and neither these nor PDF turn a photo by its orientation tag.
   */
  readonly dataUri: string
  readonly widthPx: number
  readonly heightPx: number
  /** `widthPx` × `heightPx` × 4 bytes, not premultiplied. PDF and EPS need it for everything but an opaque JPEG. */
  readonly rgba?: Uint8Array | undefined
}

/** Where a logo lies, in modules. A round one has a picture that covers the circle inside its square `clip`. */
export type LogoPlace = {
  readonly box: Box
  readonly clip?: { readonly x: number; readonly y: number; readonly radius: number } | undefined
}

const scaleDefault = 0.2
const marginDefault = 1

/**
 * The least version for a code with a logo. Measured with thirty random codes each, level H, a logo with a margin of one module, read by
 * zxing in its strict mode: in version 2 and 3 a logo of a quarter of the width spoils one code in five, from version 4 on none,
 * also with a module more lost all around it; with 0.3 that takes version 6.
 */
export function leastVersion({ scale = scaleDefault }: Logo): number {
  return scale <= 0.25 ? 4 : 6
}

/** Modules along the sides of the code that hold eyes and format information (ISO/IEC 18004, 7.9): never covered. */
const reservedModules = 9

/**
 * Where the logo goes: in the middle, its longer side `scale` of the code's width, or for a round one its diameter.
 * In the smallest versions it is smaller, so that it stays clear of the format information.
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
 * The matrix without the modules that the logo and its margin touch: each is kept whole or left out whole. Eyes,
 * timing patterns, format and version information stay, whatever the margin.
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

/** A module that is only grazed stays. */
const grazed = 1e-6

function touchesBox({ box }: LogoPlace, margin: number, x: number, y: number): boolean {
  return (
    x + 1 > box.x - margin + grazed &&
    x < box.x + box.width + margin - grazed &&
    y + 1 > box.y - margin + grazed &&
    y < box.y + box.height + margin - grazed
  )
}

function touchesCircle({ clip }: LogoPlace, margin: number, x: number, y: number): boolean {
  if (!clip) return false
  const across = clip.x - Math.min(Math.max(clip.x, x), x + 1)
  const down = clip.y - Math.min(Math.max(clip.y, y), y + 1)
  return Math.hypot(across, down) < clip.radius + margin - grazed
}

/** Eyes with their separators and format information, the timing patterns, and the version blocks beside two eyes. */
function isReserved({ size, version }: Matrix, x: number, y: number): boolean {
  if (x === 6 || y === 6) return true
  const far = size - reservedModules + 1
  if (x < reservedModules && (y < reservedModules || y >= far)) return true
  if (y < reservedModules && x >= far) return true
  return version >= 7 && ((x >= size - 11 && y < 6) || (y >= size - 11 && x < 6))
}
