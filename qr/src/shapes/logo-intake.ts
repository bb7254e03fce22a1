import sharp, { type Sharp } from 'sharp'
import type { LogoPicture } from './logos.ts'
import { PictureError } from '../picture.ts'

export const logoLimits = {
  /** Of the file itself. */
  bytesMax: 1024 * 1024,
  /** Width × height: what is declared, before anything is decoded. */
  pixelsMax: 4_000_000,
  /** Longer side as it is kept: 600 dpi on a code of 7 cm with the largest logo. */
  sidePxMax: 512,
  seconds: 5,
} as const

/** Of a logo on a page, which must stay small: sharp on screens of two pixels a point at 48 points. */
export const pageLogoLimits = { widthPxMax: 320, heightPxMax: 96, bytesMax: 6_000 } as const

type LogoFormat = 'png' | 'jpeg' | 'webp'

type ReadLogo = { dataUri: string; widthPx: number; heightPx: number }

/**
 * Reads a logo as a stranger sent it, `data:image/(png|jpeg|webp);base64,…`, and makes a picture of our own of it: decoded and
 * encoded anew, turned as its Exif says, at most 512 px a side, without metadata. What the bytes are counts, not what the
 * address says. Throws `PictureError` for what is no such picture, is damaged, or is over `logoLimits`; the message
 * goes after the name of the field.
 */
export async function readLogo(dataUri: string): Promise<ReadLogo> {
  const { bytes, format } = picturedBytes(dataUri)
  const { sidePxMax } = logoLimits
  return decoding(async () => {
    const drawn = fitted(bytes, sidePxMax, sidePxMax)
    return format === 'jpeg'
      ? written('jpeg', drawn.jpeg({ quality: 90 }))
      : written('png', drawn.png({ compressionLevel: 9 }))
  })
}

/**
 * Reads a logo as `readLogo` does and makes it small enough for a page: within `pageLogoLimits`, as WebP, of less quality
 * and then of fewer pixels until its bytes are few enough.
 */
export async function readPageLogo(dataUri: string): Promise<ReadLogo> {
  const { bytes } = picturedBytes(dataUri)
  const { widthPxMax, heightPxMax, bytesMax } = pageLogoLimits
  return decoding(async () => {
    for (let share = 1; ; share *= 0.75) {
      for (const quality of [90, 75, 60, 40]) {
        const drawn = fitted(bytes, Math.ceil(widthPxMax * share), Math.ceil(heightPxMax * share))
        const logo = await written('webp', drawn.webp({ quality, effort: 4 }))
        if (logo.dataUri.length <= (bytesMax * 4) / 3) return logo
      }
    }
  })
}

function picturedBytes(dataUri: string): { bytes: Buffer; format: LogoFormat } {
  const bytes = Buffer.from(dataUri.slice(dataUri.indexOf(',') + 1), 'base64')
  if (bytes.length > logoLimits.bytesMax) throw new PictureError('must have at most 1 MiB')
  const format = formatOf(bytes)
  if (format === undefined) throw new PictureError('must be a PNG, JPEG or WebP picture')
  return { bytes, format }
}

const fitted = (bytes: Buffer, width: number, height: number) =>
  open(bytes)
    .autoOrient()
    .resize({ width, height, fit: 'inside', withoutEnlargement: true })
    .toColorspace('srgb')

async function written(format: LogoFormat, picture: Sharp): Promise<ReadLogo> {
  const { data, info } = await picture
    .timeout({ seconds: logoLimits.seconds })
    .toBuffer({ resolveWithObject: true })
  const dataUri = `data:image/${format};base64,${data.toString('base64')}`
  return { dataUri, widthPx: info.width, heightPx: info.height }
}

/** Says of what cannot be decoded what a person can do about it. */
async function decoding<T>(decode: () => Promise<T>): Promise<T> {
  try {
    return await decode()
  } catch (cause) {
    if (cause instanceof Error && /pixel limit/i.test(cause.message))
      throw new PictureError(`must have at most ${logoLimits.pixelsMax / 1_000_000} million pixels`, {
        cause,
      })
    throw new PictureError('must be a whole picture; this one cannot be decoded', { cause })
  }
}

/** A logo that `readLogo` gave, decoded for the writers. */
export async function decodeLogo(dataUri: string): Promise<LogoPicture> {
  const bytes = Buffer.from(dataUri.slice(dataUri.indexOf(',') + 1), 'base64')
  const { data, info } = await open(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return { dataUri, widthPx: info.width, heightPx: info.height, rgba: data }
}

/** One page, no more pixels than may be, and any damage is an error. */
const open = (bytes: Buffer) =>
  sharp(bytes, { limitInputPixels: logoLimits.pixelsMax, failOn: 'warning', pages: 1 })

/** By the first bytes of each format; nothing else ever reaches a decoder. */
function formatOf(bytes: Buffer): LogoFormat | undefined {
  if (bytes.subarray(0, 8).equals(pngSignature)) return 'png'
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'jpeg'
  const isWebp = bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP'
  return isWebp ? 'webp' : undefined
}

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
