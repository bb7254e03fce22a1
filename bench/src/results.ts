import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'

/** The saved result of a run. */
export type SavedResult = {
  /** The end of the run, ISO 8601. */
  date: string
  quick: boolean
  machine: { cpu: string; cores: number; memoryGb: number; system: string; node: string }
  result: object
}

const dir = join(import.meta.dirname, '..', 'results')

/** Saves a result. Replaces the last result of the same bench and length. */
export function saveResult(name: string, result: object, { quick }: { quick: boolean }): void {
  const saved: SavedResult = { date: new Date().toISOString(), quick, machine: thisMachine(), result }
  mkdirSync(dir, { recursive: true })
  writeFileSync(fileOf(name, quick), `${JSON.stringify(saved, undefined, 2)}\n`)
}

/** Returns the last result of a bench: of a full run, else of a quick run, else undefined. */
export function readResult(name: string): SavedResult | undefined {
  for (const quick of [false, true]) {
    try {
      return JSON.parse(readFileSync(fileOf(name, quick), 'utf8')) as SavedResult
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
  return undefined
}

function fileOf(name: string, quick: boolean): string {
  return join(dir, `${name.replaceAll(' --', '-')}${quick ? '-quick' : ''}.json`)
}

function thisMachine(): SavedResult['machine'] {
  const all = cpus()
  return {
    cpu: all[0]?.model.trim() ?? 'unknown',
    cores: all.length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${process.platform} ${process.arch}`,
    node: process.version,
  }
}
