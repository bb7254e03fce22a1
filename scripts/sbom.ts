// `npm run sbom -- FILE` writes the bill of materials of the release: a CycloneDX 1.6 document of
// every package that a service or the dashboard contains. `npm run check` checks it, but writes
// nothing.
//
// It reads the lockfile itself: `npm sbom --omit=dev` leaves out every package that any workspace
// also declares for development, which are the databases' drivers among others.
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { spdxOf, type Lock, type LockEntry } from './packages.ts'

const root = join(import.meta.dirname, '..')

/** The workspaces of which a release consists; `''` is the root, which brings Node. */
const workspaces = ['', 'server', 'web', 'client']

/** Packages for development whose data our scripts copied into the sources. */
const copied = ['@fontsource/inter', 'iso-3166', 'simple-icons', 'world-atlas'].map(
  (name) => `node_modules/${name}`,
)

/** The bytes of a hash in hexadecimal, by its name in an `integrity` and in CycloneDX. */
const hashNames: Readonly<Record<string, string>> = {
  sha512: 'SHA-512',
  sha384: 'SHA-384',
  sha256: 'SHA-256',
}

type Component = {
  'bom-ref': string
  type: 'library'
  group?: string
  name: string
  version: string
  scope: 'required' | 'optional'
  hashes: { alg: string; content: string }[]
  licenses: ({ license: { id: string } } | { expression: string })[]
  purl: string
}

export type Sbom = {
  $schema: string
  bomFormat: 'CycloneDX'
  specVersion: '1.6'
  serialNumber: string
  version: 1
  metadata: {
    component: Pick<Component, 'bom-ref' | 'name' | 'version' | 'licenses' | 'purl'> & { type: 'application' }
  }
  components: Component[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

/**
 * Returns the bill of materials of a lockfile. The same lockfile always yields the same bytes.
 * `starts` are the places of which a release consists.
 */
export function sbomOf({ packages }: Lock, starts: readonly string[] = [...workspaces, ...copied]): Sbom {
  const reached = reachedPackages(packages, starts)
  const components = [...reached.keys()]
    .filter(isPublished)
    .map((path) => componentOf(path, packages[path] ?? {}))
    .filter((one, at, all) => all.findIndex((other) => other['bom-ref'] === one['bom-ref']) === at)
    .sort(byRef)
  const content = { components, dependencies: dependenciesOf(packages, reached) }
  const { name = '', version = '', license = '' } = packages[''] ?? {}
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify([version, content]))}`,
    version: 1,
    metadata: {
      component: {
        'bom-ref': refOf('', packages['']),
        type: 'application',
        name,
        version,
        licenses: [{ license: { id: license } }],
        purl: `pkg:npm/${name}@${version}`,
      },
    },
    ...content,
  }
}

/** Returns every problem of a bill of materials, as a line that names the component. */
export function sbomProblems({ metadata, components, dependencies }: Sbom): string[] {
  const refs = [metadata.component, ...components].map((one) => one['bom-ref'])
  const known = new Set(refs)
  return [
    ...refs.filter((one, at) => refs.indexOf(one) !== at).map((one) => `${one}: appears twice`),
    ...components.flatMap((one) => [
      ...(one.version === '' ? [`${one['bom-ref']}: has no version`] : []),
      ...(one.licenses.length === 0 ? [`${one['bom-ref']}: has no accepted licence`] : []),
      ...(one.hashes.length === 0 ? [`${one['bom-ref']}: has no hash`] : []),
    ]),
    ...dependencies.flatMap(({ ref, dependsOn }) =>
      [ref, ...dependsOn]
        .filter((one) => !known.has(one))
        .map((one) => `${ref}: depends on ${one}, which is not listed`),
    ),
  ]
}

/** Returns the packages of the release by their place in the lockfile, with what each needs. */
export function reachedPackages(
  packages: Lock['packages'],
  starts: readonly string[],
): Map<string, string[]> {
  const reached = new Map<string, string[]>()
  const open = [...starts]
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (reached.has(path)) continue
    const { dependencies, optionalDependencies, peerDependencies } = packages[path] ?? {}
    const names = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })
    // A package for another system, or an optional peer, need not be in the lockfile.
    const targets = names.flatMap((name) => placeOf(packages, path, name) ?? [])
    reached.set(path, targets)
    open.push(...targets)
  }
  return reached
}

/**
 * Returns the place of a package as Node finds it from another place: beside it, or further up. A
 * link leads to its workspace.
 */
function placeOf(packages: Lock['packages'], from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const place = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`
    const found = packages[place]
    if (found !== undefined) return found.link === true ? found.resolved : place
    if (folder === '') return undefined
    // A workspace has no folder of packages above it but that of the root.
    if (!folder.includes('/node_modules/')) folder = ''
  }
}

/** Returns the edges between components. The application has those of all workspaces. */
function dependenciesOf(
  packages: Lock['packages'],
  reached: ReadonlyMap<string, readonly string[]>,
): Sbom['dependencies'] {
  const edges = new Map<string, Set<string>>()
  for (const [path, targets] of reached) {
    const from = isPublished(path) ? path : ''
    const ref = refOf(from, packages[from])
    const dependsOn = edges.get(ref) ?? new Set()
    for (const target of targets.filter(isPublished)) dependsOn.add(refOf(target, packages[target]))
    edges.set(ref, dependsOn)
  }
  return [...edges].map(([ref, dependsOn]) => ({ ref, dependsOn: [...dependsOn].sort() }))
}

/** Whether a place is that of a package from the registry, not of a workspace. */
function isPublished(path: string): boolean {
  return path.includes('node_modules/')
}

function componentOf(path: string, entry: LockEntry): Component {
  const fullName = nameOf(path)
  const [group, name] = fullName.startsWith('@') ? fullName.split('/') : [undefined, fullName]
  const licence = spdxOf(fullName, entry.license)
  return {
    'bom-ref': refOf(path, entry),
    type: 'library',
    ...(group !== undefined && { group }),
    name: name ?? fullName,
    version: entry.version ?? '',
    scope: entry.optional === true || entry.devOptional === true ? 'optional' : 'required',
    hashes: hashesOf(entry.integrity),
    licenses:
      licence === undefined
        ? []
        : licence.includes(' ')
          ? [{ expression: licence }]
          : [{ license: { id: licence } }],
    purl: `pkg:npm/${fullName.replace('@', '%40')}@${entry.version ?? ''}`,
  }
}

/** `sha512-…` in base64, possibly several. Unknown ones are left out. */
function hashesOf(integrity = ''): { alg: string; content: string }[] {
  return integrity.split(' ').flatMap((one) => {
    const [, name = '', base64 = ''] = /^(\w+)-(.+)$/.exec(one) ?? []
    const alg = hashNames[name]
    return alg === undefined ? [] : [{ alg, content: Buffer.from(base64, 'base64').toString('hex') }]
  })
}

function refOf(path: string, entry: LockEntry | undefined): string {
  const { name, version = '' } = entry ?? {}
  return `${isPublished(path) ? nameOf(path) : (name ?? path)}@${version}`
}

function nameOf(path: string): string {
  return path.replace(/^.*node_modules\//, '')
}

function byRef(a: Component, b: Component): number {
  return a['bom-ref'] < b['bom-ref'] ? -1 : 1
}

/** Returns a UUID that follows from a text (RFC 9562, version 8). */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

if (process.argv[1] === import.meta.filename) {
  const [file] = process.argv.slice(2)
  const sbom = sbomOf(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock)
  const problems = sbomProblems(sbom)
  for (const line of problems) console.error(line)
  console.log(`${sbom.components.length} components of the release, ${problems.length} problems`)
  if (file === undefined) console.error('usage: npm run sbom -- FILE, or --check')
  else if (file !== '--check' && problems.length === 0)
    writeFileSync(file, `${JSON.stringify(sbom, undefined, 2)}\n`)
  process.exitCode = file === undefined ? 2 : problems.length === 0 ? 0 : 1
}
