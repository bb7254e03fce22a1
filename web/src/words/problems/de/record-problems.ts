import type { recordProblems as english } from '@everscan/contract/problems/record-problems.ts'
import type { ProblemWords } from '../problem-wording.ts'

/** German. */
export const recordProblems = {
  notTogetherWith: ({ fields }) => `Das ist nicht zusammen mit diesen Feldern möglich: ${fields}.`,
  withoutRequired: 'Dafür ist {field} nötig.',
  requiredUnless: 'Das ist erforderlich, wenn {field} fehlt.',

  codeChangedSince: 'Der QR-Code hat sich seit der Version in If-Match geändert. Lesen Sie ihn neu.',
  codeChangedMeanwhile: 'Der QR-Code wurde inzwischen von anderswo geändert. Lesen Sie ihn neu.',
  codeKeepsChanging: 'Der QR-Code wird gerade immer wieder geändert. Versuchen Sie es erneut.',
  noSuchVersion: 'Dieser QR-Code hat keine Version {version}, oder sie ist nicht mehr gespeichert.',
  metadataTooLarge: 'Höchstens {max} Zusatzfelder; mit den vorhandenen wären es {count}.',
  shortCodeAssignedNow: 'Der Kurzcode „{shortCode}“ wurde gerade vergeben. Versuchen Sie es erneut.',
  codeIsLost:
    'Der QR-Code hat kein Bild: Ein anderer Code hat den Kurzcode „{shortCode}“ auf „{hostname}“. Wählen Sie zuerst einen anderen Kurzcode.',
  codeWaits:
    'Der QR-Code hat noch kein Bild: Er wartet, bis „{hostname}“ bestätigt ist, und ein Druck ginge nicht.',
  noSuchStyle: 'Diesen Stil gibt es in dieser Organisation nicht: „{got}“.',
  noSuchCode: 'Diesen Code gibt es in dieser Organisation nicht.',
  noSuchCodes: 'Diese Codes gibt es in dieser Organisation nicht.',
  noUtmValue: 'Eines davon ist nötig: {fields}.',

  folderNameTaken: 'Ein anderer Ordner hat hier diesen Namen. Wählen Sie einen anderen.',
  folderNamesMeet:
    'Ein Ordner darin hat denselben Namen wie einer auf der obersten Ebene. Benennen Sie einen davon um, und löschen Sie dann.',
  folderNotAtTop: 'Das muss ein Ordner der obersten Ebene sein: Ordner haben nur eine Ebene darunter.',
  folderInItself: 'Das muss ein anderer Ordner sein.',
  folderHasFolders:
    'Dieser Ordner enthält Ordner und bleibt daher auf der obersten Ebene: Ordner haben nur eine Ebene darunter.',
  noSuchFolderOrNone: 'Das muss ein Ordner dieser Organisation sein, oder „none“.',

  batchTooLarge: 'Höchstens {max} Einträge, es sind {got}. Senden Sie sie in mehreren Aufrufen.',
  batchRejected: 'Es wurde nichts verarbeitet: {failed} von {count} waren nicht möglich.',
  changesNotAlone: 'Das ist nicht zusammen mit „ids“ oder „updates“ möglich.',
  requiredWithoutChanges: 'Das ist ohne „changes“ erforderlich.',
  sameCodeAsChange: 'Das ist derselbe Code wie in changes[{index}].',

  intervalTooFine:
    'Für diesen Zeitraum sind day, week oder month möglich; hour geht für höchstens {max} Tage.',
  tooManyDaysByHour:
    'Für einen Zeitraum von {days} Tagen sind day, week oder month möglich; hour geht für höchstens {max}.',
  tooManyIds: 'Höchstens {max} Kennungen, es sind {got}.',
  notDay: '„{got}“ ist kein Datum und kein Zeitpunkt nach ISO 8601.',
  noCalendarDay: 'Dieses Datum gibt es nicht: „{got}“.',
  yearOutside: 'Das Jahr muss zwischen {min} und {max} liegen, nicht „{got}“.',
  startAfterEnd: 'Der Beginn liegt nach dem Ende: „{startDate}“ und „{endDate}“.',
  startAfterToday: 'Ohne Ende darf der Beginn nicht nach heute liegen ({today} in {timezone}).',
  notIpAddress: 'Das ist keine IPv4- oder IPv6-Adresse.',
  moveBeingCompared: 'Dieser Umzug wird gerade verglichen. Warten Sie, bis der Vergleich fertig ist.',
  webhookDisabled: 'Dieser Webhook ist ausgeschaltet. Schalten Sie ihn zuerst ein.',
} as const satisfies ProblemWords<typeof english>
