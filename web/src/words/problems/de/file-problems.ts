import type { fileProblems as english } from '@everscan/contract/problems/file-problems.ts'
import type { ProblemWords } from '../problem-wording.ts'

/** German. */
export const fileProblems = {
  metadataKeyOfColumn: 'Der Name eines Zusatzfeldes hat 1 bis 50 Zeichen.',
  columnNotInFile: 'Die Datei hat keine Spalte „{column}“.',
  fieldWithoutColumn: 'Dafür hat die Datei keine Spalte. Wählen Sie eine.',
  visitsWithoutCodes: 'Keine Spalte hat den Kurzcode oder die Kurz-URL, etwa „shortCode“.',
  visitsWithoutTimes: 'Keine Spalte hat den Zeitpunkt des Besuchs, etwa „date“.',
  visitWithoutCode: 'Der Kurzcode fehlt.',
  visitWithoutTime: 'Der Zeitpunkt fehlt.',
  timeBefore2000: '„{text}“ liegt vor dem Jahr 2000.',
  timeBeyond: 'Der Zeitpunkt muss nach 1970 und darf nicht in der Zukunft liegen.',
  notDate: 'Schreiben Sie ein Datum oder einen Zeitpunkt, etwa 2026-01-31 oder 2026-01-31T09:30:00Z.',
  notCount: 'Das ist keine Anzahl von Klicks.',
  cellEmpty: 'Dieses Feld ist erforderlich.',
  codeNotExact: '„{code}“ ist kein möglicher Kurzcode: 1 bis 128 Buchstaben, Ziffern oder „-_.~+/“.',
  codeOfEveryHost: '„{code}“ verwendet der Dienst selbst. Wählen Sie etwas anderes.',
  codeOfService: '„{code}“ verwendet der Dienst selbst. Wählen Sie etwas anderes.',
  codeFormHere: '„{code}“ ist hier kein möglicher Kurzcode: {min} bis {max} Buchstaben, Ziffern oder „-“.',
} as const satisfies ProblemWords<typeof english>
