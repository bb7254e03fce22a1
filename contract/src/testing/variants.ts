/**
 * Whether suites take the variants of their promises: `npm run soak` and `npm test -- WORD` do. A
 * whole `npm test` proves each promise once.
 */
export const hasVariants = process.env['EVERSCAN_TEST_VARIANTS'] !== 'none'
