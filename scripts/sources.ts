// The sources of the workspaces and their imports.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, posix, sep } from 'node:path'

const root = join(import.meta.dirname, '..')

/** `path` is relative to the root, with `/`. */
export type Source = { path: string; text: string }

/** Returns every source and test of the workspaces, and the scripts. */
export function readSources(folder = root): Source[] {
  const patterns = [
    '{contract,qr,pages,client,server,web,bench}/{src,test}/**/*.{ts,tsx,mjs}',
    'scripts/**/*.{ts,mjs}',
  ]
  return globSync(patterns, { cwd: folder })
    .map((path) => ({ path: path.split(sep).join('/'), text: readFileSync(join(folder, path), 'utf8') }))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** Returns the specifiers of a source's imports, including types and dynamic imports. */
export function importsOf(text: string): string[] {
  const pattern =
    /(?:^|\n)\s*(?:import|export)\s[^'"`;]*?from\s+'([^']+)'|import\('([^']+)'\)|(?:^|\n)import\s+'([^']+)'/g
  return [...text.matchAll(pattern)].map((match) => match[1] ?? match[2] ?? match[3] ?? '')
}

/** Returns the specifiers that a source loads when it runs: also of threads and child programs. */
export function runtimeImportsOf(text: string): string[] {
  const withoutTypes = text.replaceAll(/(^|\n)\s*(?:import|export) type\s[^'"`;]*?from\s+'[^']+'/g, '$1')
  const urls = /new URL\(\s*'([^']+)',\s*import\.meta\.url/g
  const resolved = /import\.meta\.resolve\('([^']+)'\)/g
  const relative = [...text.matchAll(urls), ...text.matchAll(resolved)].map(([, path = '']) =>
    /^[./@]/.test(path) ? path : `./${path}`,
  )
  return [...importsOf(withoutTypes), ...relative]
}

/** Returns the path that a specifier names. Undefined for a package. */
export function targetOf(path: string, specifier: string): string | undefined {
  const tests = /^@everscan\/server\/(test\/.+)$/.exec(specifier)
  if (tests !== null) return `server/${tests[1]}`
  const ours = /^@everscan\/([^/]+)\/(.+)$/.exec(specifier)
  if (ours !== null) return `${ours[1]}/src/${ours[2]}`
  return specifier.startsWith('.') ? posix.join(dirname(path), specifier) : undefined
}

/** Returns groups of files that import each other in a cycle, including types. Each is sorted. */
export function importCycles(sources: readonly Source[]): string[][] {
  const imports = new Map(
    sources.map(({ path, text }) => [path, importsOf(text).flatMap((one) => targetOf(path, one) ?? [])]),
  )
  return components(imports).filter((group) => group.length > 1)
}

/**
 * Returns the strongly connected components of a graph: Tarjan, "Depth-first search and linear
 * graph algorithms", 1972.
 */
function components(edges: ReadonlyMap<string, readonly string[]>): string[][] {
  const found: string[][] = []
  const numbers = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: string[] = []
  const onStack = new Set<string>()

  function visit(node: string): number {
    const number = numbers.size
    let low = number
    numbers.set(node, number)
    stack.push(node)
    onStack.add(node)
    for (const next of edges.get(node) ?? []) {
      if (!edges.has(next)) continue
      if (!numbers.has(next)) low = Math.min(low, visit(next))
      else if (onStack.has(next)) low = Math.min(low, numbers.get(next) ?? low)
    }
    lowest.set(node, low)
    if (low === number) {
      const group = stack.splice(stack.indexOf(node))
      for (const one of group) onStack.delete(one)
      found.push(group.sort())
    }
    return low
  }

  for (const node of edges.keys()) if (!numbers.has(node)) visit(node)
  return found
}
