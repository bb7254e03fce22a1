/** Problems of codes, folders, views and batches, and conflicts between changes. */
export const recordProblems = {
  /** `fields` has names of fields, separated by commas. */
  notTogetherWith: ({ fields }: { fields: string }) => `must not be sent together with ${eitherOf(fields)}`,
  withoutRequired: 'requires {field}',
  requiredUnless: 'is required, unless {field} is given',

  codeChangedSince: 'The QR code has changed since the version in If-Match. Read it again.',
  codeChangedMeanwhile: 'The QR code was changed by another request. Read it again.',
  codeKeepsChanging: 'The QR code keeps being changed by other requests. Try again.',
  noSuchVersion: 'This QR code has no version {version}, or no longer has it.',
  metadataTooLarge: 'must have at most {max} keys, would have {count} with the existing ones',
  shortCodeAssignedNow: 'The short code "{shortCode}" was assigned just now. Try again.',
  codeIsLost:
    'The QR code has no picture: another code has the short code "{shortCode}" on "{hostname}". Choose another short code first.',
  codeWaits:
    'The QR code has no picture yet: it waits for the proof of "{hostname}", and a print would not work.',
  noSuchStyle: 'must be a style of this organization, got "{got}"',
  noSuchCode: 'must be a code of this organization',
  noSuchCodes: 'must be codes of this organization',
  noUtmValue: 'must have at least one of {fields}',

  folderNameTaken: 'another folder here has this name, choose another',
  folderNamesMeet:
    'A folder in this one has the same name as one at the top. Rename one of them, then delete.',
  folderNotAtTop: 'must be a folder at the top: folders nest one level',
  folderInItself: 'must be another folder',
  folderHasFolders: 'must be null, as this folder has folders in it: folders nest one level',
  noSuchFolderOrNone: 'must be a folder of this organization, or "none"',

  batchTooLarge: 'must have at most {max} entries, got {got}; send them in several calls',
  batchRejected: 'No item was processed: {failed} of {count} failed.',
  changesNotAlone: 'must not stand beside "ids" or "updates"',
  requiredWithoutChanges: 'is required without "changes"',
  sameCodeAsChange: 'must be another code than that of changes[{index}]',

  intervalTooFine: 'must be day, week or month for this period; hour is for at most {max} days',
  tooManyDaysByHour: 'must be day, week or month for a period of {days} days; hour is for at most {max}',
  tooManyIds: 'must have at most {max} ids, got {got}',
  notDay: 'must be an ISO 8601 date or date and time, got "{got}"',
  noCalendarDay: 'must be a date of the calendar, got "{got}"',
  yearOutside: 'must be between the years {min} and {max}, got "{got}"',
  startAfterEnd: 'must not be after "endDate", got "{startDate}" and "{endDate}"',
  startAfterToday: 'must not be after today ({today} in {timezone}) without "endDate", got "{got}"',
  notIpAddress: 'must be an IPv4 or IPv6 address',
  moveBeingCompared: 'This move is being compared. Wait for the comparison to end.',
  webhookDisabled: 'This webhook is disabled. Set its status to ENABLED first.',
} as const

function eitherOf(fields: string): string {
  return fields.replace(/, (?=[^,]*$)/, ' or ')
}
