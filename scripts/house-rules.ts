// Who may import whom, where process.env and console may be used, and how large a file or folder may be: ARCHITECTURE.md, checked.
import { dirname } from 'node:path'
import { readLock, readManifests, unacceptedLicences, undeclaredPackages } from './packages.ts'
import { roomImports, serverLeaves, subRoomImports, workspaceImports } from './rooms.ts'
import { importCycles, importsOf, readSources, targetOf, type Source } from './sources.ts'

const linesMax = 400
const filesMax = 40

/** Every break of a house rule, as a line that says what to change. */
export function houseRuleBreaks(sources: readonly Source[]): string[] {
  return [
    ...sources.flatMap((source) => [...importBreaks(source), ...textBreaks(source)]),
    ...importCycles(sources).map(
      (group) => `${group[0]}: imports itself by way of ${group.slice(1).join(', ')}`,
    ),
    ...folderBreaks(sources),
  ]
}

function importBreaks({ path, text }: Source): string[] {
  return importsOf(text).flatMap((specifier) => {
    const why = importBreak(path, specifier)
    return why === undefined ? [] : [`${path}: imports ${specifier}: ${why}`]
  })
}

function importBreak(path: string, specifier: string): string | undefined {
  const target = targetOf(path, specifier)
  // Data imports nothing.
  if (target === undefined || target.endsWith('.json')) return undefined
  const [workspace = ''] = path.split('/')
  // Tools build and look at everything.
  if (workspace === 'scripts') return undefined
  const [other = ''] = target.split('/')
  const byName = specifier.startsWith('@')
  if (other !== workspace) {
    if (!byName) return 'other workspaces are imported by name'
    // Black-box suites use the service as a client does.
    const own = isTest(path) && workspace === 'server' ? ['client'] : []
    return notAmong(other, workspace, [...(workspaceImports[workspace] ?? []), ...own])
  }
  if (byName) return undefined
  if (!/\.(ts|tsx|mjs|css)$/.test(specifier)) return 'write the file name with its ending'
  return isTest(path) ? undefined : roomBreak(workspace, placeOf(path), placeOf(target))
}

/** The folders of a file below `src`, and its name. */
type Place = { room: string; subRoom: string; name: string }

function placeOf(path: string): Place {
  const folders = path.split('/').slice(2)
  const name = folders.pop() ?? ''
  const [room = '', subRoom = ''] = folders
  return { room, subRoom, name }
}

function roomBreak(workspace: string, from: Place, to: Place): string | undefined {
  if (workspace === 'server') {
    // The wiring builds the parts and passes them on; main.ts stands above it.
    if (from.room === 'app' || /^main\.(ts|mjs)$/.test(from.name)) return undefined
    const toLeaf = to.room === '' && serverLeaves.has(to.name)
    if (from.room === '') return toLeaf ? undefined : 'a leaf imports leaves only'
    if (to.room === '') return toLeaf ? undefined : 'only main.ts stands above the wiring'
  }
  if (from.room === '' || to.room === '') return undefined
  if (from.room !== to.room) return notAmong(to.room, from.room, roomImports[workspace]?.[from.room] ?? [])
  if (from.subRoom === '' || to.subRoom === '' || from.subRoom === to.subRoom) return undefined
  const allowed = subRoomImports[`${workspace}/${from.room}`]?.[from.subRoom] ?? []
  return notAmong(to.subRoom, `${from.room}/${from.subRoom}`, allowed)
}

function notAmong(wanted: string, importer: string, allowed: readonly string[]): string | undefined {
  return allowed.includes(wanted)
    ? undefined
    : `${importer} may import ${allowed.join(', ') || 'nothing beside it'}`
}

function textBreaks({ path, text }: Source): string[] {
  const breaks: string[] = []
  const lines = text.split('\n').length - 1
  const product = !isTest(path) && /^(contract|qr|pages|client|server)\/src\//.test(path)
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

function folderBreaks(sources: readonly Source[]): string[] {
  const folders = Map.groupBy(sources, ({ path }) => dirname(path))
  return [...folders].flatMap(([folder, files]) =>
    files.length > filesMax ? [`${folder}: ${files.length} files, at most ${filesMax}; give them rooms`] : [],
  )
}

/** Tests, and what only tests use. */
export function isTest(path: string): boolean {
  return /\.(test|soak)\.tsx?$|\/testing\//.test(path) || path.startsWith('server/test/')
}

if (process.argv[1] === import.meta.filename) {
  const sources = readSources()
  const breaks = [
    ...houseRuleBreaks(sources),
    ...undeclaredPackages(sources, readManifests()),
    ...unacceptedLicences(readLock()),
  ]
  for (const line of breaks) console.error(line)
  console.log(`${sources.length} files, ${breaks.length} breaks of the house rules`)
  process.exitCode = breaks.length === 0 ? 0 : 1
}
