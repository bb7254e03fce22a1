import type { ErrorCorrection } from '@everscan/contract/resources/styles.ts'
import { encodeQR } from 'qr'
import { PictureError } from '../picture.ts'

/** The modules of one QR code, without a quiet zone. */
export type Matrix = {
  /** Modules along one side: 17 + 4 × version. */
  readonly size: number
  /** `size` × `size` bytes, row by row from the top left: 1 is dark, 0 is light. */
  readonly modules: Uint8Array
  /** 1 to 40. */
  readonly version: number
  /** 0 to 7. */
  readonly mask: number
  readonly errorCorrection: ErrorCorrection
}

export type MatrixOptions = {
  /**
   * Upper-case letters, digits and `$%*+-./: ` make the smallest picture. Any other text is encoded
   * as UTF-8.
   */
  readonly text: string
  readonly errorCorrection: ErrorCorrection
  /**
   * The minimum version, 1 to 40. A higher version is used only if the text needs it at this level.
   * Default: 1.
   */
  readonly version?: number | undefined
  /** 0 to 7. By default the library chooses by the penalty rules; another library may differ. */
  readonly mask?: number | undefined
}

const levelNames = { L: 'low', M: 'medium', Q: 'quartile', H: 'high' } as const satisfies Record<
  ErrorCorrection,
  string
>

/**
 * Returns the modules of a text.
 *
 * Libraries agree on everything but the mask. A caller that stores the `version` and `mask` of the
 * first matrix and passes them again always gets the same picture, at each level. Throws
 * `PictureError` if the text is empty or fits no version at that level (at most 4,296 alphanumeric
 * characters or 2,953 bytes), or if the version or mask is out of bounds.
 */
export function createMatrix(options: MatrixOptions): Matrix {
  checkOptions(options)
  const rows = encodeRows(options)
  const size = rows.length - 2 * border
  const modules = new Uint8Array(size * size)
  for (let y = 0; y < size; y++) {
    const row = rows[y + border] ?? []
    for (let x = 0; x < size; x++) if (row[x + border]) modules[y * size + x] = 1
  }
  return {
    size,
    modules,
    version: (size - 17) / 4,
    mask: readMask(modules, size),
    errorCorrection: options.errorCorrection,
  }
}

/** The library rejects 0. */
const border = 1

function encodeRows({ text, errorCorrection, version, mask }: MatrixOptions): boolean[][] {
  const fixed = { ecc: levelNames[errorCorrection], mask, border }
  try {
    return encodeQR(text, 'raw', { ...fixed, version })
  } catch (error) {
    if (version === undefined) {
      throw new PictureError(`the text is too long for a QR code at level ${errorCorrection}`, {
        cause: error,
      })
    }
    return encodeRows({ text, errorCorrection, mask })
  }
}

function checkOptions({ text, errorCorrection, version, mask }: MatrixOptions) {
  if (text === '') throw new PictureError('the text of a QR code must not be empty')
  if (!Object.hasOwn(levelNames, errorCorrection)) {
    throw new PictureError(`"errorCorrection" must be L, M, Q or H, got ${errorCorrection}`)
  }
  if (version !== undefined && !(Number.isInteger(version) && version >= 1 && version <= 40)) {
    throw new PictureError(`"version" must be a whole number from 1 to 40, got ${version}`)
  }
  if (mask !== undefined && !(Number.isInteger(mask) && mask >= 0 && mask <= 7)) {
    throw new PictureError(`"mask" must be a whole number from 0 to 7, got ${mask}`)
  }
}

/**
 * The library doesn't report the mask it chose, so read it from the picture: bits 12 to 10 of the
 * format information, in row 8 beside the top left eye, XORed with 101 (ISO/IEC 18004, 7.9.1).
 */
function readMask(modules: Uint8Array, size: number): number {
  const [high = 0, middle = 0, low = 0] = modules.subarray(8 * size + 2, 8 * size + 5)
  return ((high << 2) | (middle << 1) | low) ^ 0b101
}
