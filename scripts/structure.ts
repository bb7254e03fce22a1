// `node scripts/structure.ts` prints figures of the sources. `node scripts/structure.ts REVISION`
// also prints those of a commit beside them, and the lines of each room; `--rooms` prints the lines
// without a commit. `npm run check` prints the figures, and fails if one exceeds its bound.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { subRoomImports } from './rooms.ts'
import { importCycles, readSources, type Source } from './sources.ts'

const root = join(import.meta.dirname, '..')
const commentColumnsMax = 100
/** A function is a screen. */
const screenLines = 60

export type StructureFigures = {
  files: number
  fullestFolder: number
  cycles: number
  /** Lines of a file, without tests. */
  fileMedian: number
  fileP90: number
  /** Lines of a function, without tests. */
  functionMedian: number
  functionP90: number
  functionLongest: number
  /** Functions longer than a screen of 60 lines. */
  longServer: number
  longWeb: number
  /** Files directly in `server/src`, without tests. */
  looseServer: number
  /** Files of the wiring. */
  appFiles: number
  /** Lines of the client that are written by hand. */
  clientLines: number
  /** Regular expressions that read a sentence of ours, to translate it. */
  readSentences: number
  /** Files that name a dimension of analytics. */
  dimensionFiles: number
  /** Files of the server that say until when somebody holds a piece of work. */
  leaseClaims: number
  /** Lines of all sources, without tests. */
  lines: number
  commentBlocks: number
  /** Comment lines beyond column 100. */
  wideComments: number
  /** Comments that begin with a clause as their subject. */
  whatComments: number
}

const names: Readonly<Record<keyof StructureFigures, string>> = {
  files: 'Files',
  fullestFolder: 'Files in the largest folder',
  cycles: 'Import cycles, including types',
  fileMedian: 'Lines of a file, median',
  fileP90: 'Lines of a file, ninetieth percentile',
  functionMedian: 'Lines of a function, median',
  functionP90: 'Lines of a function, ninetieth percentile',
  functionLongest: 'Lines of the longest function',
  longServer: `Functions of the server over ${screenLines} lines`,
  longWeb: `Functions of the dashboard over ${screenLines} lines`,
  looseServer: 'Files directly in server/src',
  appFiles: 'Files of the wiring',
  clientLines: 'Lines of the client, written by hand',
  readSentences: 'Regular expressions over our own sentences',
  dimensionFiles: 'Files that name a dimension',
  leaseClaims: 'Claims of leases',
  lines: 'Lines of all sources',
  commentBlocks: 'Comments',
  wideComments: `Comment lines over ${commentColumnsMax} columns`,
  whatComments: 'Comments that begin with "What", "Who" or "Where"',
}

/** The maximum values that `npm run check` allows. */
const bounds: Partial<StructureFigures> = {
  fullestFolder: 40,
  cycles: 0,
  longServer: 0,
  longWeb: 10,
  looseServer: 15,
  readSentences: 0,
  dimensionFiles: 12,
  leaseClaims: 1,
  clientLines: 1_700,
  wideComments: 0,
  whatComments: 0,
}

export function structureOf(sources: readonly Source[]): StructureFigures {
  const product = sources.filter(isProduct)
  const files = product.map(({ text }) => text.split('\n').length - 1).sort(byNumber)
  const functions = product.flatMap(({ text }) => functionLengths(text)).sort(byNumber)
  const comments = sources.flatMap(({ text }) => commentsOf(text))
  const folders = [...Map.groupBy(sources, ({ path }) => dirname(path)).values()]
  return {
    files: sources.length,
    fullestFolder: Math.max(...folders.map(({ length }) => length)),
    cycles: importCycles(sources).length,
    fileMedian: percentile(files, 0.5),
    fileP90: percentile(files, 0.9),
    functionMedian: percentile(functions, 0.5),
    functionP90: percentile(functions, 0.9),
    functionLongest: functions.at(-1) ?? 0,
    longServer: longIn(product, 'server/src/'),
    longWeb: longIn(product, 'web/src/'),
    looseServer: product.filter(({ path }) => /^server\/src\/[^/]+$/.test(path)).length,
    appFiles: product.filter(({ path }) => path.startsWith('server/src/app/')).length,
    clientLines: linesIn(product.filter(({ path }) => /^client\/src\/(?!calls\/)/.test(path))),
    readSentences: product
      .filter(({ path }) => path.startsWith('web/src/'))
      .reduce((sum, { text }) => sum + (text.match(sentencePattern)?.length ?? 0), 0),
    dimensionFiles: product.filter(namesDimensions).length,
    leaseClaims: product.filter(({ path, text }) => path.startsWith('server/src/') && claimPattern.test(text))
      .length,
    lines: linesIn(product),
    commentBlocks: comments.length,
    wideComments: comments.flat().filter((line) => line.length > commentColumnsMax).length,
    whatComments: comments.filter(([first = '']) => /^\W*(What|Who|Whose|Where)\b/.test(first)).length,
  }
}

/** A regular expression that begins at the start of a text, and has words. */
const sentencePattern = /(?<=[[(,\s])\/(?:\^| )(?:\(\?:|")?[A-Za-z".*+]+ [^\n]*?\/s?(?=[,.)])/g

/** The end of a lease that is computed or set: `nowMs + leaseMs`, `lease_until_ms: untilMs`. */
const claimPattern =
  /\+ (?:\d \* )?(?:\$\{)?(?:sql\.lit\()?leaseMs\b(?! \/)|leased?_until_ms: (?:now|until|clock|leased)/

function isProduct({ path }: Source): boolean {
  return !/\.(test|soak)\.tsx?$|\/testing\/|^server\/test\//.test(path)
}

/** Returns the lines of each room without its tests. A sub-room that `rooms.ts` names is one. */
export function linesByRoom(sources: readonly Source[]): Map<string, number> {
  const rooms = Map.groupBy(sources.filter(isProduct), ({ path }) => roomOf(path))
  return new Map(
    [...rooms].sort(([a], [b]) => (a < b ? -1 : 1)).map(([room, files]) => [room, linesIn(files)]),
  )
}

function roomOf(path: string): string {
  const [workspace = '', ...folders] = dirname(path).split('/')
  const [room, subRoom] = folders[0] === 'src' ? folders.slice(1) : folders
  if (room === undefined) return workspace
  const isSubRoom = subRoom !== undefined && subRoom in (subRoomImports[`${workspace}/${room}`] ?? {})
  return [workspace, room, ...(isSubRoom ? [subRoom] : [])].join('/')
}

/**
 * Whether a file names dimensions: a place, a device, and one of the two names that only analytics
 * has. Files of words count, one for each language. What describes a visitor (rules, visitors), or
 * every field of a recorded hit (its coordinates, or why it is a bot), names no dimension.
 */
function namesDimensions({ path, text }: Source): boolean {
  if (/^(scripts|bench)\/|\/(rules|visitors)\//.test(path) || /\b(latitude|botReason)\b/.test(text))
    return false
  const code = text
    .replaceAll(/\/\*[^]*?\*\/|\/\/.*/g, '')
    .replaceAll(/'(?:[^'\\\n]|\\.)*'/g, (quoted) => (/^'\w+'$/.test(quoted) ? quoted : ''))
  const hasName = (words: string) =>
    new RegExp(`['.](?:${words})\\b|\\b(?:${words})(?=[,:?)']| [}])`).test(code)
  const device = 'deviceTypes?|device_type'
  return (
    hasName('countr(?:y|ies)|regions?|cit(?:y|ies)') &&
    hasName(`${device}|os|browsers?`) &&
    hasName(`${device}|referrers?`)
  )
}

function longIn(sources: readonly Source[], folder: string): number {
  return sources
    .filter(({ path }) => path.startsWith(folder))
    .flatMap(({ text }) => functionLengths(text))
    .filter((lines) => lines > screenLines).length
}

function linesIn(sources: readonly Source[]): number {
  return sources.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0)
}

/**
 * Returns the lines of each function with a multi-line body. The code is formatted, so a function
 * ends where its indentation returns.
 */
export function functionLengths(text: string): number[] {
  const lines = text.split('\n')
  const begins =
    /^(\s*)(?:(?:export |default |async |static |private |get |set )*(?:function\b.*|#?\w+\(.*|(?:const|let) \w+.*=>.*)|.*\bconstructor\(.*)$/
  return lines.flatMap((line, at) => {
    const indent = begins.exec(line)?.[1]
    if (indent === undefined || /^\s*(if|for|while|switch|return|await|throw)\b/.test(line)) return []
    const opens = endOfHead(lines, at)
    if (opens === undefined || !opensBody(lines.slice(at, opens + 1).join(' '))) return []
    const end = lines.findIndex((one, i) => i > opens && one.startsWith(`${indent}}`))
    return end < 0 ? [] : [end - at + 1]
  })
}

/**
 * Returns the line on which a statement opens a body: the first that ends with a brace while all
 * other brackets are closed. Undefined if the statement ends before.
 */
function endOfHead(lines: readonly string[], at: number): number | undefined {
  let depth = 0
  for (const [i, line] of lines.slice(at).entries()) {
    for (const char of line) depth += '([{'.includes(char) ? 1 : ')]}'.includes(char) ? -1 : 0
    if (depth === 1 && line.endsWith('{')) return at + i
    if (depth <= 0) return undefined
  }
  return undefined
}

/**
 * Whether a head is `function a(b: B): C {`, `a(b: B): C {` or `const a = (b: B): C => {` on any
 * number of lines, and not a call, type or object.
 */
function opensBody(head: string): boolean {
  if (/=>\s*\{$/.test(head)) return /^\s*(?:export )?(?:const|let) \w+(?:: [^=]*)? = (?:async )?\(/.test(head)
  return /\)(?::.*)?\s*\{$/.test(head) && !/=\s*\{$/.test(head)
}

/** Returns the lines of each comment. A comment is a block or consecutive lines. */
export function commentsOf(text: string): string[][] {
  const comments: string[][] = []
  let open: string[] | undefined
  for (const line of text.split('\n')) {
    const isLine = /^\s*\/\//.test(line)
    const isBlock = open?.[0]?.includes('/*') === true && !open.at(-1)?.includes('*/')
    if (isBlock || (isLine && open !== undefined)) open?.push(line)
    else if (isLine || /^\s*\{?\/\*/.test(line)) comments.push((open = [line]))
    else open = undefined
    if (open?.[0]?.includes('/*') && line.includes('*/')) open = undefined
  }
  return comments
}

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.floor((sorted.length - 1) * share)] ?? 0
}

function byNumber(a: number, b: number): number {
  return a - b
}

/** Returns the sources of a commit. */
function sourcesAt(revision: string): Source[] {
  const folder = mkdtempSync(join(tmpdir(), 'everscan-structure-'))
  try {
    const tar = execFileSync('git', ['archive', revision], { cwd: root, maxBuffer: 2 ** 30 })
    execFileSync('tar', ['-x', '-C', folder], { input: tar })
    return readSources(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Returns a line with the figures of a row: those of the commit, if there is one, and of now. */
function rowOf(name: string, now: number, before: number | undefined): string {
  const figures = [...(before === undefined ? [] : [before]), now]
  return `${figures.map((figure) => String(figure).padStart(8)).join('')}  ${name}`
}

function printFigures(now: StructureFigures, before: StructureFigures | undefined): void {
  for (const key of Object.keys(names) as (keyof StructureFigures)[]) {
    const bound = bounds[key]
    const isExceeded = bound !== undefined && now[key] > bound
    if (isExceeded) process.exitCode = 1
    console.log(`${rowOf(names[key], now[key], before?.[key])}${isExceeded ? `: at most ${bound}` : ''}`)
  }
}

function printRooms(now: readonly Source[], before: readonly Source[] | undefined): void {
  const lines = linesByRoom(now)
  const linesBefore = before && linesByRoom(before)
  console.log('\nLines by room')
  for (const room of [...new Set([...lines.keys(), ...(linesBefore?.keys() ?? [])])].sort())
    console.log(rowOf(room, lines.get(room) ?? 0, linesBefore && (linesBefore.get(room) ?? 0)))
}

if (process.argv[1] === import.meta.filename) {
  const words = process.argv.slice(2)
  const revision = words.find((word) => word !== '--rooms')
  const now = readSources()
  const before = revision === undefined ? undefined : sourcesAt(revision)
  printFigures(structureOf(now), before && structureOf(before))
  if (words.length > 0) printRooms(now, before)
}
