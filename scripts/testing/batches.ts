import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { startsServices } from '../suites/reached-suites.ts'

/** Suites of one process, as paths from the root of the repository. */
export type Batch = readonly string[]

/** Few enough that the last batches end together. Suites of services take longer. */
const suitesMax = { unit: 12, service: 6 }
/** How a suite says that a whole `npm test` leaves it out, and what proves its promise there. */
export const variantSign = /^\/\/ Left to the soak: \S/m
/** How a suite says that it cannot share a process, and why. */
const aloneSign = /^\/\/ In a process of its own: \S/m

/**
 * Divides suites into batches: those of a workspace's sources, and those of a folder of services,
 * share processes, which load what they import once. A suite that changes its process is a batch
 * alone.
 */
export function batchesOf(files: readonly string[], read: (file: string) => string): Batch[] {
  const sharing = new Map<string, string[]>()
  const alone: string[] = []
  for (const file of files) {
    const shared = groupOf(file)
    if (aloneSign.test(read(file))) alone.push(file)
    else sharing.set(shared, [...(sharing.get(shared) ?? []), file])
  }
  return [...alone.map((file) => [file]), ...[...sharing.values()].flatMap((some) => divided(some))]
}

/** Returns whom a suite may share a process with: its workspace, or a folder of services. */
export function groupOf(file: string): string {
  const levels = startsServices(file) ? 3 : 1
  return dirname(file).split('/').slice(0, levels).join('/')
}

function divided(files: readonly string[]): Batch[] {
  const most = files.some((file) => startsServices(file)) ? suitesMax.service : suitesMax.unit
  const count = Math.ceil(files.length / most)
  const size = Math.ceil(files.length / count)
  return Array.from({ length: count }, (_, at) => files.slice(at * size, (at + 1) * size))
}

export function readSuite(root: string): (file: string) => string {
  return (file) => readFileSync(join(root, file), 'utf8')
}
