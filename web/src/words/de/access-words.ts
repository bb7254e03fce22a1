import type { accessWords as English } from '../access-words.ts'
import { isOne } from '../plurals.ts'

/** German. */
export const accessWords: typeof English = {
  title: 'Zugang',
  intro: 'Wann, wie oft und für wen dieser Code offen ist. Das gilt sofort, ohne neues Bild.',
  states: {
    LIVE: 'Offen',
    SCHEDULED: 'Noch nicht offen',
    ENDED: 'Abgelaufen',
    FULL: 'Ausgeschöpft',
    ARCHIVED: 'Archiviert',
  },
  opens: 'Beginn',
  ends: 'Ende',
  timesHint: (zone) => `Leer: zeitlich unbegrenzt. Es gilt die Zeit von ${zone}.`,
  limit: 'Anzahl der Scans',
  limitHint: 'Leer: beliebig viele. Bots und Vorschauen zählen nicht.',
  count: (count, limit) => `bisher ${count} von ${limit}`,
  reset: 'Wieder bei null anfangen',
  resetTitle: 'Wieder bei null anfangen?',
  resetText: (count) =>
    `Die bisherigen Scans (${count}) zählen nicht mehr für die Grenze. Die Zahlen der Statistik bleiben.`,
  resetDone: 'Die Zählung beginnt bei null.',
  cancel: 'Abbrechen',
  whenUnknown: 'Wenn die Zahl kurzzeitig nicht verfügbar ist',
  unknownAnswers: { open: 'Offen bleiben und später zählen', closed: 'Schließen' },
  password: 'Passwort',
  passwordHint: 'Besucher müssen es eingeben. Es wird nirgends wieder angezeigt.',
  passwordShort: (days) =>
    `Dieses ist kurz: Ein Programm, das aus vielen Netzen rät, findet es in etwa ${days} ${isOne(days) ? 'Tag' : 'Tagen'}. Acht Buchstaben und Ziffern halten viele Jahre stand.`,
  passwordSet: 'Besucher müssen ein Passwort eingeben.',
  passwordChange: 'Passwort ändern',
  passwordRemove: 'Passwort entfernen',
  passwordRemoved: 'Das Passwort wird beim Speichern entfernt.',
  passwordKeep: 'Passwort behalten',
  newPassword: 'Neues Passwort',
  closed: 'Was Besucher sehen, solange er geschlossen ist',
  closings: {
    page: 'Eine Seite mit dem Grund',
    message: 'Eine Seite mit meiner Nachricht',
    url: 'Eine andere Adresse',
  },
  message: 'Nachricht',
  url: 'Adresse',
  urlHint: 'Zum Beispiel https://example.com/bald',
  save: 'Zugang speichern',
  discard: 'Verwerfen',
  saved: 'Zugang gespeichert.',
  undone: 'Der Zugang ist wieder wie zuvor.',
  late: 'Jemand anderes hat diesen Code geändert. Sie sehen den aktuellen Zugang; nehmen Sie Ihre Änderung noch einmal vor.',
}
