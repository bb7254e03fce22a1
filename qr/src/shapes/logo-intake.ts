import { problem } from '@everscan/contract/problems/problem.ts'
import sharp, { type Sharp } from 'sharp'
import type { LogoPicture } from './logos.ts'
import { PictureError } from '../picture.ts'

export const logoLimits = {
  /** Size of the file. */
  bytesMax: 1024 * 1024,
  /** Width × height as declared, checked before decoding. */
  pixelsMax: 4_000_000,
  /** Width and height as declared. A strip of one pixel costs far more than its pixels. */
  sidePxInMax: 10_000,
  /** The longer side after resizing: 600 dpi on a code of 7 cm with the largest logo. */
  sidePxMax: 512,
  seconds: 5,
} as const

/**
 * The limits of a logo on a page, which must stay small. It is sharp at a height of 48 points on
 * screens with two pixels per point.
 */
export const pageLogoLimits = { widthPxMax: 320, heightPxMax: 96, bytesMax: 6_000 } as const

type LogoFormat = 'png' | 'jpeg' | 'webp'

type ReadLogo = { dataUri: string; widthPx: number; heightPx: number }

/**
 * Reads an untrusted logo, `data:image/(png|jpeg|webp);base64,…`, and encodes it again: rotated
 * according to its Exif data, at most 512 px per side, without metadata. The bytes determine the
 * format, not the media type of the URI. Throws `PictureError` for anything that is no such
 * picture, is damaged, or exceeds `logoLimits`. The message follows the name of the field.
 */
export async function readLogo(dataUri: string): Promise<ReadLogo> {
  const { bytes, format } = await logoBytes(dataUri)
  const { sidePxMax } = logoLimits
  return explainingErrors(async () => {
    const drawn = fitted(bytes, sidePxMax, sidePxMax)
    return format === 'jpeg'
      ? encoded('jpeg', drawn.jpeg({ quality: 90 }))
      : encoded('png', drawn.png({ compressionLevel: 9 }))
  })
}

/**
 * Reads a logo as `readLogo` does and makes it small enough for a page: WebP within
 * `pageLogoLimits`. Reduces the quality, and then the pixels, until the size fits.
 */
export async function readPageLogo(dataUri: string): Promise<ReadLogo> {
  const { bytes } = await logoBytes(dataUri)
  const { widthPxMax, heightPxMax, bytesMax } = pageLogoLimits
  return explainingErrors(async () => {
    for (let share = 1; ; share *= 0.75) {
      for (const quality of [90, 75, 60, 40]) {
        const drawn = fitted(bytes, Math.ceil(widthPxMax * share), Math.ceil(heightPxMax * share))
        const logo = await encoded('webp', drawn.webp({ quality, effort: 4 }))
        if (logo.dataUri.length <= (bytesMax * 4) / 3) return logo
      }
    }
  })
}

async function logoBytes(dataUri: string): Promise<{ bytes: Buffer; format: LogoFormat }> {
  const bytes = Buffer.from(dataUri.slice(dataUri.indexOf(',') + 1), 'base64')
  if (bytes.length > logoLimits.bytesMax)
    throw new PictureError(problem('logoTooLarge', { max: logoLimits.bytesMax / 1024 ** 2 }))
  const format = formatOf(bytes)
  if (format === undefined) throw new PictureError(problem('notLogoFormat'))
  const { width, height } = await explainingErrors(() => open(bytes).metadata())
  if (width * height > logoLimits.pixelsMax) throw tooManyPixels()
  if (Math.max(width, height) > logoLimits.sidePxInMax)
    throw new PictureError(problem('logoSidesTooLong', { max: logoLimits.sidePxInMax, width, height }))
  return { bytes, format }
}

const fitted = (bytes: Buffer, width: number, height: number) =>
  open(bytes)
    .autoOrient()
    .resize({ width, height, fit: 'inside', withoutEnlargement: true })
    .toColorspace('srgb')

async function encoded(format: LogoFormat, picture: Sharp): Promise<ReadLogo> {
  const { data, info } = await picture
    .timeout({ seconds: logoLimits.seconds })
    .toBuffer({ resolveWithObject: true })
  const dataUri = `data:image/${format};base64,${data.toString('base64')}`
  return { dataUri, widthPx: info.width, heightPx: info.height }
}

/** Turns decoding errors into messages about what the user can do. */
async function explainingErrors<T>(decode: () => Promise<T>): Promise<T> {
  try {
    return await decode()
  } catch (cause) {
    if (cause instanceof Error && /pixel limit/i.test(cause.message)) throw tooManyPixels(cause)
    throw new PictureError(problem('logoIncomplete'), { cause })
  }
}

function tooManyPixels(cause?: unknown): PictureError {
  return new PictureError(problem('logoTooManyPixels', { max: logoLimits.pixelsMax / 1_000_000 }), { cause })
}

/** Whether a logo has the form of a result of `readLogo`, of this release or an earlier one. */
export async function isReadLogo(dataUri: string): Promise<boolean> {
  const { sidePxMax } = logoLimits
  return (
    (await storedLogo(dataUri, {
      formats: ['png', 'jpeg'],
      widthPxMax: sidePxMax,
      heightPxMax: sidePxMax,
    })) !== undefined
  )
}

/** Returns a result of `readPageLogo` with its size, or undefined if it does not have its form. */
export async function storedPageLogo(dataUri: string): Promise<ReadLogo | undefined> {
  const { bytesMax, ...size } = pageLogoLimits
  if (dataUri.length > (bytesMax * 4) / 3) return undefined
  return storedLogo(dataUri, { formats: ['webp'], ...size })
}

async function storedLogo(
  dataUri: string,
  { formats, widthPxMax, heightPxMax }: { formats: LogoFormat[]; widthPxMax: number; heightPxMax: number },
): Promise<ReadLogo | undefined> {
  try {
    const { bytes, format } = await logoBytes(dataUri)
    if (!formats.includes(format) || !dataUri.startsWith(`data:image/${format};base64,`)) return undefined
    const { info } = await open(bytes).raw().toBuffer({ resolveWithObject: true })
    if (info.width > widthPxMax || info.height > heightPxMax) return undefined
    return { dataUri, widthPx: info.width, heightPx: info.height }
  } catch {
    return undefined
  }
}

/** Decodes a result of `readLogo` for the writers. */
export async function decodeLogo(dataUri: string): Promise<LogoPicture> {
  const bytes = Buffer.from(dataUri.slice(dataUri.indexOf(',') + 1), 'base64')
  const { data, info } = await open(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return { dataUri, widthPx: info.width, heightPx: info.height, rgba: data }
}

/** One page, a limited number of pixels, and an error for any damage. */
const open = (bytes: Buffer) =>
  sharp(bytes, { limitInputPixels: logoLimits.pixelsMax, failOn: 'warning', pages: 1 })

/** Returns the format by the first bytes. No other format ever reaches a decoder. */
function formatOf(bytes: Buffer): LogoFormat | undefined {
  if (bytes.subarray(0, 8).equals(pngSignature)) return 'png'
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'jpeg'
  const isWebp = bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP'
  return isWebp ? 'webp' : undefined
}

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
