import type { Problem } from '@everscan/contract/problems/problem.ts'

/** The bounds of the size and margin of `GET …/download`. */
export const pictureLimits = { sizePxMin: 64, sizePxMax: 4096, marginModulesMax: 16 } as const

export const pictureDefaults = {
  sizePx: 1024,
  marginModules: 4,
  foreground: '#000000',
  background: '#FFFFFF',
} as const

/** The look of a plain picture. Absent options have the value of `pictureDefaults`. */
export type PictureOptions = {
  /** Width and height of the picture with its quiet zone, in whole pixels from 64 to 4096. */
  readonly sizePx?: number | undefined
  /** Quiet zone in modules: a whole number from 0 to 16. ISO/IEC 18004 requires 4. */
  readonly marginModules?: number | undefined
  /** Color of the dark modules, `#RRGGBB`. */
  readonly foreground?: string | undefined
  /** Color of the light modules and the quiet zone, `#RRGGBB`. */
  readonly background?: string | undefined
}

/** The options don't allow a picture. `message` says what was expected and is for the client. */
export class PictureError extends RangeError {
  override readonly name = 'PictureError'
  /** The problem by name; undefined for a mistake of a caller in our own code. */
  readonly found: Problem | undefined

  constructor(told: Problem | string, options?: ErrorOptions) {
    super(typeof told === 'string' ? told : told.message, options)
    this.found = typeof told === 'string' ? undefined : told
  }
}

/** Fills in the defaults. Throws `PictureError` for a size or margin outside `pictureLimits`. */
export function completePictureOptions(options: PictureOptions) {
  const sizePx = options.sizePx ?? pictureDefaults.sizePx
  const marginModules = options.marginModules ?? pictureDefaults.marginModules
  checkSize(sizePx)
  checkMargin(marginModules)
  return {
    sizePx,
    marginModules,
    foreground: options.foreground ?? pictureDefaults.foreground,
    background: options.background ?? pictureDefaults.background,
  }
}

export function checkSize(sizePx: number) {
  checkWholeNumber('size', sizePx, pictureLimits.sizePxMin, pictureLimits.sizePxMax)
}

export function checkMargin(marginModules: number) {
  checkWholeNumber('margin', marginModules, 0, pictureLimits.marginModulesMax)
}

function checkWholeNumber(name: string, value: number, min: number, max: number) {
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new PictureError(`"${name}" must be a whole number from ${min} to ${max}, got ${value}`)
  }
}
