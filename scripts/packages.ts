// Checks that packages are declared where they are imported, so that installers that isolate
// workspaces work too, and that their licences allow the distribution of Everscan.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { importsOf, type Source } from './sources.ts'

const root = join(import.meta.dirname, '..')

export type Manifest = {
  name: string
  dependencies?: Readonly<Record<string, string>>
  devDependencies?: Readonly<Record<string, string>>
}

/** Returns the manifests by folder: a workspace, or `scripts` for the root's. */
export function readManifests(): ReadonlyMap<string, Manifest> {
  const read = (path: string): Manifest => JSON.parse(readFileSync(join(root, path), 'utf8'))
  const folders = globSync('*/package.json', { cwd: root }).map((path) => path.split(/[/\\]/)[0] ?? '')
  return new Map([
    ['scripts', read('package.json')],
    ...folders.map((folder) => [folder, read(`${folder}/package.json`)] as const),
  ])
}

/**
 * Returns every import of a package that the folder of a source doesn't declare, as a line that
 * says what to add.
 */
export function undeclaredPackages(
  sources: readonly Source[],
  manifests: ReadonlyMap<string, Manifest>,
): string[] {
  const violations = new Set<string>()
  for (const { path, text } of sources) {
    const [folder = ''] = path.split('/')
    const { name: ownName, dependencies = {}, devDependencies = {} } = manifests.get(folder) ?? { name: '' }
    for (const specifier of importsOf(text)) {
      const name = packageOf(specifier)
      if (name === undefined || name === ownName || name in dependencies || name in devDependencies) continue
      violations.add(`${path}: imports ${name}: declare it in the package.json of ${folder}`)
    }
  }
  return [...violations]
}

/** `@scope/name/file.ts` → `@scope/name`. Undefined for files and Node's modules. */
function packageOf(specifier: string): string | undefined {
  if (/^(\.|node:|\$)/.test(specifier)) return undefined
  return /^(@[^/]+\/[^/]+|[^@/][^/]*)/.exec(specifier)?.[1]
}

const permissive = [
  'MIT',
  'MIT-0',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'Unlicense',
]

/**
 * Other accepted licences, each for one package or for the packages of a scope. `spdx` is the
 * expression for a licence that the package states in words.
 */
const exceptions: readonly { licence: RegExp; packages: RegExp; because: string; spdx?: string }[] = [
  { licence: /LGPL-3/, packages: /^@img\/sharp-/, because: 'a shared library, unchanged and replaceable' },
  {
    licence: /^MPL-2/,
    packages: /^(axe-core|ical\.js|lightningcss)/,
    because: 'tools of tests and the build, unchanged',
  },
  {
    licence: /^OFL-1/,
    packages: /^@fontsource\/inter$/,
    because: 'a font, whose licence lies beside its outlines',
  },
  {
    licence: /CC-BY-4/,
    packages: /^@ip-location-db\/dbip-city-mmdb$/,
    because: 'data, credited in the README',
    spdx: 'CC-BY-4.0',
  },
]

/** A package, a workspace or, under `''`, the root. `resolved` of a link is its workspace. */
export type LockEntry = {
  name?: string
  version?: string
  license?: string
  integrity?: string
  resolved?: string
  link?: true
  dev?: true
  optional?: true
  devOptional?: true
  peer?: true
  dependencies?: Readonly<Record<string, string>>
  optionalDependencies?: Readonly<Record<string, string>>
  peerDependencies?: Readonly<Record<string, string>>
}

/** The part of a lockfile that we read, by the place of each package. */
export type Lock = { packages: Readonly<Record<string, LockEntry>> }

export function readLock(): Lock {
  return JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
}

/** Returns every installed package without an accepted licence, as a line. */
export function unacceptedLicences({ packages }: Lock): string[] {
  return Object.entries(packages).flatMap(([path, { license = 'none', link }]) => {
    const name = path.replace(/^.*node_modules\//, '')
    if (link || !path.includes('node_modules/') || isAccepted(name, license)) return []
    return [`${name}: its licence is ${license}, which is not accepted: see scripts/packages.ts`]
  })
}

/**
 * Returns every package whose bytes the installer cannot compare with a SHA-512, as a line.
 * Packages from a repository or a folder, which nobody published, have none.
 */
export function unverifiedPackages({ packages }: Lock): string[] {
  return Object.entries(packages).flatMap(([path, { integrity = '', link }]) => {
    if (link || !path.includes('node_modules/') || integrity.startsWith('sha512-')) return []
    return [`${path}: the lockfile has no SHA-512 of it; install it from the registry`]
  })
}

/** Returns the licence of a package as an expression of SPDX. Undefined if it is not accepted. */
export function spdxOf(name: string, licence = 'none'): string | undefined {
  if (!isAccepted(name, licence)) return undefined
  const exception = exceptions.find((one) => one.licence.test(licence) && one.packages.test(name))
  return exception?.spdx ?? licence
}

function isAccepted(name: string, licence: string): boolean {
  // `(MIT OR Apache-2.0)`: one accepted licence is enough.
  if (licence.split(/[()]| OR /).some((one) => permissive.includes(one))) return true
  return exceptions.some((one) => one.licence.test(licence) && one.packages.test(name))
}
