/**
 * The columns of a hit in an archive of an organization, in their order. The visitor is the keyed
 * hash that the store has.
 */
export const archivedScanColumns = [
  'qrCodeId',
  'shortCode',
  'timeMs',
  'visitor',
  'class',
  'botReason',
  'country',
  'city',
  'region',
  'latitude',
  'longitude',
  'deviceType',
  'os',
  'browser',
  'referrer',
  'language',
  'rule',
  'arm',
  'isUnique',
  'isClosed',
] as const
export type ArchivedScanColumn = (typeof archivedScanColumns)[number]
