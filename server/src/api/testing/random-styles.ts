import {
  cornerDotStyles,
  cornerSquareStyles,
  dotStyles,
  errorCorrections,
  frameStyles,
  gradientTypes,
  type Style,
} from '@everscan/contract/resources/styles.ts'
import { darkened } from '@everscan/qr/drawing/contrast.ts'
import { shortCode } from '@everscan/qr/testing/pictures.ts'
import * as fc from 'fast-check'
import sharp from 'sharp'

/** A style with a code to draw in it. */
export type StyledSample = {
  readonly style: Style
  readonly publicUrl: string
  readonly shortCode: string
  /**
   * Whether the short code is chosen: a generated one is not known yet when its style is accepted.
   */
  readonly isChosen: boolean
}

const optional = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined })

const anyColor = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => `#${value.toString(16).padStart(6, '0').toUpperCase()}`)
/** Uniform: `double` has as many values below 1e-100 as above. */
const between = (min: number, max: number) =>
  fc.integer({ min: 0, max: 1000 }).map((step) => min + ((max - min) * step) / 1000)
/** Any color, with any share of its light: usually dark enough. */
const darkish = fc.tuple(anyColor, between(0, 1)).map(([color, light]) => darkened(color, light))
/** Usually light enough. */
const lightish = darkish.map(inverted)
const dark = fc.oneof({ weight: 2, arbitrary: fc.constant('#000000') }, { weight: 5, arbitrary: darkish })
const light = fc.oneof({ weight: 2, arbitrary: fc.constant('#FFFFFF') }, { weight: 3, arbitrary: lightish })

function inverted(color: string): string {
  return `#${(0xffffff - Number.parseInt(color.slice(1), 16)).toString(16).padStart(6, '0').toUpperCase()}`
}

const gradientOf = (colors: fc.Arbitrary<string>) =>
  fc.record({
    type: fc.constantFrom(...gradientTypes),
    angle: fc.integer({ min: 0, max: 360 }),
    colors: fc.array(colors, { minLength: 2, maxLength: 2 }),
  })

const logoLooks = ['flat', 'rings', 'noise', 'letter', 'faint'] as const

/** The properties of a logo to draw. */
const logoSpec = fc.record({
  look: fc.constantFrom(...logoLooks),
  format: fc.constantFrom('png' as const, 'jpeg' as const, 'webp' as const),
  widthPx: fc.integer({ min: 16, max: 300 }),
  heightPx: fc.integer({ min: 16, max: 300 }),
  color: anyColor,
  under: optional(anyColor),
})
type LogoSpec = typeof logoSpec extends fc.Arbitrary<infer T> ? T : never

const logoOf = (scale: fc.Arbitrary<number>) =>
  fc.record({
    spec: logoSpec,
    scale: optional(scale),
    margin: optional(between(0, 4)),
    round: optional(fc.boolean()),
  })

const letters = Array.from('abcdefghijklmnopqrstuvwxyz ABCDEFGHIJKLM äöüé ΑΒΓαβγδε ЖЗИабвгд 0123456789 !?&')
const frame = fc.record({
  style: fc.constantFrom(...frameStyles),
  text: optional(fc.array(fc.constantFrom(...letters), { maxLength: 40 }).map((all) => all.join('').trim())),
  color: optional(anyColor),
  textColor: optional(anyColor),
})

const shapes = {
  cornerRadius: optional(fc.integer({ min: 0, max: 100 })),
  dotStyle: optional(fc.constantFrom(...dotStyles)),
  cornerSquareStyle: optional(fc.constantFrom(...cornerSquareStyles)),
  cornerDotStyle: optional(fc.constantFrom(...cornerDotStyles)),
}

type Spec = Omit<Style, 'logo'> & { logo?: Omit<NonNullable<Style['logo']>, 'dataUri'> & { spec: LogoSpec } }
type LooseSpec = { [K in keyof Spec]?: unknown }

/** All fields, each present or absent. */
const anySpec: fc.Arbitrary<LooseSpec> = fc.record({
  ...shapes,
  foregroundColor: optional(dark),
  backgroundColor: optional(light),
  cornerSquareColor: fc.option(dark, { nil: undefined, freq: 2 }),
  cornerDotColor: fc.option(dark, { nil: undefined, freq: 2 }),
  gradient: fc.option(gradientOf(dark), { nil: undefined, freq: 2 }),
  logo: fc.option(logoOf(between(0.1, 0.3)), { nil: undefined, freq: 2 }),
  frame: fc.option(frame, { nil: undefined, freq: 2 }),
  errorCorrection: optional(fc.constantFrom(...errorCorrections)),
  margin: optional(fc.integer({ min: 0, max: 16 })),
  transparent: optional(fc.boolean()),
})

/**
 * Contrasts around the minimum: a grey or color against a background of nearly the same lightness.
 */
const middling = fc.tuple(anyColor, between(0.2, 0.75)).map(([color, part]) => darkened(color, part))

/** Each has at least one defect; some can be read nevertheless. */
const failingSpec: fc.Arbitrary<LooseSpec> = fc.oneof(
  fc.record({ ...shapes, foregroundColor: middling, backgroundColor: lightish }),
  fc.record({
    ...shapes,
    foregroundColor: dark,
    cornerSquareColor: middling,
    cornerDotColor: optional(middling),
  }),
  fc.record({ ...shapes, gradient: gradientOf(middling), backgroundColor: optional(light) }),
  fc.record({
    ...shapes,
    foregroundColor: optional(dark),
    logo: logoOf(between(0.22, 0.3)),
    errorCorrection: fc.constantFrom(...errorCorrections),
  }),
  fc.record({ ...shapes, frame, margin: fc.integer({ min: 0, max: 2 }), foregroundColor: optional(dark) }),
  fc.record({
    ...shapes,
    foregroundColor: lightish,
    backgroundColor: darkish,
    margin: fc.integer({ min: 0, max: 1 }),
  }),
)

const code = fc.record({
  host: fc.stringMatching(/^[a-z][a-z0-9]{0,12}(\.[a-z][a-z0-9]{1,8}){1,2}$/),
  scheme: fc.constantFrom('https', 'https', 'http'),
  prefix: fc.constantFrom('', '', '', '/q', '/GO'),
  random: shortCode,
  chosen: fc.option(fc.stringMatching(/^[A-Za-z0-9-]{4,32}$/), { nil: undefined, freq: 2 }),
})

/** `count` random styles with codes; the same for the same seed. */
export const sampleStyles = (options: SampleOptions) => sample(anySpec, options)

/** `count` styles made to fail. */
export const sampleFailingStyles = (options: SampleOptions) => sample(failingSpec, options)

type SampleOptions = { readonly seed: number; readonly count: number }

async function* sample(
  spec: fc.Arbitrary<LooseSpec>,
  { seed, count }: SampleOptions,
): AsyncGenerator<StyledSample> {
  for (const one of fc.sample(fc.noBias(fc.record({ spec, code })), { seed, numRuns: count })) {
    const { scheme, host, prefix, random, chosen } = one.code
    yield {
      style: await styleOf(one.spec as Spec),
      publicUrl: `${scheme}://${host}${prefix}`,
      shortCode: chosen ?? random,
      isChosen: chosen !== undefined,
    }
  }
}

async function styleOf({ logo, ...rest }: Spec): Promise<Style> {
  if (logo === undefined) return present(rest)
  const { spec, ...place } = logo
  return present({ ...rest, logo: present({ ...place, dataUri: await drawLogo(spec) }) })
}

/** Removes absent fields, also within `frame`. */
function present<T extends object>(record: T): T {
  return JSON.parse(JSON.stringify(record)) as T
}

async function drawLogo({ look, format, widthPx, heightPx, color, under }: LogoSpec): Promise<string> {
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${widthPx}" height="${heightPx}" viewBox="0 0 7 7" preserveAspectRatio="none">` +
    (under === undefined ? '' : `<rect width="7" height="7" fill="${under}"/>`) +
    logoShapes[look](color) +
    '</svg>'
  const bytes = await sharp(Buffer.from(svg)).toFormat(format).toBuffer()
  return `data:image/${format};base64,${bytes.toString('base64')}`
}

const logoShapes: Readonly<Record<(typeof logoLooks)[number], (color: string) => string>> = {
  flat: (color) => `<rect width="7" height="7" fill="${color}"/>`,
  // Similar to a finder pattern, which is the hardest picture for the center of a code.
  rings: (color) => `<path fill="${color}" fill-rule="evenodd" d="M0 0h7v7h-7zM1 1h5v5h-5zM2 2h3v3h-3z"/>`,
  noise: (color) =>
    Array.from(
      { length: 49 },
      (_, at) =>
        `<rect x="${at % 7}" y="${Math.trunc(at / 7)}" width="1" height="1" fill="${darkened(color, ((at * 29) % 49) / 49)}"/>`,
    ).join(''),
  letter: (color) => `<path fill="${color}" d="M1 6L3 1h1l2 5h-1l-.5-1.4h-2L2 6z"/>`,
  faint: (color) => `<circle cx="3.5" cy="3.5" r="3" fill="${color}" fill-opacity=".4"/>`,
}
