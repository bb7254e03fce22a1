import type { importsWords as English } from '../imports-words.ts'

/** German. */
export const importsWords: typeof English = {
  title: 'Import',
  text: 'Erstellen Sie viele Codes auf einmal aus einer Tabelle: einer xlsx- oder CSV-Datei.',
  viewer: 'Zum Importieren brauchen Sie die Rolle „Bearbeiter“. Frühere Importe sind hier aufgelistet.',
  drop: 'xlsx- oder CSV-Datei hier ablegen',
  choose: 'oder auswählen',
  dropHint: (rows, megabytes) => `Bis zu ${rows} Zeilen und ${megabytes} MB.`,
  another: 'Andere Datei auswählen',
  size: {
    kilobytes: (written) => `${written} KB`,
    megabytes: (written) => `${written} MB`,
  },
  problems: {
    tooLarge: (megabytes) =>
      `Diese Datei ist größer als ${megabytes} MB. Teilen Sie sie und importieren Sie die Teile einzeln.`,
    oldWorkbook:
      'Das ist eine alte Excel-Datei (xls). Speichern Sie sie als xlsx oder CSV und legen Sie diese Datei hier ab.',
    empty: 'Diese Datei ist leer. Die erste Zeile muss die Spalten benennen: siehe die Vorlagen unten.',
    unreadable: 'Diese Datei ist kein gültiges CSV. Fehlt irgendwo ein Anführungszeichen (")?',
  },
  type: 'Typ der Codes',
  typeGuessed: 'An den Spalten der Datei erkannt.',
  style: 'Stil',
  defaultStyle: 'Standardstil',
  folder: 'Ordner',
  noFolder: 'Kein Ordner',
  folderHint: 'Für Zeilen, die keinen Ordner nennen.',
  columns: 'Spalten',
  inFile: 'In Ihrer Datei',
  firstValues: 'Erste Werte',
  becomes: 'Wird zu',
  columnOf: (name) => `Wird zu, für „${name}“`,
  chooseColumn: 'Auswählen …',
  ignore: 'Diese Spalte ignorieren',
  extraField: (key) => `Zusatzfeld „${key}“`,
  required: '* Erforderlich.',
  repeatedColumn: 'Eine andere Spalte wird ebenfalls dazu.',
  noName: '(kein Name)',
  unknownColumns: (columns) =>
    columns === 1
      ? 'Geben Sie an, wozu die markierte Spalte wird, oder ignorieren Sie sie.'
      : `Geben Sie an, wozu die ${columns} markierten Spalten werden, oder ignorieren Sie sie.`,
  ignoreUnknown: (columns) => (columns === 1 ? 'Ignorieren' : `Alle ${columns} ignorieren`),
  missingColumns: (type, names) =>
    `„${type}“ braucht noch: ${names}. Geben Sie an, welche Spalte das enthält, oder wählen Sie oben einen anderen Typ.`,
  checking: 'Jede Zeile wird geprüft. Noch ist nichts erstellt.',
  allFine: (rows, written) =>
    rows === 1
      ? 'Die Zeile ist gültig. Noch ist nichts erstellt.'
      : `Alle ${written} Zeilen sind gültig. Noch ist nichts erstellt.`,
  noRows: 'Unter den Spaltennamen stehen keine Zeilen.',
  someFine: (fine, wrong, written) =>
    `${fine} gültig, ${wrong === 1 ? '1 Zeile hat' : `${written} Zeilen haben`} einen Fehler. Berichtigen Sie, was Sie behalten wollen: Der Rest wird ausgelassen.`,
  noneFine: 'So lässt sich keine Zeile importieren. Berichtigen Sie die Zeilen unten.',
  rows: (rows, written) => (rows === 1 ? '1 Zeile' : `${written} Zeilen`),
  start: (codes) => `${codes} importieren`,
  codes: (codes, written) => (codes === 1 ? '1 Code' : `${written} Codes`),
  errors: {
    title: 'Zeilen mit Fehlern',
    hint: 'Tippen Sie die richtigen Werte hier ein: Die Datei müssen Sie nicht ändern. Mit Enter geht es zum nächsten.',
    line: (written) => `Zeile ${written}`,
    tooLong: 'Sie ist zu lang, um sie hier zu berichtigen: Laden Sie sie herunter.',
    showMore: (written) => `Mehr anzeigen (${written})`,
    more: (written) => `und ${written} weitere, alle im Download`,
    checkAgain: 'Erneut prüfen',
    discard: 'Meine Änderungen verwerfen',
    importRepaired: (rows) =>
      rows === 1 ? '1 berichtigte Zeile importieren' : `${rows} berichtigte Zeilen importieren`,
    download: 'Diese Zeilen herunterladen',
  },
  job: {
    back: 'Weitere Datei importieren',
    pending: 'Wartet auf den Start …',
    running: (done, of) => `Zeilen: ${done} von ${of}`,
    progress: 'Fortschritt des Imports',
    cancel: 'Import anhalten',
    cancelTitle: 'Diesen Import anhalten?',
    cancelText: 'Schon erstellte Codes bleiben. Die übrigen Zeilen werden nicht importiert.',
    checked: (rows) => `Nur geprüft: ${rows} gültig`,
    validRows: (rows) => `${rows} gültig`,
    faulty: (rows) => `${rows} mit Fehlern`,
    checkStopped: (rows) => `Beim Prüfen angehalten: ${rows} gültig`,
    nothingMade: 'Es wurde kein Code erstellt.',
    showRepaired: 'Anzeigen',
    completed: (codes) => `${codes} importiert`,
    rejected: (rows) => `${rows} ausgelassen`,
    cancelled: (codes) => `Angehalten nach: ${codes}`,
    failed: 'Dieser Import ist fehlgeschlagen',
    show: 'Codes anzeigen',
    noFile: 'Datei ohne Namen',
  },
  templates: 'Vorlagen',
  templatesText: 'Eine Datei mit den richtigen Spalten und einer Beispielzeile, für jeden Typ von Code.',
  template: (type) => `Vorlage für ${type}`,
  history: 'Frühere Importe',
  noHistory: 'Ihre Importe erscheinen hier.',
  statuses: {
    PENDING: 'Wartet',
    PROCESSING: 'Läuft',
    COMPLETED: 'Fertig',
    FAILED: 'Fehlgeschlagen',
    CANCELLED: 'Angehalten',
  },
  checked: 'Nur geprüft',
  repairOf: 'Berichtigt einen früheren Import',
}
