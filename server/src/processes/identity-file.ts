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

/** What a data directory knows of the installation that it belongs to. */
export type DataDirIdentity = {
  installation: string
  /** The highest that was seen: a catalogue that has less is an older copy. */
  epoch: number
  pulse: number
  /** Id of the embedded scan store in this directory. */
  scanStore?: string | undefined
}

const fileName = 'installation.json'

/** `undefined` where there is none yet; throws a `FatalError` when it cannot be read. */
export function readIdentity(dataDir: string): DataDirIdentity | undefined {
  const path = join(dataDir, fileName)
  if (!existsSync(path)) return undefined
  try {
    const { installation, epoch, pulse, scanStore } = JSON.parse(readFileSync(path, 'utf8'))
    if (typeof installation !== 'string' || !Number.isInteger(epoch) || !Number.isInteger(pulse))
      throw new Error('fields are missing')
    return { installation, epoch, pulse, ...(typeof scanStore === 'string' && { scanStore }) }
  } catch (error) {
    throw new FatalError(
      `${path} is damaged (${errorMessage(error)}). Put it back from a copy; where there is none, remove it: it is made again.`,
      { cause: error },
    )
  }
}

/** Replaces the file, durably. Throws what the file system throws. */
export function writeIdentity(dataDir: string, identity: DataDirIdentity): void {
  writeDurably(join(dataDir, fileName), `${JSON.stringify(identity)}\n`)
}

/** Replaces a file of the data directory that only this user may read. */
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

/** A front that never found a catalogue leaves a segment with nothing but its header. */
const emptySegmentBytes = 64

/** Whether a data directory has what only a service that ran leaves: journals with scans, or a scan store. */
export function hasScans(dataDir: string): boolean {
  if (namesIn(join(dataDir, 'scans')).length > 0) return true
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
