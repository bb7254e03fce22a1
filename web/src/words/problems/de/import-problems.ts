import type { importProblems as english } from '@everscan/contract/problems/import-problems.ts'
import type { ProblemWords } from '../problem-wording.ts'

/** German. */
export const importProblems = {
  moveNotEnded: 'Der Umzug ist noch nicht beendet. Vergleichen Sie, wenn alle Links hier sind.',
  moveWithoutLinks: 'Dieser Umzug hat keine Links, die sich vergleichen lassen.',
  linksWaitForDomain:
    'Die Links dieses Umzugs warten, bis {hostname} bestätigt ist. Setzen Sie zuerst den TXT-Eintrag.',
  oldServiceMissing:
    'Die Datei hat keine Kurz-URLs. Geben Sie an, unter welcher Adresse der alte Dienst antwortet.',
  fileWithoutRows: 'Die Datei hat keine Zeile unter der mit den Namen der Spalten.',
  columnNotThere: 'Die Datei hat keine Spalte „{column}“.',
  columnTwice: 'Die Datei hat die Spalte „{column}“ zweimal.',
  unnamedColumnTwice: 'Die Datei hat zwei Spalten ohne Namen.',
  columnMissing: 'Die Spalte „{column}“ fehlt.',
  strangeColumn: 'Die Spalte „{column}“ gibt es für {type} nicht.',
  strangeMetadataColumn:
    'Die Spalte „{column}“ hat einen Namen für Zusatzfelder, der nicht 1 bis 50 Zeichen hat.',
  unnamedColumn: 'Die Datei hat eine Spalte ohne Namen, die es für {type} nicht gibt.',
  repairBeyond: 'Die Datei hat keine Zeile {row}, sondern {rows}.',
  noSuchImport: 'Diesen Import gibt es in dieser Organisation nicht: „{got}“.',
  tooManyCells: 'Die Zeile hat mehr Zellen, als die Datei Spalten hat.',
  tooManyBytes: 'Höchstens {max} Bytes.',
  sameCodeInLine: '„{shortCode}“ steht auch in Zeile {line}. Wählen Sie etwas anderes.',
  domainNotProved: '„{hostname}“ ist noch nicht bestätigt. Setzen Sie zuerst den TXT-Eintrag.',
  notOwnDomain: 'Das muss eine bestätigte Domain dieser Organisation sein, oder „{publicHost}“.',
  notDateOrTime: 'Schreiben Sie ein Datum oder einen Zeitpunkt, etwa 2026-01-31 oder 2026-01-31T09:30:00Z.',
  inFuture: 'Der Zeitpunkt darf nicht in der Zukunft liegen.',
  before1970: 'Der Zeitpunkt darf nicht vor 1970 liegen.',
  sameCodeAsLine: '„{shortCode}“ steht auch in Zeile {line}. Wählen Sie etwas anderes.',
  codeAssignedHere: '„{shortCode}“ ist hier schon vergeben. Wählen Sie etwas anderes.',
  domainGone: 'Die Domain {hostname} gibt es nicht mehr.',

  fileEmpty: 'Die Datei ist leer; ihre erste Zeile muss die Spalten nennen.',
  tooManyColumns: 'Eine Datei hat höchstens {max} Spalten.',
  tooManyRows: 'Höchstens {max} Zeilen. Teilen Sie die Datei auf, und senden Sie die Teile nacheinander.',
  fileNotText:
    'Das muss eine CSV-Datei sein, ist aber kein Text (es enthält Nullbytes). Exportieren Sie die Tabelle als CSV.',
  mixedEncodings:
    'Die Datei beginnt als {encoding} und geht in einer anderen Kodierung weiter. Speichern Sie sie als UTF-8.',
  quoteNotClosed:
    'Ein Anführungszeichen in der Zeile, die in Zeile {line} der Datei beginnt, wird nie geschlossen.',
  rowTooLong: 'Die Zeile, die in Zeile {line} der Datei beginnt, hat mehr als {max} MiB.',
  notCsv: 'Die Datei lässt sich nicht als CSV lesen: {reason}.',
  notSheetFile: 'Das muss eine CSV- oder xlsx-Datei sein, nicht {got}.',
  oldWorkbook: 'Das ist eine alte Arbeitsmappe (xls). Speichern Sie sie als xlsx oder CSV.',
  notWorkbook:
    'Das lässt sich nicht als Arbeitsmappe lesen. Speichern Sie es noch einmal als xlsx oder als CSV.',
  sheetTooLarge:
    'Das Blatt ist zu groß: Ausgepackt darf eine Datei {max} MB haben. Speichern Sie das Blatt als CSV.',
  sheetWithTooMuchText:
    'Die Zellen des Blatts haben mehr als {max} MB Text. Teilen Sie es auf, und laden Sie die Teile nacheinander hoch.',
  importEnded: 'Dieser Import ist schon beendet ({status}) und lässt sich nicht mehr abbrechen.',
  rowsNotImported:
    'Die übrigen Zeilen konnten nicht importiert werden. Die Ursache steht im Log des Dienstes.',

  fileWithoutLinks: 'Die Datei hat keine Links.',
  jsonWithoutLinks: 'Die Datei hat keine Liste von Links.',
  notJson: 'Die Datei lässt sich nicht als JSON lesen.',
  jsonTooLarge:
    'Eine JSON-Datei hat höchstens {max} MB. Teilen Sie sie auf, oder exportieren Sie die Links als CSV.',
  tooManyVisits: 'Höchstens {max} Besuche.',
  fileWithoutVisits: 'Die Datei hat keine Besuche. Lassen Sie sie weg, wenn es keine gibt.',
  mappingNotJson: 'Das muss JSON sein.',
  mappingNotObject: 'Das muss ein Objekt von Feldern sein.',
  tooManyLinksToLookAt:
    'Angesehen werden die Ziele von höchstens {max} Links, und die Datei hat {got}. Lassen Sie es weg, oder teilen Sie die Datei auf.',
  linksNotMoved: 'Die übrigen Links konnten nicht umziehen. Die Ursache steht im Log des Dienstes.',
  visitsNotMoved: 'Die übrigen Besuche konnten nicht umziehen. Die Ursache steht im Log des Dienstes.',
} as const satisfies ProblemWords<typeof english>
