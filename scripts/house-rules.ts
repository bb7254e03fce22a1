// Who may import whom, where process.env and console may be used, and how long a file may be: ARCHITECTURE.md, checked.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'

const root = join(import.meta.dirname, '..')
const linesMax = 400

/** Workspaces: who may import whom, besides itself. */
const workspaceImports: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  qr: ['contract'],
  client: ['contract'],
  server: ['contract', 'qr'],
  web: ['client', 'contract', 'qr'],
  bench: ['client', 'contract', 'qr', 'server'],
}

/** Rooms of the server: who may import whom, besides itself and the leaves. */
const roomImports: Readonly<Record<string, readonly string[]>> = {
  db: [],
  journal: [],
  analytics: [],
  pages: [],
  scan: ['journal', 'db', 'pages'],
  ingest: ['journal', 'analytics', 'db'],
  catalogue: ['db'],
  jobs: ['db', 'catalogue'],
  api: ['catalogue', 'analytics', 'db'],
  processes: [],
  copies: ['catalogue', 'db', 'journal', 'analytics', 'ingest', 'processes'],
  // An operator's command builds what it needs, as the wiring does.
  commands: ['api', 'catalogue', 'copies', 'db', 'doctor', 'processes'],
  // It looks at every part, and changes none.
  doctor: ['analytics', 'catalogue', 'db', 'ingest', 'jobs', 'journal', 'processes'],
}
/** Rooms of the dashboard, each with those that it may import besides itself and the words. */
const webImports: Readonly<Record<string, readonly string[]>> = {
  words: [],
  ui: [],
  session: ['ui'],
  codes: ['session', 'ui'],
  editor: ['codes', 'session', 'ui'],
  analytics: ['codes', 'session', 'ui'],
  imports: ['codes', 'session', 'ui'],
  developers: ['session', 'ui'],
  settings: ['codes', 'session', 'ui'],
  shell: ['codes', 'session', 'ui'],
}
const leaves = new Set([
  'amounts.ts',
  'config.ts',
  'setting-values.ts',
  'errors.ts',
  'log.ts',
  'ids.ts',
  'file-names.ts',
  'secret-box.ts',
  'release.ts',
])
/** The wiring: these build the parts and pass them on. */
const isWiring = (file: string) => file === 'main.ts' || file.startsWith('app/')

export type Source = { path: string; text: string }

/** Every break of a house rule, as a line a person can act on. `path`s are relative to the root, with `/`. */
export function houseRuleBreaks(sources: readonly Source[]): string[] {
  return sources.flatMap((source) => [...importBreaks(source), ...textBreaks(source)])
}

function importBreaks({ path, text }: Source): string[] {
  return importsOf(text).flatMap((specifier) => {
    const why = importBreak(path, specifier)
    return why === undefined ? [] : [`${path}: imports ${specifier}: ${why}`]
  })
}

function importBreak(path: string, specifier: string): string | undefined {
  // Data, which imports nothing.
  if (specifier.endsWith('.json')) return undefined
  const test = isTest(path)
  const [workspace = ''] = path.split('/')
  const other = /^@everscan\/([^/]+)/.exec(specifier)?.[1]
  if (other !== undefined && other !== workspace) {
    // Black-box suites use the service as a client does.
    const allowed = [
      ...(workspaceImports[workspace] ?? []),
      ...(test && workspace === 'server' ? ['client'] : []),
    ]
    return allowed.includes(other)
      ? undefined
      : `${workspace} may import ${allowed.join(', ') || 'nothing of ours'}`
  }
  if (!specifier.startsWith('.')) return undefined
  if (!/\.(ts|tsx|mjs|json|css)$/.test(specifier)) return 'write the file name with its ending'
  const target = relative(root, resolve(root, dirname(path), specifier))
    .split(sep)
    .join('/')
  if (!target.startsWith(`${workspace}/`)) return 'other workspaces are imported by name'
  // Its own version.
  if (target === `${workspace}/package.json`) return undefined
  if (workspace === 'web') return webBreak(path.replace('web/src/', ''), target.replace('web/src/', ''))
  if (workspace !== 'server' || path.startsWith('server/test/') || test) return undefined
  return roomBreak(path.replace('server/src/', ''), target.replace('server/src/', ''))
}

function webBreak(from: string, to: string): string | undefined {
  const [fromRoom = ''] = from.split('/')
  const [toRoom = ''] = to.split('/')
  // The wiring and the styles lie in no room.
  if (fromRoom === toRoom || toRoom === 'words' || !(fromRoom in webImports)) return undefined
  const allowed = [...(webImports[fromRoom] ?? []), 'words']
  return allowed.includes(toRoom) ? undefined : `${fromRoom} may import ${allowed.join(', ')}`
}

function roomBreak(from: string, to: string): string | undefined {
  const [fromRoom = ''] = from.split('/')
  const [toRoom = ''] = to.split('/')
  if (isWiring(from)) return undefined
  if (from === fromRoom) {
    return to === toRoom && leaves.has(to) ? undefined : 'a leaf imports leaves only'
  }
  if (to === toRoom) return leaves.has(to) ? undefined : 'only main.ts stands above the wiring'
  if (fromRoom === toRoom) return undefined
  const allowed = roomImports[fromRoom] ?? []
  return allowed.includes(toRoom)
    ? undefined
    : `${fromRoom} may import ${allowed.join(', ') || 'leaves only'}`
}

function textBreaks({ path, text }: Source): string[] {
  const breaks: string[] = []
  const lines = text.split('\n').length - 1
  const product = !isTest(path) && /^(contract|qr|client|server)\/src\//.test(path)
  // One catalogue of words, to be translated as one.
  if (lines > linesMax && !path.endsWith('.test.ts') && path !== 'web/src/words/words.ts')
    breaks.push(`${path}: ${lines} lines, at most ${linesMax}`)
  if (/(^|\/)(index|utils?|helpers?)\.tsx?$/.test(path)) breaks.push(`${path}: name it for what it exports`)
  if (product && path !== 'server/src/config.ts' && /\bprocess\.env\b/.test(text))
    breaks.push(`${path}: process.env is read in config.ts only`)
  if (product && path.startsWith('server/') && /\bconsole\.\w+\(/.test(text))
    breaks.push(`${path}: write to the log, or to process.stdout in main.ts`)
  if (
    product &&
    path.startsWith('server/') &&
    !path.startsWith('server/src/db/') &&
    /\bdialect\s*===/.test(text)
  )
    breaks.push(`${path}: dialects are told apart in db/ only`)
  return breaks
}

function importsOf(text: string): string[] {
  const pattern =
    /(?:^|\n)\s*(?:import|export)\s[^'"`;]*?from\s+'([^']+)'|import\('([^']+)'\)|(?:^|\n)import\s+'([^']+)'/g
  return [...text.matchAll(pattern)].map((match) => match[1] ?? match[2] ?? match[3] ?? '')
}

function isTest(path: string): boolean {
  return /\.(test|soak)\.tsx?$|(^|\/|-)testing\.ts$|\/testing\//.test(path) || path.startsWith('server/test/')
}

if (process.argv[1] === import.meta.filename) {
  const paths = globSync('{contract,qr,client,server,web,bench}/{src,test}/**/*.{ts,tsx}', { cwd: root })
  const breaks = houseRuleBreaks(
    paths.map((path) => ({
      path: path.split(sep).join('/'),
      text: readFileSync(join(root, path), 'utf8'),
    })),
  )
  for (const line of breaks) console.error(line)
  console.log(`${paths.length} files, ${breaks.length} breaks of the house rules`)
  process.exitCode = breaks.length === 0 ? 0 : 1
}
