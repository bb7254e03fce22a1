import type { serviceWords as English } from '../service-words.ts'

/** German. */
export const serviceWords: typeof English = {
  tooManyRequests: 'Zu viele Anfragen. Versuchen Sie es gleich noch einmal.',
  tooSlow:
    'Das Senden hat zu lange gedauert. Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal. Eine Datei braucht eine Leitung, die nicht unterbrochen wird.',
  unexpected:
    'Im Dienst ist ein unerwarteter Fehler aufgetreten. Versuchen Sie es erneut; geschieht es wieder, sagen Sie es dem Betreiber.',
  unavailable: 'Der Dienst ist gerade nicht verfügbar. Versuchen Sie es gleich noch einmal.',
}
