// How code in a bundle finds its files, and which code could not.
import { existsSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'

/** Code of packages that looks for files or modules of its own, and why the bundle may have it. */
const looking = {
  '@peculiar/x509/build/x509.cjs.js': 'has a method "import"',
  'fast-json-stringify/lib/standalone.js': 'writes the words into a text',
  'fastify/lib/plugin-utils.js': 'looks for names of plugins, which ours have themselves',
  'pg/lib/native/client.js': 'needs pg-native, which is never installed',
  'pino/lib/transport.js': 'starts transports, which we have none of',
  'thread-stream/index.js': 'starts transports, which we have none of',
  'zod/v4/core/json-schema-generator.js': 'has the word in a comment',
}

const looks =
  /\bimport\.meta\b|\b__(dirname|filename)\b|\brequire(\.\w|\((?!\s*['"][^'"]+['"]\s*\)))|\bimport\((?!\s*['"])/

/**
 * Packages with CommonJS that does not say "use strict". Modules of a bundle are strict: a linter
 * looked for what this breaks, assignments to undeclared names. One is in a class of bintrees that
 * no package uses.
 */
const sloppy = [
  '@opentelemetry/api',
  'b4a',
  'bintrees',
  'dequal',
  'events-universal',
  'fast-fifo',
  'fast-querystring',
  'ipaddr.js',
  'mime-db',
  'my-ua-parser',
  'pend',
  'pg',
  'pg-copy-streams',
  'pg-types',
  'pino',
  'process',
  'readable-stream',
  'reflect-metadata',
  'safe-buffer',
  'set-cookie-parser',
  'streamx',
  'tar-stream',
  'tdigest',
  'text-decoder',
  'xtend',
  'yauzl',
  'yazl',
]

/**
 * Has code find files beside its source as before, and its threads and programs in the bundle,
 * wherever the installation is moved to. `places` is the folder of the bundle. Adds the sources to
 * `sources`, relative to the root. Throws an Error for any other way to look for a file.
 */
export function keptPlaces(root, place, sources) {
  const problems = []
  return {
    name: 'kept-places',
    transform(code, id) {
      if (id.startsWith('\0')) return undefined
      if (id.includes(`${sep}node_modules${sep}`)) return void problems.push(...surprisesIn(code, id))
      sources.add(relative(root, id).split(sep).join('/'))
      if (!code.includes('import.meta') && !/\bimport\((?!')/.test(code)) return undefined
      const at = (path) => {
        const found = join(dirname(id), path)
        if (basename(path) === 'main.mjs') return quoted('./main.mjs')
        if (!existsSync(found)) problems.push(`${id}: there is no ${path}`)
        return quoted(relative(place, found))
      }
      const replaced = []
      const keep = (text) => `\0${replaced.push(text) - 1}\0`
      const written = code
        .replaceAll(/new URL\(\s*'(\.[^']+)\.ts',\s*import\.meta\.url\s*\)/g, (_, path) => {
          const name = basename(path)
          this.emitFile({ type: 'chunk', id: join(dirname(id), `${path}.ts`), fileName: `${name}.mjs` })
          return keep(`new URL('./${name}.mjs', import.meta.url)`)
        })
        .replaceAll(/new URL\(\s*'([^']+)',\s*import\.meta\.url\s*\)/g, (_, path) =>
          keep(`new URL(${at(path)}, import.meta.url)`),
        )
        .replaceAll(/\bcreateRequire\(import\.meta\.url\)/g, () =>
          keep(`createRequire(new URL(${at(basename(id))}, import.meta.url))`),
        )
        .replaceAll(/\bjoin\(import\.meta\.dirname,(?!(?:\s*'[^']*',?)*\s*'[^']*\.m?[jt]s')/g, () =>
          keep(`join(import.meta.dirname, ${at('.')},`),
        )
      if (/import\.meta\b|\bimport\((?!')/.test(written))
        problems.push(`${id}: names a file in a way that scripts/bundle/kept-places.mjs does not know`)
      return { code: written.replaceAll(/\0(\d+)\0/g, (_, i) => replaced[i]), map: null }
    },
    buildEnd() {
      if (problems.length > 0) throw new Error(problems.join('\n'))
    },
  }
}

/** Returns why a module of a package might not work in a bundle, as lines. */
function surprisesIn(code, id) {
  const path = id.split(sep).join('/').split('/node_modules/').at(-1)
  const [name] = /^(@[^/]+\/)?[^/]+/.exec(path)
  const isModule = /(^|[;}])\s*(import|export)\b/m.test(code) || path.endsWith('.json')
  const isStrict = isModule || /^(['"])use strict\1/.test(withoutLeadingComments(code))
  const lines = []
  if (looks.test(code) && !(path in looking)) lines.push(`${path} looks for files or modules: see "looking"`)
  if (!isStrict && !sloppy.includes(name)) lines.push(`${path} is not strict: see "sloppy"`)
  return lines
}

function withoutLeadingComments(code) {
  const rest = code.trimStart()
  if (rest.startsWith('//')) return withoutLeadingComments(rest.slice(rest.indexOf('\n')))
  if (rest.startsWith('/*')) return withoutLeadingComments(rest.slice(rest.indexOf('*/') + 2))
  return rest
}

/** Writes a path into code. */
export function quoted(path) {
  return `'${path.split(sep).join('/')}'`
}
