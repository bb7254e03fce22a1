import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { Stretch } from '../stretches.ts'
import type { VisitDisk } from './visit-disk.ts'
import type { RunFacts } from './visit-run.ts'

const version = 1
const stateName = 'state.json'
const unfinishedEnding = '.tmp'
const runEnding = '.run'

/** The stored scans whose first visits are in an index. */
export type VisitCoverage = {
  covered: readonly Stretch[]
  /** Of these scans, some first visits are in it. */
  partial: readonly Stretch[]
  /** The version of the marks of stored scans, undefined if they are those of none. */
  marksVersion: string | undefined
}

export const nothingCovered: VisitCoverage = { covered: [], partial: [], marksVersion: undefined }

/** The files of an index, and what they have. */
export type VisitState = VisitCoverage & {
  /** 32 hexadecimal digits: keys are hashes with it, so that nobody can choose them. */
  salt: string
  /** No run has this number or a larger one yet. */
  nextRun: number
  /** Newest first. */
  runs: readonly RunFacts[]
}

export function runPath(folder: string, number: number): string {
  return join(folder, `${number}${runEnding}`)
}

export function statePath(folder: string): string {
  return join(folder, stateName)
}

/** The name of a file while it is written. */
export function unfinishedPath(path: string): string {
  return path + unfinishedEnding
}

/** Whether the index has, or had, files of this name. */
export function isOfIndex(name: string): boolean {
  return /^(\d+\.run|state\.json)(\.tmp)?$/.test(name)
}

/** Returns undefined if the state is missing, damaged or of another version. */
export async function readState(folder: string): Promise<VisitState | undefined> {
  try {
    const text = await readFile(statePath(folder), 'utf8')
    const { checksum, ...state } = JSON.parse(text) as { version: number; checksum: number } & VisitState
    return state.version === version && checksum === crc32(JSON.stringify(state)) ? state : undefined
  } catch {
    return undefined
  }
}

/** Replaces the state durably. After an error of the file system, it is the old or the new one. */
export async function writeState(disk: VisitDisk, folder: string, state: VisitState): Promise<void> {
  const described = { version, ...state }
  const checksum = crc32(JSON.stringify(described))
  const path = statePath(folder)
  const file = await disk.create(unfinishedPath(path))
  try {
    await disk.append(file, Buffer.from(JSON.stringify({ ...described, checksum })))
    await disk.sync(file)
  } finally {
    await file.close()
  }
  await disk.rename(unfinishedPath(path), path)
  await disk.syncFolder(folder)
}
