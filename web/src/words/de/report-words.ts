import type { reportWords as English } from '../report-words.ts'

/** German. */
export const reportWords: typeof English = {
  oneOf: (list) => `Möglich sind: ${list}.`,
  oneNeeded: (list) => `Die Zeile braucht eines davon: ${list}.`,
  needed: (column) => `Die Zeile braucht einen Wert in: ${column}.`,
  oneLink: 'Die Zeile braucht mindestens einen Link.',
  yesNo: 'Schreiben Sie true oder false.',
  number: 'Schreiben Sie eine Zahl.',
  date: 'Schreiben Sie ein Datum oder einen Zeitpunkt, etwa 2026-01-31 oder 2026-01-31T09:30:00Z.',
  past: 'Der Zeitpunkt darf nicht in der Zukunft liegen.',
  early: 'Der Zeitpunkt darf nicht vor 1970 liegen.',
  pastTime: 'Der Zeitpunkt muss nach 1970 und darf nicht in der Zukunft liegen.',
  taken: (code) => `„${code}“ ist vergeben. Wählen Sie etwas anderes.`,
  sameCode: (code, line) => `„${code}“ steht auch in Zeile ${line}. Wählen Sie etwas anderes.`,
  reserved: 'Das verwendet der Dienst selbst. Wählen Sie etwas anderes.',
  provedDomain: (host) => `Das muss eine bestätigte Domain dieser Organisation sein, oder „${host}“.`,
  cells: 'Die Zeile hat mehr Zellen, als die Datei Spalten hat.',
  bytes: (bytes) => `Höchstens ${bytes} Bytes.`,
  entries: (entries) => `Höchstens ${entries} Einträge.`,
  clicks: 'Das ist keine Anzahl von Klicks.',
  leadsBack: 'Das führt zu diesem Dienst zurück.',
  spaces: 'Eine Adresse hat keine Leerzeichen. Schreiben Sie stattdessen %20.',
  credentials: 'Eine Adresse darf keinen Benutzernamen und kein Passwort haben.',
  workbook:
    'Das lässt sich nicht als Arbeitsmappe lesen. Speichern Sie es noch einmal als xlsx oder als CSV.',
  columns: (columns) => `Eine Datei hat höchstens ${columns} Spalten.`,
  mailRefused: (addresses) => `Der Mailserver hat die E-Mail an ${addresses} nicht angenommen.`,
  mailUnread: 'Die Zahlen konnten nicht gelesen werden.',
  mailOfNoCode: 'Es wurde nichts gesendet: Der Code dieser Ansicht wurde gelöscht.',
  mailTried: (attempts) => `Versuche: ${attempts}.`,
  mailTriedAgain: 'Es wird noch einmal versucht.',
}
