import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Suites of one process, as paths from the root of the repository. */
export type Batch = readonly string[]

/** Few enough that the last batches end together. */
const suitesMax = 8
/** How a suite says that it cannot share a process, and why. */
const aloneSign = /^\/\/ In a process of its own: \S/m

/**
 * Divides suites into batches: those of a folder share a process, which loads what they import
 * once. A suite that changes its process is a batch alone.
 */
export function batchesOf(files: readonly string[], read: (file: string) => string): Batch[] {
  const rooms = new Map<string, string[]>()
  const alone: string[] = []
  for (const file of files) {
    if (aloneSign.test(read(file))) alone.push(file)
    else rooms.set(roomOf(file), [...(rooms.get(roomOf(file)) ?? []), file])
  }
  return [...alone.map((file) => [file]), ...[...rooms.values()].flatMap((room) => divided(room))]
}

/** Returns the folder whose suites share processes, such as `server/test/dashboard`. */
export function roomOf(file: string): string {
  return dirname(file).split('/').slice(0, 3).join('/')
}

function divided(files: readonly string[]): Batch[] {
  const count = Math.ceil(files.length / suitesMax)
  const size = Math.ceil(files.length / count)
  return Array.from({ length: count }, (_, at) => files.slice(at * size, (at + 1) * size))
}

export function readSuite(root: string): (file: string) => string {
  return (file) => readFileSync(join(root, file), 'utf8')
}
