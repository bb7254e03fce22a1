import type { styleWarnings as english } from '@everscan/contract/problems/style-warnings.ts'
import type { ProblemWords } from '../problem-wording.ts'

/** Spanish. */
export const styleWarnings = {
  marginFrameTooClose:
    'El margen de {margin} es menor que {min} módulos: el marco está demasiado cerca del código.',
  marginTooSmall:
    'El margen de {margin} es menor que {min} módulos: la superficie alrededor de la imagen debe ser tan clara como su fondo.',
  backgroundTransparent:
    'El fondo es transparente: el código necesita una superficie tan clara como {color}.',
  contrastLow:
    'El contraste de {contrast}:1 es bajo: algunos escaneos fallan con poca luz o en impresiones gastadas.',
  backgroundMidTone:
    'El fondo {color} es un tono medio: sobre papel blanco, algunos lectores lo toman por oscuro.',
  dotsApart: 'Algunos lectores no ven puntos que no se tocan: dotStyle rounded lo leen más de ellos.',
  lostInRedLight: ({ colors }) =>
    `Con luz roja no se ve: ${colors}. Los escáneres con luz roja, como los de las cajas, no ven el código.`,
  pictureMissed: ({ reader, conditions }) =>
    `El lector ${reader} no reconoció la imagen: ${conditions
      .split(', ')
      .map((one) => conditionWords[one] ?? one)
      .join(', ')}.`,
  pictureUnverified: 'La imagen se creó antes de que se comprobaran las imágenes.',
} as const satisfies ProblemWords<typeof english>

const conditionWords: Readonly<Record<string, string>> = {
  full: 'a tamaño completo',
  odd: 'entre píxeles',
  half: 'a la mitad de tamaño',
  small: 'a un tamaño pequeño',
  blurred: 'borrosa',
  grey: 'en gris',
  worn: 'con un logotipo algo mayor',
  paper: 'sobre papel blanco',
  red: 'con luz roja',
}
