/** The size and the margin that `GET …/download` takes. */
export const pictureLimits = { sizePxMin: 64, sizePxMax: 4096, marginModulesMax: 16 } as const

export const pictureDefaults = {
  sizePx: 1024,
  marginModules: 4,
  foreground: '#000000',
  background: '#FFFFFF',
} as const

/** How a plain picture looks. What is absent has the value of `pictureDefaults`. */
export type PictureOptions = {
  /** Width and height of the whole picture in pixels, quiet zone included: a whole number from 64 to 4096. */
  readonly sizePx?: number | undefined
  /** Quiet zone in modules: a whole number from 0 to 16. ISO/IEC 18004 asks for 4. */
  readonly marginModules?: number | undefined
  /** Colour of the dark modules, `#RRGGBB`. */
  readonly foreground?: string | undefined
  /** Colour of the light modules and the quiet zone, `#RRGGBB`. */
  readonly background?: string | undefined
}

/** A picture that cannot be made from what was asked for. `message` says what was expected and is for the client. */
export class PictureError extends RangeError {
  override readonly name = 'PictureError'
}

/** The options with defaults filled in. Throws `PictureError` for a size or margin outside `pictureLimits`. */
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
