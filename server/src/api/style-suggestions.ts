import { mergeStyle, type Style, type UpdateStyle } from '@everscan/contract/styles.ts'
import {
  type ColorField,
  contrastOf,
  contrastMin,
  darkColors,
  darkened,
  isFrameTooLight,
  isReadableOn,
  lightColor,
} from '@everscan/qr/contrast.ts'
import { pictureDefaults } from '@everscan/qr/picture.ts'

/** Every style reads in these, whatever its shapes. */
const safest: UpdateStyle = { foregroundColor: '#000000', backgroundColor: '#FFFFFF', gradient: null }

/** Colours that readers can tell from the background: as little else as it takes. Undefined: they can already. */
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
    // The background is too dark for any.
    if (change === undefined) return { ...safest, cornerSquareColor: null, cornerDotColor: null }
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

/** Darkened as little as it takes; undefined when even black is no darker. */
function readable(color: string, light: string): string | undefined {
  for (let percent = 100; percent >= 0; percent -= 5) {
    const darker = darkened(color, percent / 100)
    if (isReadableOn(darker, light)) return darker
  }
  return undefined
}

/**
 * Changes that may make a picture readable, the nearest first: another level, a smaller logo, darker colours, a wider margin, plainer
 * shapes; then several of them at once.
 */
export function* nearbyChanges(style: Style): Generator<UpdateStyle, void, undefined> {
  const { logo } = style
  const margin = style.margin ?? 4
  if (logo === undefined) {
    for (const level of ['Q', 'H'] as const)
      if (level !== style.errorCorrection) yield { errorCorrection: level }
  } else {
    if (style.errorCorrection !== undefined && style.errorCorrection !== 'H') yield { errorCorrection: 'H' }
    for (let percent = Math.round((logo.scale ?? 0.2) * 100) - 2; percent >= 10; percent -= 4)
      yield {
        errorCorrection: 'H',
        logo: { ...logo, scale: percent / 100, margin: Math.min(logo.margin ?? 1, 1) },
      }
  }
  for (let modules = margin + 1; modules <= 4; modules++) yield { margin: modules }
  for (const percent of [75, 50, 25, 0]) yield darkerBy(style, percent / 100)
  if (style.cornerSquareStyle !== undefined || style.cornerDotStyle !== undefined)
    yield { cornerSquareStyle: null, cornerDotStyle: null }
  const plainer: UpdateStyle = { dotStyle: 'rounded', cornerRadius: 50 }
  if (style.dotStyle !== undefined && style.dotStyle !== 'square') {
    yield plainer
    yield { dotStyle: 'square', cornerRadius: 0 }
  }
  const all: UpdateStyle = { ...safest, ...plainer, margin: Math.max(4, margin), errorCorrection: 'H' }
  for (const scale of logo === undefined ? [] : [0.2, 0.15, 0.1])
    if (logo !== undefined)
      yield { ...all, logo: { ...logo, scale: Math.min(scale, logo.scale ?? 0.2), margin: 1 } }
  yield {
    ...all,
    cornerSquareColor: null,
    cornerDotColor: null,
    cornerSquareStyle: null,
    cornerDotStyle: null,
  }
  yield { ...all, dotStyle: 'square', logo: null, frame: null, cornerSquareColor: null, cornerDotColor: null }
}

function darkerBy(style: Style, share: number): UpdateStyle {
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
