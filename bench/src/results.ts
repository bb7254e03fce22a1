import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'

/** What a run of a bench left. */
export type KeptResult = {
  /** ISO 8601, when it ended. */
  date: string
  quick: boolean
  machine: { cpu: string; cores: number; memoryGb: number; system: string; node: string }
  result: object
}

const dir = join(import.meta.dirname, '..', 'results')

/** Keeps a result beside those of the other benches, in place of the one of the same bench and length. */
export function keepResult(name: string, result: object, { quick }: { quick: boolean }): void {
  const kept: KeptResult = { date: new Date().toISOString(), quick, machine: thisMachine(), result }
  mkdirSync(dir, { recursive: true })
  writeFileSync(fileOf(name, quick), `${JSON.stringify(kept, undefined, 2)}\n`)
}

/** The last result of a bench: of its full length, else of a quick run, else undefined. */
export function keptResult(name: string): KeptResult | undefined {
  for (const quick of [false, true]) {
    try {
      return JSON.parse(readFileSync(fileOf(name, quick), 'utf8')) as KeptResult
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
  return undefined
}

function fileOf(name: string, quick: boolean): string {
  return join(dir, `${name.replaceAll(' --', '-')}${quick ? '-quick' : ''}.json`)
}

function thisMachine(): KeptResult['machine'] {
  const all = cpus()
  return {
    cpu: all[0]?.model.trim() ?? 'unknown',
    cores: all.length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${process.platform} ${process.arch}`,
    node: process.version,
  }
}
