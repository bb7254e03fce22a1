/** Possible improvements of a style that is accepted. */
export const styleWarnings = {
  marginFrameTooClose:
    'The margin of {margin} is less than {min} modules: the frame is too close to the code.',
  marginTooSmall:
    'The margin of {margin} is less than {min} modules: the surface around the picture must be as light as its background.',
  backgroundTransparent: 'The background is transparent: the code needs a surface as light as {color}.',
  contrastLow: 'The contrast of {contrast}:1 is low: some scans fail in dim light or on worn prints.',
  backgroundMidTone: 'The background {color} is a mid-tone: on white paper, some readers take it for dark.',
  dotsApart: 'Some readers miss dots that do not touch each other: dotStyle rounded is read by more of them.',
  /** `colors` has commas between them. */
  lostInRedLight: ({ colors }: { readonly colors: string }) =>
    `Red light does not show ${colors.split(', ').join(' and ')}: scanners with a red light, such as those at tills, miss the code.`,
  /** `conditions` has commas between names of conditions. */
  pictureMissed: ({ reader, conditions }: { readonly reader: string; readonly conditions: string }) =>
    `The reader ${reader} missed the picture ${conditions
      .split(', ')
      .map((one) => conditionWords[one] ?? one)
      .join(', ')}.`,
  pictureUnverified: 'The picture was created before pictures were verified.',
} as const

const conditionWords: Readonly<Record<string, string>> = {
  full: 'at full size',
  odd: 'between pixels',
  half: 'at half size',
  small: 'at a small size',
  blurred: 'blurred',
  grey: 'in grey',
  worn: 'with a slightly larger logo',
  paper: 'on white paper',
  red: 'in red light',
}
