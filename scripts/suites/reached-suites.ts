// Which suites a change can break: those that load a changed file, by the imports of the sources.
import { execFileSync } from 'node:child_process'
import { join, posix } from 'node:path'
import { isTest } from '../house-rules.ts'
import { readSources, runtimeImportsOf, targetOf, type Source } from '../sources.ts'

const root = join(import.meta.dirname, '..', '..')

/** Changes of these decide how every suite runs. */
const everything: readonly RegExp[] = [
  /(^|\/)package(-lock)?\.json$/,
  /^tsconfig\.json$/,
  /^scripts\/(test|sources|install|build|run-child)\.(ts|mjs)$/,
  /^scripts\/(bundle|suites)\//,
  /^server\/src\/db\/migrations\//,
  /^server\/src\/db\/testing\//,
  /^server\/src\/loading\//,
]

/** Workspaces whose sources are in a service or in its dashboard. */
const served = /^(contract|qr|pages|client|server|web)\//

/** `files` and `changed` are paths relative to the root, with `/`. */
export type Change = { files: readonly string[]; changed: readonly string[] }

/** Suites in the order of `files`. `why` has a line for each decision that is not an import. */
export type ReachedSuites = { suites: string[]; leftOut: string[]; why: string[] }

/**
 * Returns the suites among `files` that load a changed file, and those that were left out. A suite
 * in `server/test` starts services, which load everything: it is reached only by itself, by its
 * support in `server/test`, and by the sources that it imports itself. The whole run has the rest.
 */
export function reachedSuites({ files, changed }: Change, sources = readSources()): ReachedSuites {
  const decisive = changed.filter((path) => everything.some((pattern) => pattern.test(path)))
  if (decisive.length > 0)
    return { suites: [...files], leftOut: [], why: [`every suite runs with ${decisive.join(', ')}`] }
  const texts = new Map(sources.map(({ path, text }) => [path, text]))
  const imports = importGraph(sources)
  const why: string[] = []
  // Data is named by its path, its name, or its folder of data.
  const touched = new Set(changed)
  for (const path of changed.filter((one) => !/\.(ts|tsx|mjs)$/.test(one))) {
    const readers = [...texts].filter(([, text]) => namesFile(text, path)).map(([reader]) => reader)
    for (const reader of readers) touched.add(reader)
    if (readers.length === 0) why.push(`no source names ${path}`)
  }
  const isReached = (file: string): boolean =>
    [...loadedFiles(file, imports, { ownSourcesOnly: startsServices(file) }).keys()].some((path) =>
      touched.has(path),
    )
  const suites = files.filter(isReached)
  const isServed = changed.some((path) => served.test(path) && !isTest(path))
  const leftOut = isServed ? files.filter((file) => startsServices(file) && !suites.includes(file)) : []
  if (leftOut.length === 1) why.push('1 suite that starts services was left to the whole run')
  if (leftOut.length > 1) why.push(`${leftOut.length} suites that start services were left to the whole run`)
  return { suites, leftOut, why }
}

export function startsServices(file: string): boolean {
  return file.startsWith('server/test/') || file === 'bench/src/speed.test.ts'
}

/** Returns the files that each source loads when it runs. Types are not loaded. */
export function importGraph(sources: readonly Source[]): ReadonlyMap<string, readonly string[]> {
  return new Map(
    sources.map(({ path, text }) => [
      path,
      runtimeImportsOf(text).flatMap((one) => targetOf(path, one) ?? []),
    ]),
  )
}

/**
 * Returns the files that a file loads, with the number of imports between them. With
 * `ownSourcesOnly`, imports of product sources are not followed.
 */
export function loadedFiles(
  file: string,
  imports: ReadonlyMap<string, readonly string[]>,
  { ownSourcesOnly = false } = {},
): Map<string, number> {
  const distances = new Map([[file, 0]])
  for (const [path, distance] of distances) {
    if (ownSourcesOnly && !isTest(path)) continue
    for (const target of imports.get(path) ?? [])
      if (!distances.has(target)) distances.set(target, distance + 1)
  }
  return distances
}

function namesFile(text: string, path: string): boolean {
  const name = posix.basename(path)
  const folder = posix.basename(posix.dirname(path))
  const names = [path, name, ...(folder === 'testdata' ? [folder] : [])]
  return names.some(
    (one) => text.includes(`'${one}'`) || text.includes(`/${one}'`) || text.includes(`/${one}\``),
  )
}

/**
 * Returns the files that differ from a commit, with those that git does not know yet. Without a
 * commit it is the one at which this branch left main, on main itself the last one.
 */
export function changedFiles(since = mergeBase()): string[] {
  const lines = [
    git('diff', '--name-only', '--no-renames', since),
    git('ls-files', '--others', '--exclude-standard'),
  ]
  return [...new Set(lines.join('\n').split('\n'))].filter((path) => path !== '').toSorted()
}

function mergeBase(): string {
  try {
    return git('merge-base', 'main', 'HEAD').trim()
  } catch {
    // A clone of one branch has no main.
    return 'HEAD'
  }
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
}
