// `node scripts/sizes/sizes.ts` says how much an installation for running and the image take on
// disk. It counts what `./everscan` would install from the lockfile, in the packages that are here,
// and the files that deploy/Dockerfile keeps.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readLock, type Lock } from '../packages.ts'
import { reachedPackages } from '../sbom.ts'
import { bytesIn, filesForCompilers, megabytesMax } from './installed-files.mjs'

const root = join(import.meta.dirname, '..', '..')

/** The unpacked debian:bookworm-slim, rounded up: it is not here to be measured. */
const baseMegabytes = 80
/** Not in the image: the Dockerfile removes them, or .dockerignore names them. */
const leftOut =
  /^(bench|client|scripts|deploy(?!\/image)|docs\/adr|server\/test|integrations)\/|^web\/(src|public)\/|(^|\/)(testdata|testing)\/|\.(test|soak)\.ts$|^\.|^[^/]+\.md$/

/** Returns the places of a lockfile that running needs, with those for other machines. */
export function placesForRunning({ packages }: Lock): string[] {
  const places = [...reachedPackages(packages, ['', 'server']).keys()]
  return places.filter((place) => place.includes('node_modules/'))
}

export type Sizes = { installation: number; image: number; largest: [place: string, megabytes: number][] }

/** Returns megabytes on disk. Throws an Error if a package that running needs is not here. */
export function sizesOf(lock: Lock): Sizes {
  const places = placesForRunning(lock).filter((place) => isHere(place, lock))
  const removed = filesForCompilers(join(root, 'node_modules')).map((path) => path.slice(root.length + 1))
  const sizes = places.map((place): [string, number] => {
    // A package inside of another is a place of its own.
    const inner = places.filter((other) => other.startsWith(`${place}/`))
    const isInner = (path: string): boolean => inner.some((other) => path.startsWith(`${other}/`))
    const gone = [...removed, ...inner].filter((path) => path.startsWith(`${place}/`) && !isInner(path))
    return [place, megabytes(place) - sum(gone.map(megabytes))]
  })
  const installation = sum(sizes.map(([, size]) => size))
  const image = baseMegabytes + installation + sum([...sources(), ...built()].map(megabytes))
  return { installation, image, largest: sizes.toSorted(([, a], [, b]) => b - a).slice(0, 8) }
}

/** Packages for other machines and optional peers need not be here. */
function isHere(place: string, { packages }: Lock): boolean {
  if (existsSync(join(root, place))) return true
  const { optional, devOptional, peer } = packages[place] ?? {}
  if (optional === true || devOptional === true || peer === true) return false
  throw new Error(`${place} is not installed: run node scripts/install.mjs`)
}

/** Paths of sources in the image. */
function sources(): string[] {
  const listed = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0')
  return listed.filter((path) => path !== '' && !leftOut.test(path) && existsSync(join(root, path)))
}

/** Paths of what a build of the image makes. */
function built(): string[] {
  const bundle = join('server', 'dist', 'bundle')
  const { folder } = JSON.parse(readFileSync(join(root, bundle, 'index.json'), 'utf8')) as { folder: string }
  return [join('web', 'dist'), join(bundle, folder), join('node_modules', '.cache', 'compiled')].filter(
    (path) => existsSync(join(root, path)),
  )
}

const megabytes = (path: string): number => bytesIn(join(root, path)) / 1e6
const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)

const print = (size: number, name: string): void => console.log(`${size.toFixed(1).padStart(8)} MB  ${name}`)

if (process.argv[1] === import.meta.filename) {
  const { largest, ...sizes } = sizesOf(readLock())
  for (const [place, size] of largest) print(size, place)
  for (const name of ['installation', 'image'] as const)
    print(sizes[name], `${name}: at most ${megabytesMax[name]}`)
}
