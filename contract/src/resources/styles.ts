import { Type, type Static, type TProperties } from 'typebox'
import { HexColor, OptionalLine, nullable, oneOf, strictObject } from '../schema/common.ts'
import { limits } from '../schema/limits.ts'
import { namedDetails } from '../schema/named-problems.ts'
import { patterns } from '../schema/patterns.ts'

export const dotStyles = ['square', 'rounded', 'dots', 'classy', 'classy-rounded', 'extra-rounded'] as const
export const cornerSquareStyles = ['square', 'dot', 'extra-rounded'] as const
export const cornerDotStyles = ['square', 'dot'] as const
export const gradientTypes = ['linear', 'radial'] as const
export const frameStyles = ['border', 'label-below', 'label-above'] as const
export const errorCorrections = ['L', 'M', 'Q', 'H'] as const

/**
 * The share of a picture that may be damaged without becoming unreadable: L 7 %, M 15 %, Q 25 %, H
 * 30 % (ISO/IEC 18004).
 */
export const ErrorCorrection = oneOf(errorCorrections, {
  description:
    'Share of the code that may be damaged: L 7 %, M 15 %, Q 25 %, H 30 %. Default: M, or H with a logo.',
})
export type ErrorCorrection = Static<typeof ErrorCorrection>

/** Quiet zone around the code, in modules. */
export const Margin = Type.Integer({
  description: 'Quiet zone around the code, in modules, 0 to 16. Default: 4, as the standard requires.',
  minimum: 0,
  maximum: 16,
})

/** A gradient over the dark modules, instead of the foreground color. */
export const Gradient = strictObject({
  type: oneOf(gradientTypes, { description: 'Kind of gradient.' }),
  angle: Type.Optional(
    Type.Number({
      description: 'Degrees clockwise, for a linear gradient. Default: 0.',
      minimum: 0,
      maximum: 360,
    }),
  ),
  colors: Type.Array(HexColor('A color.'), {
    description: 'The first and the last color.',
    minItems: 2,
    maxItems: 2,
  }),
})
export type Gradient = Static<typeof Gradient>

/** A picture in the center of the code. */
export const Logo = strictObject({
  dataUri: Type.String({
    description:
      'The picture: PNG, JPEG or WebP in base64, at most 1 MiB and 4 megapixels; stored re-encoded, at most 512 pixels a side.',
    maxLength: limits.styleLogoCharsMax,
    pattern: patterns.logo,
  }),
  scale: Type.Optional(
    Type.Number({
      description: 'Width as a share of the code, 0.1 to 0.3. Default: 0.2.',
      minimum: 0.1,
      maximum: 0.3,
    }),
  ),
  margin: Type.Optional(
    Type.Number({
      description: 'Free space around the logo, in modules, 0 to 4. Default: 1.',
      minimum: 0,
      maximum: 4,
    }),
  ),
  round: Type.Optional(Type.Boolean({ description: 'Whether the logo is cropped to a circle.' })),
})
export type Logo = Static<typeof Logo>

/** A frame around the code, with a call to action. */
export const Frame = strictObject({
  style: oneOf(frameStyles, { description: 'A border only, or one with a label below or above the code.' }),
  text: Type.Optional(
    OptionalLine(limits.frameTextCharsMax, 'Text of the label.', { examples: ['Scan me'] }),
  ),
  color: Type.Optional(HexColor('Color of the frame. Default: the foreground color.')),
  textColor: Type.Optional(HexColor('Color of the text. Default: the background color.')),
})
export type Frame = Static<typeof Frame>

const styleFields = {
  foregroundColor: HexColor('Color of the dark modules. Default: #000000.', { examples: ['#1A2B3C'] }),
  backgroundColor: HexColor('Color of the background. Default: #FFFFFF.', { examples: ['#FFFFFF'] }),
  cornerRadius: Type.Number({
    description: "Rounding of the modules' corners, as a percentage of the maximum, 0 to 100.",
    minimum: 0,
    maximum: 100,
  }),
  dotStyle: oneOf(dotStyles, { description: 'Shape of the modules. Default: square.' }),
  cornerSquareStyle: oneOf(cornerSquareStyles, { description: 'Shape of the three large corner squares.' }),
  cornerDotStyle: oneOf(cornerDotStyles, { description: 'Shape of the dots in the corner squares.' }),
  cornerSquareColor: HexColor('Color of the corner squares. Default: the foreground color.'),
  cornerDotColor: HexColor(
    'Color of the dots in the corner squares. Default: the color of the corner squares.',
  ),
  gradient: Gradient,
  logo: Logo,
  frame: Frame,
  errorCorrection: ErrorCorrection,
  margin: Margin,
  transparent: Type.Boolean({
    description: 'Whether the background is transparent, in formats that support it.',
  }),
} satisfies TProperties

type StyleFields = { [K in keyof typeof styleFields]: Static<(typeof styleFields)[K]> }

/**
 * The look of a code. Every field is optional. A style is accepted only if its picture can be
 * decoded.
 */
export const Style = Type.Unsafe<Partial<StyleFields>>(
  strictObject(
    Object.fromEntries(Object.entries(styleFields).map(([name, schema]) => [name, Type.Optional(schema)])),
    {
      description: 'How the code looks.',
      examples: [{ foregroundColor: '#1A2B3C', backgroundColor: '#FFFFFF', cornerRadius: 30 }],
    },
  ),
)
export type Style = Static<typeof Style>

/**
 * Changes to a style: merged by key; null removes a key. Gradient, logo and frame are replaced as a
 * whole.
 */
export const UpdateStyle = Type.Unsafe<{ [K in keyof StyleFields]?: StyleFields[K] | null }>(
  strictObject(
    Object.fromEntries(
      Object.entries(styleFields).map(([name, schema]) => [name, Type.Optional(nullable(schema))]),
    ),
    {
      description: 'Changes to the style, merged by key; null removes a key.',
      examples: [{ foregroundColor: '#1A2B3C', logo: null }],
    },
  ),
)
export type UpdateStyle = Static<typeof UpdateStyle>

/** How many of the pictures that it was shown an independent decoder read. */
export const ReaderResult = strictObject({
  name: Type.String({ description: 'The decoder: zxing, which decides, or qr/decode.' }),
  read: Type.Integer({ description: 'The number of pictures that it read.', minimum: 0 }),
  of: Type.Integer({
    description:
      'The number of pictures that it was shown: large, small, blurred, grey, on white paper, in red light …',
    minimum: 1,
  }),
})
export type ReaderResult = Static<typeof ReaderResult>

/** How well a code's picture can be scanned, as far as this is known. */
export const Scannability = strictObject(
  {
    verified: Type.Boolean({ description: 'Whether an independent decoder decoded the picture.' }),
    readers: Type.Array(ReaderResult, {
      description:
        'What each independent decoder read. Empty for a style that an earlier release accepted, until it changes.',
    }),
    contrast: Type.Number({
      description: 'Contrast of dark to light, 1 to 21 (WCAG 2 ratio).',
      minimum: 1,
      maximum: 21,
    }),
    minPrintMm: Type.Number({
      description: "Smallest printed width, in millimetres, that a phone reads at arm's length.",
      minimum: 0,
    }),
    minPrintReason: Type.String({ description: 'Why this width is required, in a sentence.' }),
    minPrintDetails: namedDetails('The same reason with its name'),
    warnings: Type.Array(Type.String(), { description: 'Possible improvements, each in a sentence.' }),
    warningDetails: namedDetails('The same warnings with their names'),
  },
  {
    examples: [
      {
        verified: true,
        readers: [
          { name: 'zxing', read: 7, of: 7 },
          { name: 'qr/decode', read: 7, of: 7 },
        ],
        contrast: 14.7,
        minPrintMm: 19.8,
        minPrintReason:
          "33 modules across with margin and frame, each 0.60 mm wide: at 450 mm that is 2.0 pixels of a phone's camera; a still picture of this style was read with 1.5.",
        minPrintDetails: [
          {
            path: '',
            problem: 'printWidthByReading',
            values: { modules: 33, moduleMm: '0.60', distanceMm: 450, pixels: '2.0', read: 1.5 },
            message:
              "33 modules across with margin and frame, each 0.60 mm wide: at 450 mm that is 2.0 pixels of a phone's camera; a still picture of this style was read with 1.5.",
          },
        ],
        warnings: [],
        warningDetails: [],
      },
    ],
  },
)
export type Scannability = Static<typeof Scannability>

/** Merges `changes` into a style by key; null removes a key. */
export function mergeStyle(style: Style, changes: UpdateStyle): Style {
  const merged = Object.entries({ ...style, ...changes }).filter(([, value]) => value !== null)
  return Object.fromEntries(merged)
}
