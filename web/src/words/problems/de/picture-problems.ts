import type { pictureProblems as english } from '@everscan/contract/problems/picture-problems.ts'
import type { ProblemWords } from '../problem-wording.ts'
import { unquoted } from '../values.ts'

/** German. */
export const pictureProblems = {
  pictureTooSmallFor: 'Mindestens {min} für diesen Code mit einem Rand von {margin}.',
  contentTooLong: 'Ein Bild der Stufe {level} fasst höchstens {max} Bytes, es sind {got}.',
  textTooLongForLevel: 'Der Text ist zu lang für einen QR-Code der Stufe {level}.',
  notDirectContent:
    'Das muss ein dynamischer Code sein: Einen Inhalt der Art {type} versteht ein Telefon nicht ohne diesen Dienst.',
  pixelsOutside: 'Bei {dpi} dpi sind {min} bis {max} Pixel möglich, es wären {got}.',
  onlyForPrint: 'Das geht nur mit dem Format pdf oder eps.',

  startBeyondSheet: 'Höchstens {max}: So viele Etiketten hat ein Bogen.',
  tooManyCopies: 'Höchstens {max} bei {codes} Codes: zusammen {labels} Etiketten.',
  noCodeWithId: ({ id }) => `In dieser Organisation gibt es keinen Code mit der Kennung ${unquoted(id)}.`,
  codeMmBeyondLabel: 'Höchstens {max}: Breiter passt der Code nicht auf dieses Etikett.',
  codeMmTooSmall: 'Der Code wäre {got} mm breit; lesbar ist er ab {min} mm.',
  labelTooSmall: 'Der Code wäre {got} mm breit; lesbar ist er ab {min} mm. Nehmen Sie ein größeres Etikett.',
  labelTooSmallWithCaption:
    'Der Code wäre {got} mm breit; lesbar ist er ab {min} mm. Nehmen Sie ein größeres Etikett oder keine Beschriftung.',

  captionNotDrawable:
    'Lateinische, griechische oder kyrillische Buchstaben sind nötig. Nicht zu zeichnen: {characters}.',
  logoTooLarge: 'Höchstens {max} MiB.',
  notLogoFormat: 'Das muss ein Bild sein: PNG, JPEG oder WebP.',
  logoSidesTooLong: 'Die Seiten haben höchstens {max} Pixel; das Bild hat {width} × {height}.',
  logoIncomplete: 'Das Bild ist nicht vollständig und lässt sich nicht lesen.',
  logoTooManyPixels: 'Höchstens {max} Millionen Pixel.',

  colorTooLight:
    'Die Farbe {color} muss dunkler als der Hintergrund {background} sein, mit einem Kontrast von mindestens {min}:1; er ist {got}:1.',
  frameTooLight:
    'Die Farbe {color} darf nicht heller als der Hintergrund {background} sein: Sonst halten Lesegeräte den Hintergrund für dunkel.',
  frameTooClose:
    'In einem Rahmen mindestens {min}: Sonst halten Lesegeräte den Rahmen für einen Teil des Codes.',
  pictureUnread: 'Das Bild ließ sich nicht zurücklesen ({conditions}).',
  styleContrastTooLow: 'Ein Lesegerät könnte die Module nicht vom Hintergrund unterscheiden.',
  styleFrameTooLight: 'Der Rahmen ist heller als der Hintergrund.',
  styleFrameTooClose: 'Der Rahmen ist dem Code zu nah.',

  styleTimeUsed:
    'Diese Organisation hat ihre Zeit zum Prüfen von Stilen verbraucht. Versuchen Sie es in {seconds} s erneut.',
  styleChecksWait:
    'Diese Organisation hat schon {count} Prüfungen von Stilen, die warten. Versuchen Sie es in {seconds} s erneut.',
  printWidthByReading:
    '{modules} Module breit mit Rand und Rahmen, jedes {moduleMm} mm: Aus {distanceMm} mm sind das {pixels} Pixel einer Handykamera. Ein ruhiges Bild dieses Stils wurde mit {read} gelesen.',
  printWidthUnread:
    '{modules} Module breit mit Rand und Rahmen, jedes {moduleMm} mm: Aus {distanceMm} mm sind das {pixels} Pixel einer Handykamera.',
  styleNotChecked:
    'Dieser Stil konnte nicht rechtzeitig geprüft werden. Versuchen Sie es gleich noch einmal.',
} as const satisfies ProblemWords<typeof english>
