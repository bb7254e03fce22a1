import type { pictureProblems as english } from '@everscan/contract/problems/picture-problems.ts'
import type { ProblemWords } from '../problem-wording.ts'
import { unquoted } from '../values.ts'

/** Spanish. */
export const pictureProblems = {
  pictureTooSmallFor: '{min} como mínimo para este código con un margen de {margin}.',
  contentTooLong: 'Una imagen de nivel {level} admite {max} bytes como máximo, y son {got}.',
  textTooLongForLevel: 'El texto es demasiado largo para un código QR de nivel {level}.',
  notDirectContent:
    'Debe ser un código dinámico: un teléfono no entiende un contenido del tipo {type} sin este servicio.',
  pixelsOutside: 'A {dpi} dpi son posibles de {min} a {max} píxeles, y serían {got}.',
  onlyForPrint: 'Esto solo es posible con el formato pdf o eps.',

  startBeyondSheet: '{max} como máximo: son las etiquetas de una hoja.',
  tooManyCopies: '{max} como máximo para {codes} códigos: {labels} etiquetas en total.',
  noCodeWithId: ({ id }) => `En esta organización no hay ningún código con el identificador ${unquoted(id)}.`,
  codeMmBeyondLabel: '{max} como máximo: más ancho no cabe en esta etiqueta.',
  codeMmTooSmall: 'El código tendría {got} mm de ancho; se puede leer a partir de {min} mm.',
  labelTooSmall:
    'El código tendría {got} mm de ancho; se puede leer a partir de {min} mm. Use una etiqueta mayor.',
  labelTooSmallWithCaption:
    'El código tendría {got} mm de ancho; se puede leer a partir de {min} mm. Use una etiqueta mayor o ningún texto.',

  captionNotDrawable: 'Hacen falta letras latinas, griegas o cirílicas. No se puede dibujar: {characters}.',
  logoTooLarge: '{max} MiB como máximo.',
  notLogoFormat: 'Debe ser una imagen PNG, JPEG o WebP.',
  logoSidesTooLong: 'Los lados tienen {max} píxeles como máximo; la imagen tiene {width} × {height}.',
  logoIncomplete: 'La imagen no está completa y no se puede leer.',
  logoTooManyPixels: '{max} millones de píxeles como máximo.',

  colorTooLight:
    'El color {color} debe ser más oscuro que el fondo {background}, con un contraste de {min}:1 como mínimo; es de {got}:1.',
  frameTooLight:
    'El color {color} no debe ser más claro que el fondo {background}: si no, los lectores toman el fondo por oscuro.',
  frameTooClose:
    '{min} como mínimo dentro de un marco: si no, los lectores toman el marco por una parte del código.',
  pictureUnread: 'La imagen no se pudo volver a leer ({conditions}).',
  styleContrastTooLow: 'Un lector no podría distinguir los módulos del fondo.',
  styleFrameTooLight: 'El marco es más claro que el fondo.',
  styleFrameTooClose: 'El marco está demasiado cerca del código.',

  styleTimeUsed:
    'Esta organización ha gastado su tiempo para comprobar estilos. Inténtelo de nuevo en {seconds} s.',
  styleChecksWait:
    'Esta organización ya tiene {count} comprobaciones de estilos en espera. Inténtelo de nuevo en {seconds} s.',
  printWidthByReading:
    '{modules} módulos de ancho con margen y marco, cada uno de {moduleMm} mm: a {distanceMm} mm son {pixels} píxeles de la cámara de un móvil. Una imagen quieta de este estilo se leyó con {read}.',
  printWidthUnread:
    '{modules} módulos de ancho con margen y marco, cada uno de {moduleMm} mm: a {distanceMm} mm son {pixels} píxeles de la cámara de un móvil.',
  styleNotChecked: 'Este estilo no se pudo comprobar a tiempo. Inténtelo de nuevo en un momento.',
} as const satisfies ProblemWords<typeof english>
