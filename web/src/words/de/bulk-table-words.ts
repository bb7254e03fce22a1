import type { tableWords as English } from '../bulk-table-words.ts'

const codesOf = (codes: number, written: string) => (codes === 1 ? '1 Code' : `${written} Codes`)

/** German. */
export const tableWords: typeof English = {
  title: 'In Tabelle bearbeiten',
  codes: codesOf,
  back: 'Alle Codes',
  none: {
    title: 'Keine Codes zum Bearbeiten',
    text: 'Wählen Sie in der Liste Codes aus und dann „In Tabelle bearbeiten“, oder laden Sie eine CSV-Datei hoch, die Sie hier heruntergeladen haben.',
    link: 'Zur Liste',
  },
  columns: {
    name: 'Name',
    url: 'Ziel',
    folder: 'Ordner',
    tags: 'Schlagwörter',
    look: 'Aussehen',
  },
  cell: (column, name) => `${column} von ${name}`,
  changed: (before) => `Geändert. Vorher: ${before === '' ? 'leer' : before}`,
  edit: 'Bearbeiten',
  openEditor: (name) => `${name} im Editor bearbeiten`,
  noFolder: 'Kein Ordner',
  ownLook: 'Eigenes Aussehen',
  plainLook: 'Schlicht',
  hint: 'Enter geht zur nächsten Zeile, Esc holt den alten Wert zurück. Eine aus einer Tabelle eingefügte Spalte füllt die Zeilen darunter.',
  tools: 'Alle Codes ändern',
  toolNames: {
    replace: 'Suchen und ersetzen',
    utm: 'UTM',
    folder: 'Ordner',
    tags: 'Schlagwörter',
    look: 'Aussehen',
    csv: 'CSV',
  },
  replace: {
    find: 'In Zielen suchen',
    replace: 'Ersetzen durch',
    ignoreCase: 'Groß- und Kleinschreibung ignorieren',
    apply: (codes, written) => `In ${codesOf(codes, written)} ersetzen`,
    none: 'Kein Ziel enthält diesen Text.',
    start:
      'Geben Sie einen Teil der Adressen ein, etwa den Host. Sie sehen jede Änderung, bevor etwas gespeichert wird.',
  },
  utm: {
    template: 'Vorlage',
    noTemplate: 'Eigene Werte',
    fields: {
      source: 'Quelle',
      medium: 'Medium',
      campaign: 'Kampagne',
      term: 'Suchbegriff',
      content: 'Inhalt',
    },
    hint: '{name}, {shortCode} und {folder} stehen für die Angaben des jeweiligen Codes.',
    existing: 'Vorhandene UTM-Werte',
    modes: { replace: 'Ersetzen', keep: 'Behalten' },
    apply: (codes, written) => `Zu ${codesOf(codes, written)} hinzufügen`,
    none: 'Kein Ziel ändert sich.',
    start: 'Wählen Sie eine Vorlage oder tragen Sie einen Wert ein.',
    templateName: 'Name der Vorlage',
    save: 'Als Vorlage speichern',
    saved: (name) => `Vorlage ${name} gespeichert`,
    update: 'Vorlage aktualisieren',
    updated: (name) => `Vorlage ${name} aktualisiert`,
    delete: 'Vorlage löschen',
    deleted: (name) => `Vorlage ${name} gelöscht`,
  },
  folder: { choose: 'Ordner für alle', apply: 'Ordner setzen' },
  tags: {
    add: 'Schlagwörter hinzufügen',
    remove: 'Schlagwörter entfernen',
    hint: 'Trennen Sie Schlagwörter mit Kommas.',
    apply: 'Schlagwörter ändern',
  },
  look: { choose: 'Aussehen für alle', apply: 'Aussehen setzen' },
  csv: {
    text: 'Laden Sie die Tabelle herunter, bearbeiten Sie sie in einer Tabellenkalkulation und laden Sie sie wieder hoch. Zeilen werden über die ID oder über Kurzcode und Domain zugeordnet.',
    download: 'Als CSV herunterladen',
    upload: 'CSV hochladen',
    forImportText:
      'Um diese Codes anderswo zu erstellen, laden Sie eine Datei herunter, die ein Import liest. Regeln, Zugang und Aussehen sind nicht darin.',
    forImport: (type) => `Für einen Import: ${type}`,
    leftOut: (codes, written) =>
      codes === 1
        ? '1 Code fehlt in der Datei: Er passt nicht ganz in Spalten.'
        : `${written} Codes fehlen in der Datei: Sie passen nicht ganz in Spalten.`,
    fileName: 'codes.csv',
    title: 'Änderungen in der Datei',
    apply: (changes, written) =>
      changes === 1
        ? '1 Änderung in die Tabelle übernehmen'
        : `${written} Änderungen in die Tabelle übernehmen`,
    noChanges: 'Die Datei ändert nichts.',
    problems: (problems, written) =>
      problems === 1
        ? '1 Zelle oder Zeile ist nicht verwendbar:'
        : `${written} Zellen oder Zeilen sind nicht verwendbar:`,
    row: (row, what) => `Zeile ${row}: ${what}`,
    noKey: 'Die erste Zeile braucht eine Spalte „id“ oder „shortCode“.',
    unreadable: 'Das ist keine lesbare CSV-Datei. Speichern Sie das Blatt zuerst als CSV.',
    tooLarge: (rows) => `Die Datei ist zu groß: höchstens ${rows} Codes.`,
    unknownCode: (key) => `hier heißt kein Code ${key}`,
    missingKey: 'sie hat weder ID noch Kurzcode',
    twice: 'ihr Code steht schon in einer früheren Zeile',
    notALink: 'dieser Code hat kein Ziel, das sich ändern ließe',
    unknownFolder: (name) => `es gibt keinen Ordner ${name}`,
    unknownLook: (name) => `es gibt keinen gespeicherten Stil ${name}`,
  },
  preview: {
    label: 'Änderungen',
    count: (changes, written) => (changes === 1 ? '1 Ziel ändert sich:' : `${written} Ziele ändern sich:`),
    cells: (changes, written) => (changes === 1 ? '1 Zelle ändert sich:' : `${written} Zellen ändern sich:`),
    more: (written) => `und ${written} weitere`,
    before: 'vorher',
    after: 'nachher',
    empty: 'leer',
  },
  bad: {
    name: 'Ein Name ist erforderlich.',
    nameLong: (chars) => `Höchstens ${chars} Zeichen.`,
    tagLong: (chars) => `Ein Schlagwort kann höchstens ${chars} Zeichen haben.`,
    tagsMany: (tags) => `Höchstens ${tags} Schlagwörter.`,
  },
  unsaved: (cells, written) =>
    cells === 0 ? 'Keine Änderungen' : cells === 1 ? '1 geänderte Zelle' : `${written} geänderte Zellen`,
  discard: 'Verwerfen',
  discarded: 'Änderungen verworfen',
  pasteProblem: (name, why) => `Bei ${name} nicht eingefügt: ${why}`,
  save: (codes, written) => `${codesOf(codes, written)} speichern`,
  nothing: 'Speichern',
  fix: (cells, written) => (cells === 1 ? 'Erst 1 Zelle berichtigen' : `Erst ${written} Zellen berichtigen`),
  done: (codes) => `${codes} geändert`,
  undone: 'Rückgängig gemacht',
  left: (rows, written) =>
    rows === 1
      ? '1 Code wurde nicht gespeichert. In seiner Zeile steht, warum.'
      : `${written} Codes wurden nicht gespeichert. In ihren Zeilen steht, warum.`,
  conflict: {
    text: 'Jemand hat diesen Code geändert, seit Sie ihn geöffnet haben.',
    theirs: 'Andere Änderung übernehmen',
    mine: 'Meine behalten',
    now: (column, value) => `${column} ist jetzt: ${value === '' ? 'leer' : value}`,
  },
  gone: { text: 'Dieser Code wurde gelöscht.', remove: 'Zeile entfernen' },
}
