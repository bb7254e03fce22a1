import type { LackingHits } from '../db/scans/lost-hits.ts'

/** The version of the contents of a copy; a later version is refused. */
export const copyVersion = 1

/** The first entry of a copy: what a reader has to know before it reads other entries. */
export type CopyMeta = {
  version: number
  /** When the copy began. */
  madeAtMs: number
  installation: string
  secretFingerprint: string | null
  visitorKeyFingerprint: string | null
  /** The beginning of the short URLs. */
  publicUrl: string
  /** The migrations of the catalogue, in order. */
  migrations: readonly string[]
  /** The tables of the catalogue, each after the tables that it references. */
  tables: readonly { name: string; columns: readonly string[] }[]
  hasSecret: boolean
  hasVisitorKey: boolean
  /** For each writer, the last sequence that the copy has as a row; later ones are frames. */
  fence: Readonly<Record<string, number>>
  /** Absent if scans are rows of ClickHouse. */
  scansIn?: 'files'
}

/** The last entry of a copy: facts that are known only at its end. */
export type CopyManifest = {
  /** Rows of the catalogue, by table. */
  rows: Readonly<Record<string, number>>
  scans: number
  /** The number of codes with scans. */
  scannedCodes: number
  frames: number
  /** Damaged bytes of the journals, which the copy lacks. */
  damagedBytes: number
  /**
   * Writers of other machines with scans that were acknowledged before the copy began, and that the
   * copy may lack.
   */
  missing: readonly { writer: string; machine: string; sequence: number; checkpoint: number }[]
  /** Machines that did not report what they had acknowledged. */
  silent: readonly string[]
  /** Hits that the catalogue had counted and that the copy lacks: see lacking.ts. */
  lacking: readonly LackingHits[]
  /** Absent in copies of earlier releases. */
  held?: HeldHits
}

/** Numbers that distinguish a better copy of an installation from a worse one. */
export type HeldHits = {
  /** Hits that the catalogue had counted and that the copy has. */
  hits: number
  /** Hits that the retention had deleted by then: a copy that lacks these is no worse. */
  deletedHits: number
  /** Hits that the copy has and the catalogue had not counted. */
  surplusHits: number
}

/** The entries of a copy, in order. */
export const entryNames = {
  meta: 'copy.json',
  secret: 'secret',
  visitorKey: 'visitor-key',
  catalogue: 'catalogue/',
  /** Rows of ClickHouse. Files of scans have the names of `partsOf`. */
  scans: 'scans/',
  figures: 'figures/',
  journal: 'journal/',
} as const

/** Returns the name of a numbered piece, such as `catalogue/qr_codes/00000001.jsonl`. */
export function pieceName(folder: string, number: number, ending: string): string {
  return `${folder}${String(number).padStart(8, '0')}.${ending}`
}
