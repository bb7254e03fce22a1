/** Problems of columns and cells of files of imports and moves. Pages find them, too. */
export const fileProblems = {
  metadataKeyOfColumn: 'has a key of metadata that must be 1 to 50 characters',
  columnNotInFile: 'names the column "{column}", which the file does not have',
  fieldWithoutColumn: 'has no column in the file; name one in the mapping',
  visitsWithoutCodes: 'has no column with the short code or the short URL, such as "shortCode"',
  visitsWithoutTimes: 'has no column with the time of the visit, such as "date"',
  visitWithoutCode: 'has no short code',
  visitWithoutTime: 'has no time',
  timeBefore2000: '"{text}" is before the year 2000',
  timeBeyond: '"{text}" is before 1970 or in the future',
  notDate: '"{text}" is no date that is read here, such as 2026-01-31 or 2026-01-31T09:30:00Z',
  notCount: '"{text}" is no count of clicks',
  cellEmpty: 'is empty',
  codeNotExact:
    '"{code}" cannot be a short code: it must be 1 to 128 letters, digits or "-_.~+/", without "//", a "/" at its beginning, or a part that is "." or ".."',
  codeOfEveryHost: '"{code}" cannot be a short code: it must not be a path that every host answers',
  codeOfService: '"{code}" is a path of this service',
  codeFormHere: '"{code}" cannot be a short code here: it must have {min} to {max} letters, digits or "-"',
} as const
