import { contrastOf, darkColors, lightColor, luminance } from '@everscan/qr/drawing/contrast.ts'
import { parseColor } from '@everscan/qr/shapes/colors.ts'
import { Html } from './html.ts'

/** The colours of a page, `#RRGGBB`. Every text has at least `textContrastMin` to what it stands on. */
export type Palette = {
  page: string
  text: string
  muted: string
  accent: string
  /** On the accent. */
  onAccent: string
  /** A touch of the accent, under icons. */
  soft: string
  line: string
}

export type PageColors = { light: Palette; dark: Palette }

/** WCAG 2.2, section 1.4.3, level AA. */
const textContrastMin = 4.5
/** Of black or white on the page: a page of a middling color has no room for softer ones. */
const pageContrastMin = 7
/** Of buttons by night, where 4.5 would be dull. */
const nightContrastMin = 8
/** Of those without a colour, which would be grey: nearly white. */
const nightGreyContrastMin = 14
const night = '#101114'
const [black, white] = ['#000000', '#FFFFFF']

/** The colours of a code's style as a page can use them, by day and by night. Anything that is no style gives black on white. */
export function pageColors(style: unknown): PageColors {
  const { dark, light } = styleColors(style)
  return {
    light: palette(light, dark, textContrastMin),
    dark: palette(tinted(night, dark), dark, isGrey(dark) ? nightGreyContrastMin : nightContrastMin),
  }
}

/** The colours as the properties that the style sheet reads. */
export function colorProperties({ light, dark }: PageColors): Html {
  return new Html(`:root{${properties(light)}}@media(prefers-color-scheme:dark){:root{${properties(dark)}}}`)
}

/** The colours of one scheme as these properties, whatever the reader's device prefers. */
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
    // Only data that was written past the interface has other colours than `#RRGGBB`.
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
    // The page itself can be read on it, as it can be read on the page.
    onAccent: page,
    soft,
    line: mixed(page, ink, 0.14),
  }
}

/** The colour, moved towards another one until it can be read on all of `on`, in twentieths of the way. */
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

/** Dark, with a breath of the colour. */
function tinted(dark: string, color: string): string {
  return luminance(color) < 0.002 ? dark : mixed(dark, color, 0.06)
}

function isGrey(color: string): boolean {
  const { red, green, blue } = parseColor(color)
  return Math.max(red, green, blue) - Math.min(red, green, blue) < 16
}

/** The colour with so much of the other one, 0 to 1. */
function mixed(color: string, other: string, share: number): string {
  const [a, b] = [parseColor(color), parseColor(other)]
  const part = (from: number, to: number) =>
    Math.round(from + (to - from) * share)
      .toString(16)
      .padStart(2, '0')
  return `#${part(a.red, b.red)}${part(a.green, b.green)}${part(a.blue, b.blue)}`.toUpperCase()
}

/** Read and written again: what comes out is a colour and nothing else. */
const rewritten = (color: string) => mixed(color, color, 0)
