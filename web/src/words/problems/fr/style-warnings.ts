import type { styleWarnings as english } from '@everscan/contract/problems/style-warnings.ts'
import type { ProblemWords } from '../problem-wording.ts'

/** French. */
export const styleWarnings = {
  marginFrameTooClose:
    'La marge de {margin} est inférieure à {min} modules : le cadre est trop près du code.',
  marginTooSmall:
    'La marge de {margin} est inférieure à {min} modules : la surface autour de l’image doit être aussi claire que son fond.',
  backgroundTransparent: 'Le fond est transparent : le code a besoin d’une surface aussi claire que {color}.',
  contrastLow:
    'Le contraste de {contrast}:1 est faible : certains scans échouent en faible lumière ou sur des impressions usées.',
  backgroundMidTone:
    'Le fond {color} est un ton moyen : sur du papier blanc, certains lecteurs le prennent pour foncé.',
  dotsApart:
    'Certains lecteurs ne voient pas les points qui ne se touchent pas : plus d’entre eux lisent dotStyle rounded.',
  lostInRedLight: ({ colors }) =>
    `La lumière rouge ne montre pas : ${colors}. Les scanners à lumière rouge, comme ceux des caisses, ne voient pas le code.`,
  pictureMissed: ({ reader, conditions }) =>
    `Le lecteur ${reader} n’a pas reconnu l’image : ${conditions
      .split(', ')
      .map((one) => conditionWords[one] ?? one)
      .join(', ')}.`,
  pictureUnverified: 'L’image a été créée avant que les images soient vérifiées.',
} as const satisfies ProblemWords<typeof english>

const conditionWords: Readonly<Record<string, string>> = {
  full: 'en pleine taille',
  odd: 'entre les pixels',
  half: 'à la moitié de la taille',
  small: 'en petite taille',
  blurred: 'floue',
  grey: 'en gris',
  worn: 'avec un logo un peu plus grand',
  paper: 'sur du papier blanc',
  red: 'en lumière rouge',
}
