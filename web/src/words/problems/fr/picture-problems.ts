import type { pictureProblems as english } from '@everscan/contract/problems/picture-problems.ts'
import type { ProblemWords } from '../problem-wording.ts'
import { unquoted } from '../values.ts'

/** French. */
export const pictureProblems = {
  pictureTooSmallFor: '{min} au moins pour ce code avec une marge de {margin}.',
  contentTooLong: 'Une image de niveau {level} contient {max} octets au plus, et il y en a {got}.',
  textTooLongForLevel: 'Le texte est trop long pour un code QR de niveau {level}.',
  notDirectContent:
    'Ce doit être un code dynamique : un téléphone ne comprend pas un contenu du type {type} sans ce service.',
  pixelsOutside: 'À {dpi} dpi, {min} à {max} pixels sont possibles, et il y en aurait {got}.',
  onlyForPrint: 'Ce n’est possible qu’avec le format pdf ou eps.',

  startBeyondSheet: '{max} au plus : c’est le nombre d’étiquettes d’une feuille.',
  tooManyCopies: '{max} au plus pour {codes} codes : {labels} étiquettes en tout.',
  noCodeWithId: ({ id }) =>
    `Il n’y a pas dans cette organisation de code avec l’identifiant ${unquoted(id)}.`,
  codeMmBeyondLabel: '{max} au plus : plus large, le code ne tient pas sur cette étiquette.',
  codeMmTooSmall: 'Le code aurait {got} mm de large ; il est lisible à partir de {min} mm.',
  labelTooSmall:
    'Le code aurait {got} mm de large ; il est lisible à partir de {min} mm. Prenez une étiquette plus grande.',
  labelTooSmallWithCaption:
    'Le code aurait {got} mm de large ; il est lisible à partir de {min} mm. Prenez une étiquette plus grande ou aucune légende.',

  captionNotDrawable:
    'Il faut des lettres latines, grecques ou cyrilliques. Impossible à dessiner : {characters}.',
  logoTooLarge: '{max} Mio au plus.',
  notLogoFormat: 'Ce doit être une image PNG, JPEG ou WebP.',
  logoSidesTooLong: 'Les côtés ont {max} pixels au plus ; l’image a {width} × {height}.',
  logoIncomplete: 'L’image n’est pas complète et ne peut pas être lue.',
  logoTooManyPixels: '{max} millions de pixels au plus.',

  colorTooLight:
    'La couleur {color} doit être plus foncée que le fond {background}, avec un contraste de {min}:1 au moins ; il est de {got}:1.',
  frameTooLight:
    'La couleur {color} ne doit pas être plus claire que le fond {background} : sinon les lecteurs prennent le fond pour foncé.',
  frameTooClose:
    '{min} au moins dans un cadre : sinon les lecteurs prennent le cadre pour une partie du code.',
  pictureUnread: 'L’image n’a pas pu être relue ({conditions}).',
  styleContrastTooLow: 'Un lecteur ne pourrait pas distinguer les modules du fond.',
  styleFrameTooLight: 'Le cadre est plus clair que le fond.',
  styleFrameTooClose: 'Le cadre est trop près du code.',

  styleTimeUsed:
    'Cette organisation a utilisé son temps de vérification des styles. Réessayez dans {seconds} s.',
  styleChecksWait:
    'Cette organisation a déjà {count} vérifications de styles en attente. Réessayez dans {seconds} s.',
  printWidthByReading:
    '{modules} modules de large avec marge et cadre, chacun de {moduleMm} mm : à {distanceMm} mm, cela fait {pixels} pixels de l’appareil photo d’un téléphone. Une image fixe de ce style a été lue avec {read}.',
  printWidthUnread:
    '{modules} modules de large avec marge et cadre, chacun de {moduleMm} mm : à {distanceMm} mm, cela fait {pixels} pixels de l’appareil photo d’un téléphone.',
  styleNotChecked: 'Ce style n’a pas pu être vérifié à temps. Réessayez dans un instant.',
} as const satisfies ProblemWords<typeof english>
