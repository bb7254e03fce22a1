// Writes the server and its packages as a few files, which start in a fraction of the time of their
// many sources: `node scripts/bundle/bundle-server.mjs ROLLDOWN`, the path of that package. Run by
// build.mjs. server/src/loading/current-bundle.mjs says when a process uses the result. Record 105.
import { existsSync, globSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { keptPlaces, quoted } from './kept-places.mjs'

/** Stay packages: they have binaries, or code that runs only outside of strict mode. */
const external = [
  '@duckdb/node-api',
  '@duckdb/node-bindings',
  'acme-client',
  'better-sqlite3',
  'chdb',
  'sharp',
]

/** Have many files. Tests run sources, which load these from the bundle. */
const shared = ['kysely', 'typebox', 'typebox/value']

/**
 * Bundles `root`/server/src/main.ts. The bundle before this one stays, as a running service imports
 * parts of it late: two folders are used in turn, and `index.json` names the current one. Names of
 * files stay the same, so that Node replaces what it has compiled. Throws an Error for code that
 * might not work in a bundle.
 */
export async function bundleServer(rolldown, root) {
  const bundles = join(root, 'server', 'dist', 'bundle')
  const index = join(bundles, 'index.json')
  const before = existsSync(index) ? JSON.parse(readFileSync(index, 'utf8')).folder : undefined
  const folder = before === 'a' ? 'b' : 'a'
  const temporary = join(bundles, `.${process.pid}`)
  const sources = new Set(['package-lock.json'])
  const packages = shared.map((name) => [name, name.replaceAll('/', '-')])
  try {
    const bundle = await rolldown({
      input: {
        everscan: join('src', 'main.ts'),
        ...Object.fromEntries(packages.map(([name, file]) => [file, name])),
      },
      cwd: join(root, 'server'),
      platform: 'node',
      transform: { target: 'esnext' },
      external: (specifier) => external.includes(specifier),
      plugins: [keptPlaces(root, join(bundles, folder), sources), taggedTemplates],
      onLog: (_level, { message }) => {
        throw new Error(message)
      },
    })
    await bundle.write({
      dir: temporary,
      format: 'esm',
      entryFileNames: '[name].mjs',
      chunkFileNames: '[name].mjs',
      comments: { legal: true, annotation: false, jsdoc: false },
    })
    const cache = relative(join(bundles, folder), join(root, 'server', 'src', 'loading', 'compile-cache.mjs'))
    writeFileSync(join(temporary, 'main.mjs'), `import ${quoted(cache)}\nawait import('./everscan.mjs')\n`)
    writeFileSync(join(temporary, 'licences.txt'), licencesOf(await bundle.watchFiles))
    rmSync(join(bundles, folder), { recursive: true, force: true })
    renameSync(temporary, join(bundles, folder))
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
  const sizes = Object.fromEntries([...sources].map((path) => [path, statSync(join(root, path)).size]))
  writeFileSync(
    `${index}.new`,
    JSON.stringify({
      folder,
      sizes,
      packages: Object.fromEntries(packages.map(([name, file]) => [name, `${file}.mjs`])),
    }),
  )
  // Last: without it, nothing of this is used.
  renameSync(`${index}.new`, index)
}

/** Returns the licences of the packages to which these modules belong. */
function licencesOf(modules) {
  const folder = new RegExp(`^.*\\${sep}node_modules\\${sep}(@[^\\${sep}]+\\${sep})?[^\\${sep}]+`)
  const folders = new Set([...modules].flatMap((id) => folder.exec(id)?.[0] ?? []))
  return [...folders]
    .sort()
    .flatMap((path) => globSync('{LICEN[CS]E,licen[cs]e}*', { cwd: path }).map((name) => join(path, name)))
    .map((path) => `${path.split(`${sep}node_modules${sep}`).at(-1)}\n\n${readFileSync(path, 'utf8')}`)
    .join('\n\n')
}

/** Rolldown calls a helper for templates with `</script`, and the helper's package is not ours. */
const taggedTemplates = {
  name: 'tagged-templates',
  resolveId: (id) => (id.startsWith('@oxc-project/runtime/helpers/taggedTemplate') ? '\0tagged' : undefined),
  load: (id) =>
    id === '\0tagged'
      ? 'export default (strings, raw = strings.slice()) => Object.freeze(Object.defineProperty(strings, "raw", { value: Object.freeze(raw) }))'
      : undefined,
}

if (import.meta.main) {
  const { rolldown } = await import(pathToFileURL(process.argv[2]).href)
  await bundleServer(rolldown, join(import.meta.dirname, '..', '..'))
}
