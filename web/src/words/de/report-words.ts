import type { callWords as EnglishCalls, reportWords as English } from '../report-words.ts'

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
  mailLimit: (unsent, addresses, perDay) =>
    `Adressen ohne diese E-Mail: ${unsent} von ${addresses}. Die Organisation hat heute ${perDay} E-Mails von Ansichten gesendet, mehr sind nicht möglich.`,
  mailStopped:
    'Es wurde nichts gesendet: Der Betreiber dieser Installation hat die E-Mails Ihrer Organisation angehalten.',
  mailAccountWaits:
    'Der Rest wartet bis morgen: Wer die E-Mail eingerichtet hat, hat die Höchstzahl an E-Mails je Tag erreicht.',
  mailInstallationWaits:
    'Der Rest wartet bis morgen: Diese Installation hat ihre Höchstzahl an E-Mails je Tag erreicht.',
  mailTried: (attempts) => `Versuche: ${attempts}.`,
  mailTriedAgain: 'Es wird noch einmal versucht.',
}

export const callWords: typeof EnglishCalls = {
  unresolved: 'Der Name des Hosts lässt sich nicht auflösen.',
  refused: 'Der Host hat die Verbindung abgelehnt.',
  brokenOff: 'Der Empfänger hat die Verbindung abgebrochen.',
  unreachable: 'Der Host ist nicht erreichbar.',
  stopping: 'Der Aufruf wurde abgebrochen, weil der Dienst gerade beendet wird.',
  notHttp: 'Die Antwort war kein HTTP.',
  notPublic: (host) => `${host} führt nicht zu einer öffentlichen Adresse.`,
  tls: (code) => `Die TLS-Verbindung ist fehlgeschlagen: ${code}.`,
  failed: (cause) => `Der Aufruf ist fehlgeschlagen: ${cause}.`,
  late: (seconds) => `Innerhalb von ${seconds} s kam keine vollständige Antwort.`,
  silent: (seconds) => `Innerhalb von ${seconds} s kam keine Antwort.`,
  answered: (status) => `Der Empfänger hat mit ${status} geantwortet.`,
  redirected: (status) =>
    `Der Empfänger hat mit ${status} geantwortet, und Weiterleitungen wird nicht gefolgt.`,
  page: (status) => `Die Seite antwortet mit ${status}.`,
  noAddress: 'Das ist keine Webadresse.',
  noEvent: 'Das Ereignis ist nicht mehr gespeichert.',
  noSecret:
    'Der Signaturschlüssel lässt sich nicht lesen, weil SECRET des Dienstes geändert wurde. Tauschen Sie den Signaturschlüssel aus.',
  notMade: 'Die Zustellung war nicht möglich.',
  inARow: (calls, last) => `Fehlgeschlagene Aufrufe in Folge: ${calls}. Der letzte: ${last}`,
  noAnswer: (host, last) => `${host} gibt keine Antwort: ${last}`,
}
