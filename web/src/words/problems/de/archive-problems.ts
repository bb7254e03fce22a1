import type { archiveProblems as english } from '@everscan/contract/problems/archive-problems.ts'
import type { ProblemWords } from '../problem-wording.ts'

/** German. */
export const archiveProblems = {
  organizationNotEmpty: 'Ein Archiv füllt nur eine leere Organisation, und in dieser gibt es schon etwas.',
  importNotEnded: 'Diese Organisation hat einen Import, der nicht beendet ist. Warten Sie, bis er endet.',
  organizationChangedNow:
    'Die Organisation dieser Installation hat gerade gewechselt. Versuchen Sie es erneut.',
  linesNotTaken:
    'Zeilen des Archivs, die sich nicht übernehmen lassen: {count}. Es wurde nichts geschrieben. Wiederholen Sie es mit leaveOut=true, um den Rest zu importieren.',

  archiveLines: 'Höchstens {max} Zeilen, ohne die der Aufrufe (archiveLinesMax).',
  archiveFolders: 'Höchstens {max} Ordner (archiveFoldersMax).',
  archiveStyles: 'Höchstens {max} Stile (archiveStylesMax).',
  archiveTags: 'Höchstens {max} verschiedene Schlagwörter (archiveTagsMax).',
  archiveRefusals: 'Höchstens {max} Zeilen, die sich nicht übernehmen lassen (archiveRefusalsMax).',
  archiveSeconds: 'Das Lesen darf höchstens {max} Sekunden dauern (archiveSecondsMax).',
  archiveHeap: 'Beim Prüfen höchstens {max} MB Inhalt im Arbeitsspeicher (archiveHeapMegabytesMax).',

  notZip: 'Das muss ein vollständiges Zip-Archiv sein.',
  zipFileDamaged: 'Das muss ein vollständiges Zip-Archiv sein; {file} ist beschädigt.',
  zipUnpacksTooLarge: 'Ausgepackt höchstens {max} GiB.',
  archiveLineTooLong: 'Eine Zeile hat höchstens {max} MiB; Zeile {line} von {file} ist länger.',
  notArchive: 'Das muss das Archiv einer Organisation sein, mit organization.json darin.',
  aboutUnreadable: 'Die Datei organization.json darin lässt sich nicht lesen: {field}.',
  aboutWithoutTimes: 'Die Datei organization.json darin hat keine gültigen Zeitpunkte.',
  aboutWithStrangeLogo: 'Die Datei organization.json darin hat ein Logo, das Everscan nicht speichert.',
  archiveTooNew:
    'Das Archiv hat das Format {got}, und diese Version liest bis {max}. Aktualisieren Sie zuerst Everscan.',

  notJsonObject: 'Das ist kein JSON-Objekt.',
  tooManyInOrganization: 'Eine Organisation hat davon höchstens {max}.',
  notTopFolder: 'Das ist kein Ordner der obersten Ebene.',
  nameOfSibling: 'Diesen Namen hat schon ein Ordner daneben.',
  otherDefaultStyle: 'Ein anderer Stil ist der Standard.',
  otherDefaultDomain: 'Eine andere Domain ist der Standard.',
  ofEarlierLine: 'Das steht schon in einer früheren Zeile.',
  codeOfEarlierLine: '„{shortCode}“ steht schon in einer früheren Zeile.',
  notStoredLogo: 'Das ist kein Logo, wie Everscan es speichert.',
  noDomainOfArchive: 'Das ist keine Domain des Archivs.',
  noFolderOfArchive: 'Das ist kein Ordner des Archivs.',
  noCodeOfArchive: 'Das ist kein Code des Archivs.',
  hitsOfNoCode: 'Das ist kein Code des Archivs (Aufrufe in dieser Datei: {count}).',
  notPasswordHash: 'Das ist kein Argon2id-Hash der üblichen Größe.',
  pictureTooSmall: 'Das Bild ist zu klein für die Kurz-URL in diesem Stil.',
  versionNotBefore: 'Das muss kleiner sein als in der Zeile davor.',
  versionTooOld: 'Das ist älter, als der Verlauf reicht.',

  notScanArray: 'Das muss eine Liste von {count} Werten sein.',
  strangeScanValue: 'Der Wert von {column} kommt bei keinem Scan vor.',
  closedHitNotOfBot: 'Ein Aufruf mit isClosed muss von der Klasse „bot“ sein.',
  scanInFuture: 'Der Zeitpunkt timeMs liegt in der Zukunft.',

  scanStoreAway: 'Der Speicher der Scans antwortet nicht. Der Import geht weiter, sobald er antwortet.',
  stepFails:
    'Ein Schritt ist mehrmals misslungen und wird jede Minute wiederholt. Die Ursache steht im Log des Dienstes.',
  lineRefused: 'Diese Zeile kann nicht übernommen werden: {reason}',
} as const satisfies ProblemWords<typeof english>
