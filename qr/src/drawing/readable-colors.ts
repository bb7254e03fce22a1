import { mergeStyle, type Style, type UpdateStyle } from '@everscan/contract/resources/styles.ts'
import {
  type ColorField,
  contrastOf,
  contrastMin,
  darkColors,
  darkened,
  isFrameTooLight,
  isReadableOn,
  lightColor,
} from './contrast.ts'
import { pictureDefaults } from '../picture.ts'
import { isFrameTooClose, quietModules } from '../shapes/frames.ts'

/** Every style is readable in these colors, whatever its shapes. */
export const safestColors: UpdateStyle = {
  foregroundColor: '#000000',
  backgroundColor: '#FFFFFF',
  gradient: null,
}

/**
 * Returns the smallest changes that a style needs before any picture in it is worth reading: its
 * colors, and the quiet zone inside its frame. Undefined if the style needs no change.
 */
export function readableStyle(style: Style): UpdateStyle | undefined {
  const colors = readableColors(style)
  return isFrameTooClose(style) ? { ...colors, margin: quietModules } : colors
}

/**
 * Returns the smallest color changes that let readers distinguish the style from its background.
 * Undefined if the style needs no change.
 */
export function readableColors(style: Style): UpdateStyle | undefined {
  const changes = readableModules(style)
  const changed = mergeStyle(style, changes ?? {})
  if (changed.frame === undefined || !isFrameTooLight(changed)) return changes
  const [dark] = darkColors(changed)
  const colors = { color: dark?.color ?? pictureDefaults.foreground, textColor: lightColor(changed) }
  return { ...changes, frame: { ...changed.frame, ...colors } }
}

function readableModules(style: Style): UpdateStyle | undefined {
  const light = lightColor(style)
  const wrong = darkColors(style).filter(({ color }) => !isReadableOn(color, light))
  if (wrong.length === 0) return undefined
  const [first, ...others] = darkColors(style)
  if (first !== undefined && others.length === 0 && contrastOf(first.color, light) >= contrastMin)
    return { foregroundColor: light, backgroundColor: first.color }
  const changes: UpdateStyle = {}
  for (const { field } of wrong) {
    const change = darkenedField(style, field, light)
    // The background is too dark for any color.
    if (change === undefined) return { ...safestColors, cornerSquareColor: null, cornerDotColor: null }
    Object.assign(changes, change)
  }
  return changes
}

function darkenedField(style: Style, field: ColorField, light: string): UpdateStyle | undefined {
  if (field !== 'gradient') {
    const color = readable(style[field] ?? pictureDefaults.foreground, light)
    return color === undefined ? undefined : { [field]: color }
  }
  const { gradient } = style
  if (gradient === undefined) return {}
  const colors = gradient.colors.map((color) => readable(color, light) ?? [])
  return colors.flat().length < colors.length
    ? undefined
    : { gradient: { ...gradient, colors: colors.flat() } }
}

/** Darkens a color as little as needed. Undefined if even black has too little contrast. */
function readable(color: string, light: string): string | undefined {
  for (let percent = 100; percent >= 0; percent -= 5) {
    const darker = darkened(color, percent / 100)
    if (isReadableOn(darker, light)) return darker
  }
  return undefined
}

/** Returns every dark part with this share of its light, 0 to 1. */
export function darkerColors(style: Style, share: number): UpdateStyle {
  const changes: UpdateStyle = {}
  for (const { field, color } of darkColors(style))
    if (field !== 'gradient') changes[field] = darkened(color, share)
  const { gradient } = style
  return gradient === undefined
    ? changes
    : {
        ...changes,
        gradient: { ...gradient, colors: gradient.colors.map((color) => darkened(color, share)) },
      }
}
