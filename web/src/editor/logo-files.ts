const sidePxMax = 512
/** Of a picture without a size of its own, as some SVG files are. */
const sidePxDefault = 512

/** What the file dialog offers. SVG is drawn here, as pictures of codes hold pixels only. */
export const logoFileTypes = 'image/png,image/jpeg,image/webp,image/svg+xml'

/**
 * A file as a logo: drawn anew, at most 512 pixels a side, so that any size of photo fits. JPEG stays JPEG, everything else becomes PNG.
 * Rejects when it is no picture.
 */
export async function readLogoFile(file: File): Promise<string> {
  const address = URL.createObjectURL(file)
  try {
    const image = new Image()
    image.src = address
    await image.decode()
    const [width, height] = [image.naturalWidth || sidePxDefault, image.naturalHeight || sidePxDefault]
    const scale = Math.min(1, sidePxMax / Math.max(width, height))
    const canvas = document.createElement('canvas')
    canvas.width = Math.max(1, Math.round(width * scale))
    canvas.height = Math.max(1, Math.round(height * scale))
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
    return file.type === 'image/jpeg' ? canvas.toDataURL('image/jpeg', 0.92) : canvas.toDataURL('image/png')
  } finally {
    URL.revokeObjectURL(address)
  }
}
