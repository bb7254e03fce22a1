// A package is declared where it is imported, so that an installer that keeps workspaces apart works too.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { importsOf, type Source } from './sources.ts'

const root = join(import.meta.dirname, '..')

export type Manifest = {
  name: string
  dependencies?: Readonly<Record<string, string>>
  devDependencies?: Readonly<Record<string, string>>
}

/** The manifests by folder: a workspace, or `scripts` for the root's. */
export function readManifests(): ReadonlyMap<string, Manifest> {
  const read = (path: string): Manifest => JSON.parse(readFileSync(join(root, path), 'utf8'))
  const folders = globSync('*/package.json', { cwd: root }).map((path) => path.split(/[/\\]/)[0] ?? '')
  return new Map([
    ['scripts', read('package.json')],
    ...folders.map((folder) => [folder, read(`${folder}/package.json`)] as const),
  ])
}

/** Every import of a package that the folder of a source does not declare, as a line that says what to add. */
export function undeclaredPackages(
  sources: readonly Source[],
  manifests: ReadonlyMap<string, Manifest>,
): string[] {
  const breaks = new Set<string>()
  for (const { path, text } of sources) {
    const [folder = ''] = path.split('/')
    const { name: own, dependencies = {}, devDependencies = {} } = manifests.get(folder) ?? { name: '' }
    for (const specifier of importsOf(text)) {
      const name = packageOf(specifier)
      if (name === undefined || name === own || name in dependencies || name in devDependencies) continue
      breaks.add(`${path}: imports ${name}: declare it in the package.json of ${folder}`)
    }
  }
  return [...breaks]
}

/** `@scope/name/file.ts` → `@scope/name`; undefined: a file, or a module of Node. */
function packageOf(specifier: string): string | undefined {
  if (/^(\.|node:|\$)/.test(specifier)) return undefined
  return /^(@[^/]+\/[^/]+|[^@/][^/]*)/.exec(specifier)?.[1]
}
