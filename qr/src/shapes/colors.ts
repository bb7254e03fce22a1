import { PictureError } from '../picture.ts'

export type Color = { readonly red: number; readonly green: number; readonly blue: number }

/** Reads `#RRGGBB` in any letter case; each part is 0 to 255. Otherwise throws `PictureError`. */
export function parseColor(text: string): Color {
  if (!/^#[0-9a-f]{6}$/i.test(text)) {
    throw new PictureError(`a color must have the form #RRGGBB, got ${JSON.stringify(text.slice(0, 40))}`)
  }
  const value = Number.parseInt(text.slice(1), 16)
  return { red: value >> 16, green: (value >> 8) & 0xff, blue: value & 0xff }
}
