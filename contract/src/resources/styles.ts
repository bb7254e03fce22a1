import { Type, type Static, type TProperties } from 'typebox'
import { HexColor, OptionalLine, nullable, oneOf, strictObject } from '../schema/common.ts'
import { limits } from '../schema/limits.ts'
import { patterns } from '../schema/patterns.ts'

export const dotStyles = ['square', 'rounded', 'dots', 'classy', 'classy-rounded', 'extra-rounded'] as const
export const cornerSquareStyles = ['square', 'dot', 'extra-rounded'] as const
export const cornerDotStyles = ['square', 'dot'] as const
export const gradientTypes = ['linear', 'radial'] as const
export const frameStyles = ['border', 'label-below', 'label-above'] as const
export const errorCorrections = ['L', 'M', 'Q', 'H'] as const

/** How much of a picture may be damaged and still read: L 7 %, M 15 %, Q 25 %, H 30 % (ISO/IEC 18004). */
export const ErrorCorrection = oneOf(errorCorrections, {
  description:
    'How much may be damaged and still read: L 7 %, M 15 %, Q 25 %, H 30 %. M unless given, H with a logo.',
})
export type ErrorCorrection = Static<typeof ErrorCorrection>

/** Quiet zone around the code, in modules. */
export const Margin = Type.Integer({
  description: 'Quiet zone around the code, in modules, 0 to 16; 4 unless given, as the standard asks.',
  minimum: 0,
  maximum: 16,
})

/** A gradient over the dark modules, in place of the foreground color. */
export const Gradient = strictObject({
  type: oneOf(gradientTypes, { description: 'linear or radial.' }),
  angle: Type.Optional(
    Type.Number({
      description: 'Degrees clockwise, of a linear gradient; 0 unless given.',
      minimum: 0,
      maximum: 360,
    }),
  ),
  colors: Type.Array(HexColor('A color.'), { description: 'From and to.', minItems: 2, maxItems: 2 }),
})
export type Gradient = Static<typeof Gradient>

/** A picture in the middle of the code. */
export const Logo = strictObject({
  dataUri: Type.String({
    description:
      'The picture itself: PNG, JPEG or WebP, in base64, at most 1 MiB and 4 megapixels; kept encoded anew, at most 512 pixels a side.',
    maxLength: limits.styleLogoCharsMax,
    pattern: patterns.logo,
  }),
  scale: Type.Optional(
    Type.Number({
      description: 'Width as a share of the code, 0.1 to 0.3; 0.2 unless given.',
      minimum: 0.1,
      maximum: 0.3,
    }),
  ),
  margin: Type.Optional(
    Type.Number({
      description: 'Free space around it, in modules, 0 to 4; 1 unless given.',
      minimum: 0,
      maximum: 4,
    }),
  ),
  round: Type.Optional(Type.Boolean({ description: 'Whether it is cut to a circle.' })),
})
export type Logo = Static<typeof Logo>

/** A frame around the code, with a call to action. */
export const Frame = strictObject({
  style: oneOf(frameStyles, { description: 'A border alone, or with a label below or above the code.' }),
  text: Type.Optional(
    OptionalLine(limits.frameTextCharsMax, 'What the label says.', { examples: ['Scan me'] }),
  ),
  color: Type.Optional(HexColor('Color of the frame; the foreground color unless given.')),
  textColor: Type.Optional(HexColor('Color of the text; the background color unless given.')),
})
export type Frame = Static<typeof Frame>

const styleFields = {
  foregroundColor: HexColor('Color of the dark modules; #000000 unless given.', { examples: ['#1A2B3C'] }),
  backgroundColor: HexColor('Color behind them; #FFFFFF unless given.', { examples: ['#FFFFFF'] }),
  cornerRadius: Type.Number({
    description: "Percent of the most that a module's corner can be rounded, 0 to 100.",
    minimum: 0,
    maximum: 100,
  }),
  dotStyle: oneOf(dotStyles, { description: 'Shape of the modules; square unless given.' }),
  cornerSquareStyle: oneOf(cornerSquareStyles, { description: 'Shape of the three large corner squares.' }),
  cornerDotStyle: oneOf(cornerDotStyles, { description: 'Shape of the dots in the corner squares.' }),
  cornerSquareColor: HexColor('Color of the corner squares; the foreground color unless given.'),
  cornerDotColor: HexColor('Color of the dots in them; that of the corner squares unless given.'),
  gradient: Gradient,
  logo: Logo,
  frame: Frame,
  errorCorrection: ErrorCorrection,
  margin: Margin,
  transparent: Type.Boolean({ description: 'Whether the background is left out, in formats that can.' }),
} satisfies TProperties

type StyleFields = { [K in keyof typeof styleFields]: Static<(typeof styleFields)[K]> }

/** How a code looks. Every field may be absent. A style is accepted only when its picture was read back. */
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

/** A change of a style: merged by key, null takes a key away. Gradient, logo and frame are replaced whole. */
export const UpdateStyle = Type.Unsafe<{ [K in keyof StyleFields]?: StyleFields[K] | null }>(
  strictObject(
    Object.fromEntries(
      Object.entries(styleFields).map(([name, schema]) => [name, Type.Optional(nullable(schema))]),
    ),
    {
      description: 'Changes of the style, merged by key; null takes a key away.',
      examples: [{ foregroundColor: '#1A2B3C', logo: null }],
    },
  ),
)
export type UpdateStyle = Static<typeof UpdateStyle>

/** What is known about how well a code's picture can be read. */
export const Scannability = strictObject(
  {
    verified: Type.Boolean({ description: 'Whether an independent decoder read the picture back.' }),
    contrast: Type.Number({
      description: 'Contrast of dark to light, 1 to 21 (WCAG 2 ratio).',
      minimum: 1,
      maximum: 21,
    }),
    minPrintMm: Type.Number({
      description: "Least printed width, in millimetres, that a phone reads at arm's length.",
      minimum: 0,
    }),
    minPrintReason: Type.String({ description: 'Why it must be so wide, in a sentence.' }),
    warnings: Type.Array(Type.String(), { description: 'What could be better, each as a sentence.' }),
  },
  {
    examples: [
      {
        verified: true,
        contrast: 14.7,
        minPrintMm: 19.8,
        minPrintReason:
          "33 modules across with margin and frame, each 0.60 mm wide: at 450 mm that is 2.0 pixels of a phone's camera; a still picture of this style was read with 1.5.",
        warnings: [],
      },
    ],
  },
)
export type Scannability = Static<typeof Scannability>

/** A style after a change: `changes` merged by key, null takes a key away. */
export function mergeStyle(style: Style, changes: UpdateStyle): Style {
  const merged = Object.entries({ ...style, ...changes }).filter(([, value]) => value !== null)
  return Object.fromEntries(merged)
}
