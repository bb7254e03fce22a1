import type { styleWarnings as english } from '@everscan/contract/problems/style-warnings.ts'
import type { ProblemWords } from '../problem-wording.ts'

/** German. */
export const styleWarnings = {
  marginFrameTooClose: 'Der Rand von {margin} ist kleiner als {min} Module: Der Rahmen ist dem Code zu nah.',
  marginTooSmall:
    'Der Rand von {margin} ist kleiner als {min} Module: Die Fläche um das Bild muss so hell sein wie sein Hintergrund.',
  backgroundTransparent:
    'Der Hintergrund ist durchsichtig: Der Code braucht eine Fläche, die so hell ist wie {color}.',
  contrastLow:
    'Der Kontrast von {contrast}:1 ist gering: Manche Scans misslingen bei wenig Licht oder auf abgenutzten Drucken.',
  backgroundMidTone:
    'Der Hintergrund {color} ist ein mittlerer Ton: Auf weißem Papier halten ihn manche Lesegeräte für dunkel.',
  dotsApart:
    'Manche Lesegeräte erkennen Punkte nicht, die sich nicht berühren: dotStyle rounded lesen mehr von ihnen.',
  lostInRedLight: ({ colors }) =>
    `In rotem Licht ist nicht zu sehen: ${colors}. Scanner mit rotem Licht, etwa an Kassen, erkennen den Code nicht.`,
  pictureMissed: ({ reader, conditions }) =>
    `Das Leseprogramm ${reader} hat das Bild nicht erkannt: ${conditions
      .split(', ')
      .map((one) => conditionWords[one] ?? one)
      .join(', ')}.`,
  pictureUnverified: 'Das Bild wurde erstellt, bevor Bilder geprüft wurden.',
} as const satisfies ProblemWords<typeof english>

const conditionWords: Readonly<Record<string, string>> = {
  full: 'in voller Größe',
  odd: 'zwischen Pixeln',
  half: 'in halber Größe',
  small: 'klein',
  blurred: 'unscharf',
  grey: 'in Grau',
  worn: 'mit einem etwas größeren Logo',
  paper: 'auf weißem Papier',
  red: 'in rotem Licht',
}
