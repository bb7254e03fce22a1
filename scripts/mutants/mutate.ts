// `npm run mutate` puts small faults into the rooms that keep promises, one at a time, and runs the
// suites that load the file until one fails. Options: `--count 100`, `--seed 1`, `--room scan` or a
// part of a path, `--seconds 90` of processor time for each fault, `--services` for suites that
// start services too. A run that was stopped goes on where it ended. Exit status 1 if a fault was
// not noticed and excused.json gives no reason.
import { spawn } from 'node:child_process'
import { appendFileSync, existsSync, globSync, mkdirSync, readFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { randomFrom } from '../../contract/src/testing/random.ts'
import { startPostgres } from '../../server/src/db/testing/postgres.ts'
import { createSqliteTemplate, migratePostgres } from '../../server/src/db/testing/templates.ts'
import { isTest } from '../house-rules.ts'
import { copyTree, type TreeCopy } from './mutated-tree.ts'
import { applyMutant, mutantsOf, type Mutant } from './mutants.ts'
import { keptRooms, type KeptRoom } from './kept-rooms.ts'
import { importGraph, loadedFiles, startsServices } from '../suites/reached-suites.ts'
import { readSources } from '../sources.ts'
import { sendSignal } from '../../server/src/processes/testing/signals.ts'

const root = join(import.meta.dirname, '..', '..')
/** Processor time of one process of a suite. */
const suiteSecondsMax = 60
/** A suite that waits for ever uses no processor. */
const suiteMsMax = 120_000

/** `by` is the suite that failed. `suites` is how many ran, of how many that load the file. */
type Outcome = { key: string; by?: string; suites: number; of: number }

/** A survivor that no suite can notice, or need not. `from` and `to` are those of `Mutant`. */
export type Excused = { file: string; from: string; to: string; reason: string }

export function readExcused(): Excused[] {
  return JSON.parse(readFileSync(join(import.meta.dirname, 'excused.json'), 'utf8'))
}

export function keyOf({ file, from, to }: Pick<Mutant, 'file' | 'from' | 'to'>): string {
  return `${file}: ${from} => ${to}`
}

/** Returns mutants of each room in turn, in an order that the seed decides. */
export function pickMutants(
  rooms: readonly Mutant[][],
  { count, seed }: { count: number; seed: number },
): Mutant[] {
  const random = randomFrom(seed)
  const shuffled = rooms.map((mutants) =>
    mutants
      .map((mutant) => ({ mutant, place: random() }))
      .toSorted((a, b) => a.place - b.place)
      .map(({ mutant }) => mutant),
  )
  const longest = Math.max(0, ...shuffled.map(({ length }) => length))
  return Array.from({ length: longest }, (_, i) => shuffled.flatMap((mutants) => mutants[i] ?? []))
    .flat()
    .slice(0, count)
}

function mutantsOfRoom({ folders }: KeptRoom, part: string): Mutant[] {
  return folders
    .flatMap((folder) => globSync(folder.endsWith('.ts') ? folder : `${folder}/**/*.ts`, { cwd: root }))
    .filter((file) => !isTest(file) && file.includes(part))
    .toSorted()
    .flatMap((file) => mutantsOf(file, readFileSync(join(root, file), 'utf8')))
}

/** Returns the suites that load a file, the nearest first. */
function suitesOf(file: string, imports: ReadonlyMap<string, readonly string[]>, room: KeptRoom): string[] {
  const near = [...imports.keys()]
    .filter((path) => path.endsWith('.test.ts') && !startsServices(path))
    .map((path) => ({ path, distance: loadedFiles(path, imports).get(file) ?? Infinity }))
    .filter(({ distance }) => distance < Infinity)
    .toSorted((a, b) => a.distance - b.distance || shared(b.path, file) - shared(a.path, file))
    .map(({ path }) => path)
  const first = room.first.filter((path) => near.includes(path))
  return [...new Set([...near.slice(0, 3), ...first, ...near])]
}

/** Returns how many folders two paths begin with in common. */
function shared(a: string, b: string): number {
  const folders = b.split('/')
  return a.split('/').findIndex((folder, i) => folder !== folders[i])
}

/** Runs a suite in a copy. Whether it passed; it ends at its first test that fails. */
async function passes(suite: string, tree: TreeCopy): Promise<boolean> {
  const preload = join(tree.folder, 'server', 'src', 'loading', 'resolve-sources.mjs')
  const args = ['--import', preload, '--test-reporter=tap', join(tree.folder, suite)]
  // A fault may make a loop endless.
  const bounded = `ulimit -t ${suiteSecondsMax} && exec "$0" "$@"`
  const child = spawn('sh', ['-c', bounded, process.execPath, ...args], {
    cwd: tree.folder,
    env: { ...process.env, TMPDIR: tree.temporary, SEED: '1' },
    stdio: ['ignore', 'pipe', 'ignore'],
    // Its own children end with it.
    detached: true,
  })
  const { pid = 0 } = child
  setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  const end = (): void => sendSignal(-pid, 'SIGKILL')
  let failed = false
  const timer = setTimeout(() => {
    failed = true
    end()
  }, suiteMsMax)
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    if (failed || !/^\s*not ok/m.test(chunk)) return
    failed = true
    end()
  })
  const status = await new Promise((resolve) => child.once('close', resolve))
  clearTimeout(timer)
  return status === 0 && !failed
}

/** Seconds of processor time of the children that ended. Undefined where the system tells none. */
function childSeconds(): number {
  if (!existsSync('/proc/self/stat')) return performance.now() / 1000
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[13]) + Number(fields[14])) / 100
}

/** Suites that passed without a fault: only these tell anything. */
const sound = new Map<string, boolean>()

async function judge(
  mutant: Mutant,
  suites: readonly string[],
  tree: TreeCopy,
  secondsMax: number,
): Promise<Outcome> {
  const text = readFileSync(join(root, mutant.file), 'utf8')
  const startedAt = childSeconds()
  let ran = 0
  tree.write(mutant.file, applyMutant(text, mutant))
  try {
    for (const suite of suites) {
      if (childSeconds() - startedAt > secondsMax) break
      ran++
      if (sound.get(suite) === false || (await passes(suite, tree))) continue
      tree.write(mutant.file, text)
      if (!sound.has(suite)) sound.set(suite, await passes(suite, tree))
      if (sound.get(suite) === true) return { key: keyOf(mutant), by: suite, suites: ran, of: suites.length }
      console.log(`  ${suite} fails without a fault too`)
      tree.write(mutant.file, applyMutant(text, mutant))
    }
  } finally {
    tree.write(mutant.file, text)
  }
  return { key: keyOf(mutant), suites: ran, of: suites.length }
}

function readOutcomes(path: string): Map<string, Outcome> {
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []
  const outcomes = lines.filter((line) => line !== '').map((line): Outcome => JSON.parse(line))
  return new Map(outcomes.map((outcome) => [outcome.key, outcome]))
}

type Options = { count: number; seed: number; room: string; secondsMax: number; services: boolean }

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      count: { type: 'string', default: '100' },
      seed: { type: 'string', default: '1' },
      room: { type: 'string', default: '' },
      seconds: { type: 'string', default: '90' },
      services: { type: 'boolean', default: false },
    },
  })
  const { count, seed, room, seconds, services } = values
  return { count: Number(count), seed: Number(seed), room, secondsMax: Number(seconds), services }
}

async function main(): Promise<void> {
  const { count, seed, room: part, secondsMax, services } = readOptions()
  const chosen = keptRooms.filter(({ name }) => name === part)
  const rooms = chosen.length > 0 ? chosen : keptRooms
  const byRoom = rooms.map((room) => mutantsOfRoom(room, chosen.length > 0 ? '' : part))
  const picked = pickMutants(byRoom, { count, seed })
  const excused = new Map(readExcused().map((one) => [keyOf(one), one.reason]))
  const imports = importGraph(readSources())
  const stateDir = join(root, 'node_modules', '.cache', 'mutants')
  mkdirSync(stateDir, { recursive: true })
  const state = join(stateDir, `seed-${seed}.jsonl`)
  const outcomes = readOutcomes(state)

  const postgres = await startPostgres()
  const template = await postgres.createDatabase()
  await migratePostgres(template)
  process.env['EVERSCAN_TEST_POSTGRES'] = postgres.url
  process.env['EVERSCAN_TEST_POSTGRES_TEMPLATE'] = template
  process.env['EVERSCAN_TEST_SQLITE_TEMPLATE'] = await createSqliteTemplate()
  const tree = copyTree(root)
  let stopped = false
  process.once('SIGINT', () => (stopped = true))
  const survivors: { mutant: Mutant; outcome: Outcome }[] = []
  let killed = 0
  let known = 0
  try {
    for (const [i, mutant] of picked.entries()) {
      if (stopped) break
      const { file, line, kind, from, to } = mutant
      const reason = excused.get(keyOf(mutant))
      console.log(`${i + 1} ${file}:${line} ${kind}\n  - ${from}\n  + ${to}`)
      if (reason !== undefined) {
        known++
        console.log(`  excused: ${reason}`)
        continue
      }
      const room = rooms[byRoom.findIndex((mutants) => mutants.includes(mutant))] as KeptRoom
      const earlier = outcomes.get(keyOf(mutant))
      const suites = [...suitesOf(file, imports, room), ...(services ? room.services : [])]
      const outcome = earlier ?? (await judge(mutant, suites, tree, secondsMax))
      if (earlier === undefined) appendFileSync(state, `${JSON.stringify(outcome)}\n`)
      if (outcome.by === undefined) survivors.push({ mutant, outcome })
      else killed++
      const ran = `${outcome.suites} of ${outcome.of} suites`
      console.log(outcome.by === undefined ? `  SURVIVED ${ran}` : `  killed by ${outcome.by} (${ran})`)
    }
  } finally {
    tree.remove()
    await postgres.remove()
  }
  for (const { mutant, outcome } of survivors)
    console.log(
      `survived ${outcome.suites} of ${outcome.of} suites: ${mutant.file}:${mutant.line} ${mutant.from} => ${mutant.to}`,
    )
  console.log(
    `${killed + known + survivors.length} mutants, ${killed} killed, ${known} excused, ${survivors.length} survived`,
  )
  process.exitCode = survivors.length === 0 ? 0 : 1
}

if (process.argv[1] === import.meta.filename) await main()
