import type { decodeQR } from 'qr/decode.js'
import { loadPart } from '../session/reachability.ts'

/** A photo, or the current frame of the camera. */
export type Picture = ImageBitmap | HTMLVideoElement

type Decode = typeof decodeQR

/** The part of the Shape Detection API that is used. Not every browser has it. */
type Detector = { detect: (picture: Picture) => Promise<{ rawValue: string }[]> }
type DetectorClass = {
  new (options: { formats: string[] }): Detector
  getSupportedFormats: () => Promise<string[]>
}

/**
 * The longest sides, in pixels, to which a photo is scaled. Fewer pixels blur noise away, more of
 * them keep the modules of a small code apart.
 */
const photoSides = [1_000, 1_600, 700, 2_400]
/** Parts of a photo of which each is read alone, for a small code on a large poster. */
const tilesPerSide = 3
const tileSide = 1_200
const cameraSide = 800

/** Opens a file as a picture, upright. Undefined: the browser cannot. */
export async function openPicture(file: Blob): Promise<ImageBitmap | undefined> {
  try {
    return await createImageBitmap(file, { imageOrientation: 'from-image' })
  } catch {
    return undefined
  }
}

/** Returns the content of the QR code in a photo. Undefined if none is found. */
export async function readPhoto(photo: ImageBitmap, signal: AbortSignal): Promise<string | undefined> {
  const detected = await detect(photo)
  if (detected !== undefined) return detected
  const decode = await loadDecoder()
  const whole = { x: 0, y: 0, width: photo.width, height: photo.height }
  for (const side of photoSides) {
    if (side !== photoSides[0] && side > Math.max(photo.width, photo.height) * 1.5) continue
    const found = await readPart(photo, { part: whole, side, decode })
    if (found !== undefined || signal.aborted) return found
  }
  for (const part of tilesOf(photo)) {
    const found = await readPart(photo, { part, side: tileSide, decode })
    if (found !== undefined || signal.aborted) return found
  }
  return undefined
}

/** Returns the content of the QR code that the camera shows now. */
export async function readFrame(video: HTMLVideoElement): Promise<string | undefined> {
  if (video.videoWidth === 0) return undefined
  const detected = await detect(video)
  if (detected !== undefined) return detected
  const part = { x: 0, y: 0, width: video.videoWidth, height: video.videoHeight }
  return readPart(video, { part, side: cameraSide, decode: await loadDecoder() })
}

let detector: Promise<Detector | undefined> | undefined

/** Asks the browser's own reader, where it has one. */
async function detect(picture: Picture): Promise<string | undefined> {
  detector ??= openDetector()
  try {
    const [code] = (await (await detector)?.detect(picture)) ?? []
    return code?.rawValue === '' ? undefined : code?.rawValue
  } catch {
    return undefined
  }
}

async function openDetector(): Promise<Detector | undefined> {
  const { BarcodeDetector } = globalThis as { BarcodeDetector?: DetectorClass }
  try {
    const formats = (await BarcodeDetector?.getSupportedFormats()) ?? []
    return BarcodeDetector !== undefined && formats.includes('qr_code')
      ? new BarcodeDetector({ formats: ['qr_code'] })
      : undefined
  } catch {
    return undefined
  }
}

/** Loads our own reader, which is not part of the page until it is needed. */
async function loadDecoder(): Promise<Decode> {
  return (await loadPart(async () => import('qr/decode.js'))).decodeQR
}

type Part = { x: number; y: number; width: number; height: number }

async function readPart(
  picture: Picture,
  { part, side, decode }: { part: Part; side: number; decode: Decode },
): Promise<string | undefined> {
  // The page stays responsive between two attempts.
  await new Promise((resolve) => setTimeout(resolve))
  const scale = side / Math.max(part.width, part.height)
  const width = Math.max(1, Math.round(part.width * scale))
  const height = Math.max(1, Math.round(part.height * scale))
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (context === null) return undefined
  context.imageSmoothingQuality = 'high'
  // Transparent pixels are paper.
  context.fillStyle = '#fff'
  context.fillRect(0, 0, width, height)
  context.drawImage(picture, part.x, part.y, part.width, part.height, 0, 0, width, height)
  try {
    return decode(context.getImageData(0, 0, width, height))
  } catch {
    // It throws if it finds no code.
    return undefined
  }
}

/** Returns parts that overlap by half, so that one of them has the whole of a small code. */
function* tilesOf({ width, height }: ImageBitmap): Generator<Part> {
  const tile = { width: Math.ceil(width / 2), height: Math.ceil(height / 2) }
  for (let row = 0; row < tilesPerSide; row++)
    for (let column = 0; column < tilesPerSide; column++)
      yield {
        ...tile,
        x: Math.floor(((width - tile.width) * column) / (tilesPerSide - 1)),
        y: Math.floor(((height - tile.height) * row) / (tilesPerSide - 1)),
      }
}
