import type { serviceWords as English } from '../service-words.ts'

/** German. */
export const serviceWords: typeof English = {
  wrongSignIn: 'Die E-Mail-Adresse oder das Passwort ist falsch.',
  wrongPassword: 'Das Passwort ist falsch.',
  wrongCode: 'Der Code ist falsch oder wurde schon verwendet.',
  tooManyAttempts: (seconds) => `Zu viele Fehlversuche. Versuchen Sie es in ${seconds} s erneut.`,
  tooManyRequests: 'Zu viele Anfragen. Versuchen Sie es gleich noch einmal.',
  tooSlow:
    'Das Senden hat zu lange gedauert. Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal. Eine Datei braucht eine Leitung, die nicht unterbrochen wird.',
  roleNeeded: (needed, role) => `Dafür ist die Rolle ${needed} nötig; Sie haben ${role}.`,
  unexpected:
    'Im Dienst ist ein unerwarteter Fehler aufgetreten. Versuchen Sie es erneut; geschieht es wieder, sagen Sie es dem Betreiber.',
  unavailable: 'Der Dienst ist gerade nicht verfügbar. Versuchen Sie es gleich noch einmal.',
  required: 'Dieses Feld ist erforderlich.',
  atLeast: (chars) => `Mindestens ${chars} Zeichen.`,
  atMost: (chars) => `Höchstens ${chars} Zeichen.`,
  email: 'Das ist keine E-Mail-Adresse.',
  phone: 'Das ist keine Telefonnummer, etwa +49 30 123456.',
  address: 'Das ist keine Webadresse. Sie beginnt mit http:// oder https://.',
  color: 'Eine Farbe hat die Form #RRGGBB.',
  controls: 'Steuerzeichen sind hier nicht möglich.',
}
