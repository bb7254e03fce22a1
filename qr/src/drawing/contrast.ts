import type { Style } from '@everscan/contract/resources/styles.ts'
import { parseColor } from '../shapes/colors.ts'
import { pictureDefaults } from '../picture.ts'

/** Readers begin to fail below this ratio of dark to light (measured with three decoders). */
export const contrastMin = 3
/** From this ratio on, scans work in dim light and on worn prints. */
export const contrastGood = 4.5
/**
 * Colors below `contrastMin` are readable from this contrast of their greys on: greens and blues
 * look darker to a camera than to people. Measured with four decoders and thirteen damages: greens
 * of 3.5 and more, such as #1DB954, are read like a grey of `contrastMin`; those of 3.4 and less,
 * such as #25D366, are missed by one decoder without any damage.
 */
export const greyContrastMin = 3.5

/**
 * Returns the contrast ratio of WCAG 2.2, section 1.4.3: 1 to 21, truncated to one decimal so that
 * 2.99 never reads as 3.
 */
export function contrastOf(a: string, b: string): number {
  const [lighter, darker] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number]
  return Math.floor(((lighter + 0.05) / (darker + 0.05)) * 10 + 1e-9) / 10
}

/** Returns the relative luminance as WCAG defines it, 0 to 1. */
export function luminance(color: string): number {
  const { red, green, blue } = parseColor(color)
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

function linear(part: number): number {
  const share = part / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}

/** Whether readers can distinguish this dark color from this light one. */
export function isReadableOn(dark: string, light: string): boolean {
  const isDistinct = contrastOf(dark, light) >= contrastMin || greyContrastOf(dark, light) >= greyContrastMin
  return isDistinct && luminance(dark) < luminance(light)
}

/** Returns the contrast of the greys that a camera makes of two colors, 1 to 21. */
export function greyContrastOf(a: string, b: string): number {
  return contrastOf(greyOf(lumaOf(a)), greyOf(lumaOf(b)))
}

/** Returns the contrast of two colors in red light, which shows only their red part, 1 to 21. */
export function redContrastOf(a: string, b: string): number {
  return contrastOf(greyOf(parseColor(a).red), greyOf(parseColor(b).red))
}

/** Returns the brightness that cameras and decoders compute, 0 to 255 (ITU-R BT.601). */
function lumaOf(color: string): number {
  const { red, green, blue } = parseColor(color)
  return Math.round(0.299 * red + 0.587 * green + 0.114 * blue)
}

function greyOf(part: number): string {
  return `#${part.toString(16).padStart(2, '0').repeat(3)}`
}

/**
 * Backgrounds darker than this are mid-tones, 0 to 255. Measured with four decoders on white paper:
 * #C0C0C0 is read like white, #B0B0B0 is missed by three of them when blurred or small, and #808080
 * by zbar without any damage.
 */
const midToneLumaMax = 184

/**
 * Whether the background is a mid-tone beside white paper, so that some readers take it for dark. A
 * frame and a transparent background keep the two apart.
 */
export function hasMidTone(style: Style): boolean {
  if (style.frame !== undefined || style.transparent === true) return false
  return lumaOf(lightColor(style)) < midToneLumaMax
}

/** Returns the dark colors that red light does not show, such as that of scanners at tills. */
export function colorsLostInRedLight(style: Style): string[] {
  const light = lightColor(style)
  const lost = darkColors(style).filter(({ color }) => redContrastOf(color, light) < contrastMin)
  return [...new Set(lost.map(({ color }) => color))]
}

export type ColorField = 'foregroundColor' | 'gradient' | 'cornerSquareColor' | 'cornerDotColor'

/**
 * Returns every dark color of a style and the field that sets it. Colors that follow from another
 * field are left out.
 */
export function darkColors({ foregroundColor, gradient, cornerSquareColor, cornerDotColor }: Style): {
  field: ColorField
  color: string
}[] {
  return [
    ...(gradient === undefined
      ? [{ field: 'foregroundColor' as const, color: foregroundColor ?? pictureDefaults.foreground }]
      : gradient.colors.map((color) => ({ field: 'gradient' as const, color }))),
    ...(cornerSquareColor === undefined
      ? []
      : [{ field: 'cornerSquareColor' as const, color: cornerSquareColor }]),
    ...(cornerDotColor === undefined ? [] : [{ field: 'cornerDotColor' as const, color: cornerDotColor }]),
  ]
}

/** Returns the background color of a style. */
export function lightColor({ backgroundColor }: Style): string {
  return backgroundColor ?? pictureDefaults.background
}

/** Returns the color of the frame, or undefined if the style has no frame. */
export function frameColor({ frame, foregroundColor }: Style): string | undefined {
  return frame && (frame.color ?? foregroundColor ?? pictureDefaults.foreground)
}

/** Above this contrast of a light frame, readers take the background beside it for dark. */
const lightFrameContrastMax = 1.1

/**
 * Whether the frame is too light for the background. Measured with zxing's strict mode at eleven
 * sizes, six codes: frames that are darker, or lighter by at most 1.1:1, are read at all sizes.
 * From 1.3:1 on, one size in eleven fails, whatever the code.
 */
export function isFrameTooLight(style: Style): boolean {
  const color = frameColor(style)
  if (color === undefined) return false
  const light = lightColor(style)
  return luminance(color) > luminance(light) && contrastOf(color, light) > lightFrameContrastMax
}

/** Returns the lowest contrast of any dark part to the background. */
export function leastContrast(style: Style): number {
  return Math.min(...darkColors(style).map(({ color }) => contrastOf(color, lightColor(style))))
}

/** Returns a color with this share of its light, 0 to 1. */
export function darkened(color: string, share: number): string {
  const { red, green, blue } = parseColor(color)
  const hex = [red, green, blue].map((part) =>
    Math.floor(part * share)
      .toString(16)
      .padStart(2, '0'),
  )
  return `#${hex.join('').toUpperCase()}`
}
