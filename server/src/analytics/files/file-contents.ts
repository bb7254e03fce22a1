import type { FirstVisit } from './visits/visit-index.ts'

/** A scan that has the mark of the first one of its visitor. */
export type UniqueScan = FirstVisit & { timeMs: number }

/** A code that scans have, with a short code under which it was looked up. */
export type ScannedCode = { organizationId: string; qrCodeId: string; shortCode: string; domain: string }
