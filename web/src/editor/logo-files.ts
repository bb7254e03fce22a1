const sidePxMax = 512
/** Side of a picture without its own size, as in some SVG files. */
const sidePxDefault = 512

/**
 * Types that the file dialog offers. SVG is drawn here, because pictures of codes contain pixels
 * only.
 */
export const logoFileTypes = 'image/png,image/jpeg,image/webp,image/svg+xml'

/**
 * Reads a file as a logo. Draws it again with at most 512 pixels a side, so that a photo of any
 * size fits. JPEG stays JPEG, and everything else becomes PNG. Rejects if the file is not a
 * picture.
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
