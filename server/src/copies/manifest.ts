/** The version of what a copy holds; a later one is refused. */
export const copyVersion = 1

/** What a copy says of itself in its first entry: all that has to be known before anything else of it is read. */
export type CopyMeta = {
  version: number
  /** When the copy began. */
  madeAtMs: number
  installation: string
  secretFingerprint: string | null
  visitorKeyFingerprint: string | null
  /** What short URLs began with. */
  publicUrl: string
  /** Of the catalogue, in order. */
  migrations: readonly string[]
  /** Of the catalogue, each after those that it points to. */
  tables: readonly { name: string; columns: readonly string[] }[]
  hasSecret: boolean
  hasVisitorKey: boolean
  /** For each writer the sequence up to which its scans are in the copy as rows; what follows is in it as frames. */
  fence: Readonly<Record<string, number>>
}

/** What only the end knows, in its last entry. */
export type CopyManifest = {
  /** Of the catalogue, by table. */
  rows: Readonly<Record<string, number>>
  scans: number
  /** Codes that have scans. */
  scannedCodes: number
  frames: number
  /** Bytes of the journals that were damaged and are not in it. */
  damagedBytes: number
  /** Writers of other machines whose scans were acknowledged before the copy began and are not all in it. */
  missing: readonly { writer: string; machine: string; sequence: number; checkpoint: number }[]
  /** Machines that did not say what they had acknowledged. */
  silent: readonly string[]
  /** Hits that the catalogue knows of and the scan store did not have, by day (UTC): they are in no copy. */
  lacking: readonly { day: string; hits: number }[]
}

/** The entries of a copy, in their order. */
export const entryNames = {
  meta: 'copy.json',
  secret: 'secret',
  visitorKey: 'visitor-key',
  catalogue: 'catalogue/',
  scans: 'scans/',
  figures: 'figures/',
  journal: 'journal/',
} as const

/** Name of a numbered piece, such as `catalogue/qr_codes/00000001.jsonl`. */
export function pieceName(folder: string, number: number, ending: string): string {
  return `${folder}${String(number).padStart(8, '0')}.${ending}`
}
