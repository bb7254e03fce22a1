import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { errorMessage, FatalError } from '../errors.ts'
import { isEmbedded } from '../settings/store-kind.ts'

/** The identity of the installation that a data directory belongs to. */
export type DataDirIdentity = {
  installation: string
  /** The highest epoch and pulse seen so far: a catalogue with lower values is an older copy. */
  epoch: number
  pulse: number
  /** Id of the scan store in this directory. */
  scanStore?: string | undefined
  /** Identifies the machine, whatever its host name: the directory is its memory. */
  machine?: string | undefined
  /** The name under which the machine reported last. */
  machineName?: string | undefined
}

const fileName = 'installation.json'

/** Returns the identity, if there is one. Throws a `FatalError` for an unreadable file. */
export function readIdentity(dataDir: string): DataDirIdentity | undefined {
  const path = join(dataDir, fileName)
  if (!existsSync(path)) return undefined
  try {
    const { installation, epoch, pulse, ...rest } = JSON.parse(readFileSync(path, 'utf8'))
    if (typeof installation !== 'string' || !Number.isInteger(epoch) || !Number.isInteger(pulse))
      throw new Error('fields are missing')
    return { installation, epoch, pulse, ...textsOf(rest) }
  } catch (error) {
    throw new FatalError(
      `${path} is damaged (${errorMessage(error)}). Restore it from a copy; if there is none, remove it: the next start makes it again.`,
      { cause: error },
    )
  }
}

function textsOf(rest: Record<string, unknown>): Partial<DataDirIdentity> {
  const names = ['scanStore', 'machine', 'machineName'] as const
  return Object.fromEntries(
    names.flatMap((name) => (typeof rest[name] === 'string' ? [[name, rest[name]]] : [])),
  )
}

/** Replaces the file durably. Throws errors of the file system. */
export function writeIdentity(dataDir: string, identity: DataDirIdentity): void {
  writeDurably(join(dataDir, fileName), `${JSON.stringify(identity)}\n`)
}

/** The name that a file of `writeDurably` has in the end: a kill can leave it with a suffix. */
export function nameWhenWritten(name: string): string {
  return name.replace(/\.\d+$/, '')
}

/** Replaces a file of the data directory durably; only its user may read it. */
export function writeDurably(path: string, text: string): void {
  const made = `${path}.${process.pid}`
  const file = openSync(made, 'w', 0o600)
  try {
    writeSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(made, path)
  const directory = openSync(join(path, '..'), 'r')
  try {
    fsyncSync(directory)
  } finally {
    closeSync(directory)
  }
}

/**
 * Whether a data directory has its scans in the embedded store of releases up to 0.2 (chDB). The
 * first of them did not name it.
 */
export function hasEmbeddedStore(dataDir: string): boolean {
  const { scanStore } = readIdentity(dataDir) ?? {}
  return scanStore === undefined ? existsSync(join(dataDir, 'scans', 'store')) : isEmbedded(scanStore)
}

/** The size of a segment with only its header, which a front without a catalogue leaves. */
const emptySegmentBytes = 64

/**
 * Whether a data directory has journals with scans, or a scan store: only a service that has run
 * leaves them.
 */
export function hasScans(dataDir: string): boolean {
  if (['scans', 'scan-files'].some((name) => namesIn(join(dataDir, name)).length > 0)) return true
  const journals = join(dataDir, 'journal')
  return namesIn(journals)
    .flatMap((name) => namesIn(join(journals, name)).map((file) => join(journals, name, file)))
    .some((path) => /\.(seg|rows)$/.test(path) && statSync(path).size > emptySegmentBytes)
}

function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir)
  } catch {
    return []
  }
}
