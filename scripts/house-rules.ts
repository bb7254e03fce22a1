// Checks the rules of ARCHITECTURE.md: permitted imports, where process.env and console may be
// used, and the maximum size of files and folders.
import { dirname } from 'node:path'
import {
  readLock,
  readManifests,
  unacceptedLicences,
  undeclaredPackages,
  unverifiedPackages,
} from './packages.ts'
import { roomImports, serverLeaves, subRoomImports, workspaceImports } from './rooms.ts'
import { importCycles, importsOf, readSources, targetOf, type Source } from './sources.ts'

const linesMax = 400
const filesMax = 40

/** Files that spread retries over time, for which a guess is of no use. */
const randomFiles = new Set([
  'client/src/events.ts',
  'client/src/send.ts',
  'server/src/jobs/webhooks/deliver-webhooks.ts',
])

/**
 * The files that store the appearance, a code that is not created yet, until its user signs out,
 * the language, and names of columns in files. Nothing else of an organization stays on a device.
 */
const storageFiles = new Set([
  'web/src/ui/theme.ts',
  'web/src/session/kept/kept-work.ts',
  'web/src/session/kept/kept-selections.ts',
  'web/src/session/kept/kept-columns.ts',
  'web/src/words/show-language.ts',
])

/** Process id 0, which a file that is not written yet has, is the group of the test run. */
const signalsFile = 'server/src/processes/testing/signals.ts'

/** Returns every violation of a house rule, as a line that says what to change. */
export function houseRuleViolations(sources: readonly Source[]): string[] {
  return [
    ...sources.flatMap((source) => [...importViolations(source), ...textViolations(source)]),
    ...importCycles(sources).map(
      (group) => `${group[0]}: imports itself through ${group.slice(1).join(', ')}`,
    ),
    ...folderViolations(sources),
  ]
}

function importViolations({ path, text }: Source): string[] {
  return importsOf(text).flatMap((specifier) => {
    const reason = importViolation(path, specifier)
    return reason === undefined ? [] : [`${path}: imports ${specifier}: ${reason}`]
  })
}

function importViolation(path: string, specifier: string): string | undefined {
  const target = targetOf(path, specifier)
  // Data has no imports.
  if (target === undefined || target.endsWith('.json')) return undefined
  const [workspace = ''] = path.split('/')
  // Tools build and check everything.
  if (workspace === 'scripts') return undefined
  const [other = ''] = target.split('/')
  const byName = specifier.startsWith('@')
  if (other !== workspace) {
    if (!byName) return 'import other workspaces by name'
    // Black-box suites use the service through the client.
    const extra = isTest(path) && workspace === 'server' ? ['client'] : []
    return notAmong(other, workspace, [...(workspaceImports[workspace] ?? []), ...extra])
  }
  if (byName) return undefined
  if (!/\.(ts|tsx|mjs|css)$/.test(specifier)) return 'write the file name with its extension'
  return isTest(path) ? undefined : roomViolation(workspace, placeOf(path), placeOf(target))
}

/** The folders of a file below `src`, and its name. */
type Place = { room: string; subRoom: string; name: string }

function placeOf(path: string): Place {
  const folders = path.split('/').slice(2)
  const name = folders.pop() ?? ''
  const [room = '', subRoom = ''] = folders
  return { room, subRoom, name }
}

function roomViolation(workspace: string, from: Place, to: Place): string | undefined {
  if (workspace === 'server') {
    // The wiring creates the parts and connects them. main.ts is above the wiring.
    if (from.room === 'app' || /^main\.(ts|mjs)$/.test(from.name)) return undefined
    const toLeaf = to.room === 'settings' || (to.room === '' && serverLeaves.has(to.name))
    if (from.room === '') return toLeaf ? undefined : 'a leaf may import only leaves'
    if (to.room === '' || toLeaf) return toLeaf ? undefined : 'a room may import only leaves from src'
  }
  if (from.room === '' || to.room === '') return undefined
  if (from.room !== to.room) return notAmong(to.room, from.room, roomImports[workspace]?.[from.room] ?? [])
  if (from.subRoom === '' || to.subRoom === '' || from.subRoom === to.subRoom) return undefined
  const allowed = subRoomImports[`${workspace}/${from.room}`]?.[from.subRoom] ?? []
  return notAmong(to.subRoom, `${from.room}/${from.subRoom}`, allowed)
}

function notAmong(target: string, importer: string, allowed: readonly string[]): string | undefined {
  return allowed.includes(target)
    ? undefined
    : `${importer} may import only ${allowed.join(', ') || 'itself'}`
}

function textViolations({ path, text }: Source): string[] {
  const violations: string[] = []
  const lines = text.split('\n').length - 1
  const product = !isTest(path) && /^(contract|qr|pages|client|server)\/src\//.test(path)
  if (lines > linesMax && !path.endsWith('.test.ts'))
    violations.push(`${path}: ${lines} lines, at most ${linesMax}`)
  if (/(^|\/)(index|utils?|helpers?)\.tsx?$/.test(path))
    violations.push(`${path}: name it after its main export`)
  if (product && path !== 'server/src/settings/config.ts' && /\bprocess\.env\b/.test(text))
    violations.push(`${path}: only config.ts may read process.env`)
  if (product && path.startsWith('server/') && /\bconsole\.\w+\(/.test(text))
    violations.push(`${path}: write to the log, or to process.stdout in main.ts`)
  if (product && !randomFiles.has(path) && /\bMath\.random\b/.test(text))
    violations.push(`${path}: Math.random can be guessed; use node:crypto`)
  if (!product && path !== signalsFile && /\bprocess\.kill\((?!process\.pid,)/.test(text))
    violations.push(`${path}: use sendSignal and isAlive of ${signalsFile}`)
  if (
    path.startsWith('web/src/') &&
    !storageFiles.has(path) &&
    /\b(local|session)Storage\b|\bindexedDB\b/.test(text)
  )
    violations.push(`${path}: only ${[...storageFiles].join(' and ')} may store anything on the device`)
  if (product && path.startsWith('pages/') && /'node:|\b(Buffer|process)\./.test(text))
    violations.push(`${path}: a browser renders pages too, without Node`)
  if (
    product &&
    path.startsWith('server/') &&
    !path.startsWith('server/src/db/') &&
    /\bdialect\s*===/.test(text)
  )
    violations.push(`${path}: only db/ may distinguish dialects`)
  return violations
}

function folderViolations(sources: readonly Source[]): string[] {
  const folders = Map.groupBy(sources, ({ path }) => dirname(path))
  return [...folders].flatMap(([folder, files]) =>
    files.length > filesMax
      ? [`${folder}: ${files.length} files, at most ${filesMax}; split the folder into rooms`]
      : [],
  )
}

/** Whether a file is a test or only for tests. */
export function isTest(path: string): boolean {
  return /\.(test|soak)\.tsx?$|\/testing\//.test(path) || path.startsWith('server/test/')
}

if (process.argv[1] === import.meta.filename) {
  const sources = readSources()
  const violations = [
    ...houseRuleViolations(sources),
    ...undeclaredPackages(sources, readManifests()),
    ...unacceptedLicences(readLock()),
    ...unverifiedPackages(readLock()),
  ]
  for (const line of violations) console.error(line)
  console.log(`${sources.length} files, ${violations.length} violations of the house rules`)
  process.exitCode = violations.length === 0 ? 0 : 1
}
