// Writes qr/src/fonts/inter-semibold.json, the glyph outlines of captions, from the font's package.
// Run it again after an update of @fontsource/inter. It extracts only outlines and distances, so
// that pictures need no installed font.
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Font, type Glyph, openSync } from 'fontkit'

const target = join(import.meta.dirname, '..', 'qr', 'src', 'fonts')
const source = dirname(fileURLToPath(import.meta.resolve('@fontsource/inter/package.json')))

const subsets = ['latin', 'latin-ext', 'vietnamese', 'cyrillic', 'cyrillic-ext', 'greek'] as const

/**
 * The characters of captions: Latin with its extensions, Greek, Cyrillic, punctuation, currencies,
 * arrows, signs.
 */
const ranges: readonly [from: number, to: number][] = [
  [0x20, 0x7e],
  [0xa0, 0xac],
  [0xae, 0x24f],
  [0x259, 0x259],
  [0x2bc, 0x2bc],
  [0x370, 0x3ff],
  [0x400, 0x482],
  [0x48a, 0x52f],
  [0x1e00, 0x1eff],
  [0x2010, 0x2027],
  [0x2030, 0x205e],
  [0x20a0, 0x20bf],
  [0x2116, 0x2122],
  [0x2190, 0x2193],
  [0x2212, 0x2212],
]

/** The letters with kerning. Accented letters use the kerning of their base letter. */
const kerned = Array.from(
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.,:;!?-–\'"’”()/&' +
    'АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдежзиклмнопрстуфхцчшщъыьэюя' +
    'ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩαβγδεζηθικλμνξοπρςστυφχψω',
)

/**
 * A thousandth of the letters' size. Finer units are invisible, and the font's own 2,048 make the
 * file a fifth larger.
 */
const unitsPerEm = 1000

/** Smaller distances in units are invisible. */
const kerningMin = 8

/** Stands in for a character that the font lacks: an empty box as high as an upper-case letter. */
const missing = [700, 'm80 0l0 728l540 0l0-728zm-470 70l400 0l0 588l-400 0z']

/** Disables features that depend on neighbouring letters, because letters are drawn one by one. */
const features = { kern: true, calt: false, liga: false, ccmp: false, clig: false, rlig: false, locl: false }

const letters: Readonly<Record<string, string>> = {
  moveTo: 'm',
  lineTo: 'l',
  quadraticCurveTo: 'q',
  closePath: 'z',
}

const fonts = subsets.map((subset) => {
  const font = openSync(join(source, 'files', `inter-${subset}-600-normal.woff`))
  if (!('layout' in font)) throw new TypeError('expected a font, got a collection')
  return font
})
const [first] = fonts
if (!first) throw new RangeError('no font')

/** Converts units of the font to ours. */
const units = (value: number) => Math.round((value * unitsPerEm) / first.unitsPerEm)

mkdirSync(target, { recursive: true })
copyFileSync(join(source, 'LICENSE'), join(target, 'LICENSE'))
writeFileSync(join(target, 'inter-semibold.json'), writeFont(first))

function writeFont(font: Font): string {
  const glyphs = readGlyphs()
  const lines = [
    `"name": "Inter SemiBold"`,
    `"unitsPerEm": ${unitsPerEm}`,
    `"capHeight": ${units(font.capHeight)}`,
    `"missing": ${JSON.stringify(missing)}`,
    `"glyphs": {\n${[...glyphs].map(([text, glyph]) => `${JSON.stringify(text)}: ${writeGlyph(glyph)}`).join(',\n')}\n}`,
    `"kerning": {\n${readKerning().join(',\n')}\n}`,
  ]
  return `{\n${lines.join(',\n')}\n}\n`
}

/** Returns every character of the ranges that a subset has, in order. */
function readGlyphs(): Map<string, Glyph> {
  const glyphs = new Map<string, Glyph>()
  for (const [from, to] of ranges) {
    for (let point = from; point <= to; point++) {
      const font = fonts.find((one) => one.hasGlyphForCodePoint(point))
      if (font) glyphs.set(String.fromCodePoint(point), font.glyphForCodePoint(point))
    }
  }
  return glyphs
}

/** Returns `[advance, outline]`: SVG's letters m, l, q, z, relative whole numbers, y up. */
function writeGlyph(glyph: Glyph): string {
  return JSON.stringify([units(glyph.advanceWidth), writeOutline(glyph)])
}

function writeOutline(glyph: Glyph): string {
  let outline = ''
  let fromX = 0
  let fromY = 0
  for (const { command, args } of glyph.path.commands) {
    const letter = letters[command]
    if (letter === undefined) throw new RangeError(`unexpected ${command} in the outline of a glyph`)
    const numbers = args.map((value, at) => units(value) - (at % 2 === 0 ? fromX : fromY))
    outline += letter + numbers.map((value, at) => (at > 0 && value >= 0 ? ` ${value}` : `${value}`)).join('')
    fromX += numbers.at(-2) ?? 0
    fromY += numbers.at(-1) ?? 0
  }
  return outline
}

/** Returns one line for each left letter: `"A": "V-82 W-60"`, in units. */
function readKerning(): string[] {
  return kerned.flatMap((left) => {
    const pairs = kerned.flatMap((right) => {
      const distance = readDistance(left, right)
      return Math.abs(distance) < kerningMin ? [] : [`${right}${distance}`]
    })
    return pairs.length === 0 ? [] : [`${JSON.stringify(left)}: ${JSON.stringify(pairs.join(' '))}`]
  })
}

function readDistance(left: string, right: string): number {
  const font = fonts.find((one) => hasGlyph(one, left) && hasGlyph(one, right))
  if (!font) return 0
  const { glyphs, positions } = font.layout(left + right, features)
  return units((positions[0]?.xAdvance ?? 0) - (glyphs[0]?.advanceWidth ?? 0))
}

function hasGlyph(font: Font, text: string): boolean {
  return font.hasGlyphForCodePoint(text.codePointAt(0) ?? 0)
}
