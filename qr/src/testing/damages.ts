import sharp, { type Sharp } from 'sharp'

// Damages to a printed code, and to its picture in a camera. Product code never imports this file.

/** A picture in RGB with its white paper; `modulePx` is the width of a module in pixels. */
export type Scene = {
  readonly data: Buffer
  readonly width: number
  readonly height: number
  readonly modulePx: number
}

/** Damages by name; each returns a picture without transparency, the same for the same scene. */
export const damages = {
  none: (scene) => open(scene),
  // The light of a till's scanner: only the red part is reflected.
  red: (scene) =>
    open(scene).recomb([
      [1, 0, 0],
      [1, 0, 0],
      [1, 0, 0],
    ]),
  dim: (scene) => open(scene).linear(0.35, 12),
  shadow: (scene) => shaded(scene, (x) => (x < 0.45 ? 0.45 : x > 0.55 ? 1 : 0.45 + (x - 0.45) * 5.5)),
  slope: (scene) => shaded(scene, (x, y) => 1 - 0.35 * x - 0.3 * y),
  glare: (scene) =>
    mapped(scene, (value, { x, y }) => value + 150 * Math.exp(-((x - 0.62) ** 2 + (y - 0.4) ** 2) / 0.02)),
  noise: (scene) => mapped(scene, (value, { at }) => value + (noiseOf(at) - 0.5) * 90),
  blur: (scene) => open(scene).blur(Math.max(0.4, 0.4 * scene.modulePx)),
  shake: (scene) => {
    const width = Math.max(3, Math.round(0.8 * scene.modulePx) | 1)
    const kernel = Array.from({ length: width * width }, (_, at) =>
      Math.trunc(at / width) === width >> 1 ? 1 : 0,
    )
    return open(scene).convolve({ width, height: width, kernel })
  },
  small: (scene) => open(scene).resize({ width: Math.round((scene.width * 2.5) / scene.modulePx) }),
  turned: (scene) => open(scene).rotate(8, { background: '#FFFFFF' }),
  slanted: (scene) =>
    open(scene).affine(
      [
        [1, 0.15],
        [0.05, 0.85],
      ],
      { background: '#FFFFFF' },
    ),
  jpeg: async (scene) => sharp(await open(scene).jpeg({ quality: 15 }).toBuffer()),
  // The ink ran: dark grows by a tenth of a module on each side, and by at least a pixel.
  ink: (scene) => open(scene).dilate(Math.max(1, Math.round(0.1 * scene.modulePx))),
} as const satisfies Record<string, (scene: Scene) => Sharp | Promise<Sharp>>

export type DamageName = keyof typeof damages
export const damageNames = Object.keys(damages) as DamageName[]

/** Returns the picture of a scene after a damage, decoded again. */
export async function damaged(scene: Scene, name: DamageName): Promise<Scene> {
  const { data, info } = await (
    await damages[name](scene)
  )
    .toColorspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height, modulePx: scene.modulePx }
}

export const open = ({ data, width, height }: Scene): Sharp =>
  sharp(data, { raw: { width, height, channels: 3 } })

/** `x` and `y` are shares of width and height; `at` is the number of the byte. */
type Place = { readonly x: number; readonly y: number; readonly at: number }

function mapped(scene: Scene, change: (value: number, place: Place) => number): Sharp {
  const { width, height } = scene
  const data = Buffer.alloc(scene.data.length)
  for (let at = 0; at < data.length; at++) {
    const pixel = Math.trunc(at / 3)
    const place = { x: (pixel % width) / width, y: Math.trunc(pixel / width) / height, at }
    data[at] = Math.min(255, Math.max(0, Math.round(change(scene.data[at] ?? 0, place))))
  }
  return open({ ...scene, data })
}

const shaded = (scene: Scene, light: (x: number, y: number) => number): Sharp =>
  mapped(scene, (value, { x, y }) => value * light(x, y))

/** A number of 0 to 1 for each byte, the same in each run. */
function noiseOf(at: number): number {
  let value = Math.imul(at + 1, 0x9e3779b1)
  value = Math.imul(value ^ (value >>> 15), 0x85ebca6b)
  value ^= value >>> 13
  return (value >>> 0) / 2 ** 32
}
