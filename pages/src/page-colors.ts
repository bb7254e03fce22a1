import { contrastOf, darkColors, lightColor, luminance } from '@everscan/qr/drawing/contrast.ts'
import { parseColor } from '@everscan/qr/shapes/colors.ts'
import { Html } from './html.ts'

/**
 * Colors of a page, `#RRGGBB`. Every text has at least the contrast `textContrastMin` to its
 * background.
 */
export type Palette = {
  page: string
  text: string
  muted: string
  accent: string
  /** Color of text on the accent. */
  onAccent: string
  /** Light tint of the accent, behind icons. */
  soft: string
  line: string
}

export type PageColors = { light: Palette; dark: Palette }

/** Minimum contrast of text (WCAG 2.2, section 1.4.3, level AA). */
const textContrastMin = 4.5
/**
 * Minimum contrast of black or white on the page. A page of medium lightness leaves no room for
 * softer text.
 */
const pageContrastMin = 7
/** Minimum contrast of buttons in the dark scheme, where 4.5 would look dull. */
const nightContrastMin = 8
/**
 * Minimum contrast of buttons whose color is gray, in the dark scheme: they become nearly white.
 */
const nightGreyContrastMin = 14
const night = '#101114'
const [black, white] = ['#000000', '#FFFFFF']

/**
 * Returns the colors of a code's style, adapted to a page in the light and the dark scheme.
 * Anything that is not a style counts as black on white.
 */
export function pageColors(style: unknown): PageColors {
  const { dark, light } = styleColors(style)
  return {
    light: palette(light, dark, textContrastMin),
    dark: palette(tinted(night, dark), dark, isGrey(dark) ? nightGreyContrastMin : nightContrastMin),
  }
}

/** Returns the colors as the CSS properties that the style sheet reads. */
export function colorProperties({ light, dark }: PageColors): Html {
  return new Html(`:root{${properties(light)}}@media(prefers-color-scheme:dark){:root{${properties(dark)}}}`)
}

/** Returns the colors of one scheme as the same CSS properties, whatever the device prefers. */
export function schemeProperties(colors: PageColors, scheme: 'light' | 'dark'): Html {
  return new Html(`:root{color-scheme:${scheme};${properties(colors[scheme])}}`)
}

function properties(colors: Palette): string {
  return Object.entries(colors)
    .map(([name, color]) => `--${name}:${color}`)
    .join(';')
}

function styleColors(style: unknown): { dark: string; light: string } {
  try {
    const fields = typeof style === 'object' && style !== null ? style : {}
    const [first] = darkColors(fields)
    return { dark: rewritten(first?.color ?? black), light: rewritten(lightColor(fields)) }
  } catch {
    // Only data that bypassed the API has colors other than `#RRGGBB`.
    return { dark: black, light: white }
  }
}

function palette(pageWanted: string, accentWanted: string, accentContrastMin: number): Palette {
  const [ink, away] =
    contrastOf(black, pageWanted) >= contrastOf(white, pageWanted) ? [black, white] : [white, black]
  const page = readable(pageWanted, [ink], { towards: away, contrastMin: pageContrastMin })
  const wanted = readable(accentWanted, [page], { towards: ink, contrastMin: accentContrastMin })
  const soft = mixed(page, wanted, 0.07)
  const grounds = [page, soft]
  const onGrounds = { towards: ink, contrastMin: textContrastMin }
  const accent = readable(wanted, grounds, onGrounds)
  return {
    page,
    text: readable(mixed(ink, page, ink === black ? 0.1 : 0.06), grounds, onGrounds),
    muted: readable(mixed(ink, page, 0.4), grounds, onGrounds),
    accent,
    // The accent is readable on the page, so the page color is readable on the accent.
    onAccent: page,
    soft,
    line: mixed(page, ink, 0.14),
  }
}

/**
 * Moves a color toward another one, in steps of one twentieth, until it is readable on all of `on`.
 */
function readable(
  color: string,
  on: readonly string[],
  { towards, contrastMin }: { towards: string; contrastMin: number },
): string {
  for (let step = 0; step < 20; step++) {
    const tried = mixed(color, towards, step / 20)
    if (on.every((ground) => contrastOf(tried, ground) >= contrastMin)) return tried
  }
  return towards
}

/** Returns the dark color with a slight tint of the other. */
function tinted(dark: string, color: string): string {
  return luminance(color) < 0.002 ? dark : mixed(dark, color, 0.06)
}

function isGrey(color: string): boolean {
  const { red, green, blue } = parseColor(color)
  return Math.max(red, green, blue) - Math.min(red, green, blue) < 16
}

/** Mixes a share of the other color into a color, 0 to 1. */
function mixed(color: string, other: string, share: number): string {
  const [a, b] = [parseColor(color), parseColor(other)]
  const part = (from: number, to: number) =>
    Math.round(from + (to - from) * share)
      .toString(16)
      .padStart(2, '0')
  return `#${part(a.red, b.red)}${part(a.green, b.green)}${part(a.blue, b.blue)}`.toUpperCase()
}

/** Parses a color and writes it again, so the result is a color and nothing else. */
const rewritten = (color: string) => mixed(color, color, 0)
