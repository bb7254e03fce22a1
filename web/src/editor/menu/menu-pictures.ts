import { limits } from '@everscan/contract/schema/limits.ts'

const photoPx = { width: 1200, height: 800 }
const logoPx = { width: 480, height: 240 }
const qualities = [0.85, 0.75, 0.65, 0.5]
/** Each try is smaller by this factor, until the picture fits into its limit. */
const shrink = 0.8
const triesMax = 12

type Size = { width: number; height: number }

/** Reads a file as the photo of a menu: a JPEG of at most 1,200 × 800 pixels. */
export async function readPhoto(file: File): Promise<string> {
  return readPicture(file, { box: photoPx, charsMax: limits.menuPhotoCharsMax, type: 'image/jpeg' })
}

/** Reads a file as the logo of a menu: a PNG, whose ground may be transparent. */
export async function readLogo(file: File): Promise<string> {
  return readPicture(file, { box: logoPx, charsMax: limits.menuLogoCharsMax, type: 'image/png' })
}

/** Rejects if the file is not a picture. */
async function readPicture(
  file: File,
  { box, charsMax, type }: { box: Size; charsMax: number; type: string },
): Promise<string> {
  const address = URL.createObjectURL(file)
  try {
    const image = new Image()
    image.src = address
    await image.decode()
    const size = { width: image.naturalWidth || box.width, height: image.naturalHeight || box.height }
    let scale = Math.min(1, box.width / size.width, box.height / size.height)
    for (let tries = 0; tries < triesMax; tries++, scale *= shrink)
      for (const quality of type === 'image/jpeg' ? qualities : [1]) {
        const picture = drawn(image, { size, scale, type }).toDataURL(type, quality)
        if (picture.length <= charsMax) return picture
      }
    throw new Error('This picture cannot be made small enough.')
  } finally {
    URL.revokeObjectURL(address)
  }
}

function drawn(
  image: HTMLImageElement,
  { size, scale, type }: { size: Size; scale: number; type: string },
): HTMLCanvasElement {
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(size.width * scale))
  canvas.height = Math.max(1, Math.round(size.height * scale))
  const context = canvas.getContext('2d')
  if (context !== null && type === 'image/jpeg') {
    context.fillStyle = '#ffffff'
    context.fillRect(0, 0, canvas.width, canvas.height)
  }
  context?.drawImage(image, 0, 0, canvas.width, canvas.height)
  return canvas
}
