/** Dimensions of a matrix. */
export const matrixDimensions = [
  'code',
  'country',
  'region',
  'city',
  'deviceType',
  'os',
  'browser',
  'referrer',
] as const
export type MatrixDimension = (typeof matrixDimensions)[number]
