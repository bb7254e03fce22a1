/** The dimensions that a matrix may cross. */
export const matrixDimensionNames = [
  'code',
  'country',
  'region',
  'city',
  'deviceType',
  'os',
  'browser',
  'referrer',
] as const
