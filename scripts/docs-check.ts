// Checks the documents: links and their anchors, commands and their options, scripts, settings, and
// figures that the contract has. `npm run check` runs it.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { codeType, qrCodeTypes } from '../contract/src/code-types/code-types.ts'
import { errorCodes } from '../contract/src/schema/errors.ts'
import { addressOf, guideFiles } from '../server/src/api/guide/guide-pages.ts'
import { allTokens, anchorsOf, parseMarkdown } from '../server/src/api/guide/markdown.ts'
import { commands, findAction, findCommand } from '../server/src/commands/commands.ts'
import { commonOptions } from '../server/src/commands/command.ts'
import { settings } from '../server/src/settings/settings.ts'
import { errorMessage } from '../server/src/errors.ts'
import { guideLinks } from '../web/src/ui/guide-links.ts'
import { factOf } from './guide-parts.ts'
import { readSources } from './sources.ts'

const root = join(import.meta.dirname, '..')

/** Documents that describe this version. Decision records and the changelog describe others. */
const current = ['*.md', 'client/README.md', 'integrations/*/README.md', 'docs/*.md', 'docs/guide/*.md']
const historical = ['docs/adr/*.md']
const changelog = 'CHANGELOG.md'

/** Names in the form of a setting that are none: of samples, tests, builds and other programs. */
const otherNames = new Set([
  'BUILD_BASE',
  'EVERSCAN_API_KEY',
  'EVERSCAN_TEST_SCAN_STORE',
  'EVERSCAN_URL',
  'EVERSCAN_WEBHOOK_SECRET',
  'INSTALL_OPTIONS',
  'NODE_ENV',
  'SKIP_INSTALL',
])

/** The rest of the repository, as far as documents name it. */
export type Surroundings = {
  /** Returns the text of a file, `''` for a folder, and undefined if there is neither. */
  read: (path: string) => string | undefined
  /** Scripts by the folder of their package.json; the root is `''`. */
  scripts: ReadonlyMap<string, ReadonlySet<string>>
  /** Paths of all sources. */
  sources: readonly string[]
}

/** Returns every problem of a document that describes this version, as lines. */
export async function docProblems(path: string, text: string, around: Surroundings): Promise<string[]> {
  const code = codeOf(text)
  return [
    ...linkProblems(path, text, around),
    ...(await commandProblems(code)),
    ...scriptProblems(code, around),
    ...settingProblems(text),
    ...factProblems(text),
    ...pathProblems(code, around),
    ...columnProblems(path, text),
  ]
}

/** README is read in terminals, too. */
const readmeColumns = 100

/** Returns every line of README that is too long. */
export function columnProblems(path: string, text: string): string[] {
  if (path !== 'README.md') return []
  return text
    .split('\n')
    .flatMap((line, index) =>
      line.length > readmeColumns
        ? [`line ${index + 1}: has ${line.length} columns, at most ${readmeColumns}`]
        : [],
    )
}

/** Returns every link that leads nowhere. Addresses on the web are only parsed, not requested. */
export function linkProblems(path: string, text: string, { read }: Surroundings): string[] {
  const targets = allTokens(parseMarkdown(text)).flatMap((token) =>
    // An address that is only written out, such as one of an example, is no link of ours.
    (token.type === 'link' || token.type === 'image') && token.raw !== token.href ? [String(token.href)] : [],
  )
  return targets.flatMap((target) => {
    if (/^[a-z]+:/i.test(target))
      return URL.canParse(target) && /^(https?|mailto):/.test(target) ? [] : [`${target}: is not an address`]
    const [file = '', anchor] = target.split('#')
    const full = file === '' ? path : posix.join(posix.dirname(path), file)
    const found = file === '' ? text : read(full)
    if (found === undefined) return [`${target}: does not exist`]
    if (anchor === undefined) return []
    const anchors = [...anchorsOf(parseMarkdown(found)).values()]
    return anchors.includes(anchor) ? [] : [`${target}: has no such heading`]
  })
}

/** Returns the code in a text: blocks, in which continued lines are joined, and spans. */
function codeOf(text: string): string[] {
  return allTokens(parseMarkdown(text)).flatMap((token) => {
    if (token.type === 'code' && 'text' in token)
      return String(token.text).replaceAll('\\\n', ' ').split('\n')
    return token.type === 'codespan' && 'text' in token ? [String(token.text).replaceAll('\n', ' ')] : []
  })
}

/** `./everscan users reset --help | less`, also with another path and behind settings. */
async function commandProblems(code: readonly string[]): Promise<string[]> {
  const problems: string[] = []
  for (const line of code) {
    for (const [, rest = ''] of line.matchAll(/(?:^|\s)(?:\.|\/[\w/.-]*)\/everscan((?: +[^\s|;&#>]+)*)/g)) {
      const words = rest.replace(/[.,:]$/, '').trim()
      const problem = await commandProblem(words === '' ? [] : words.split(/\s+/))
      if (problem !== undefined) problems.push(`./everscan${rest}: ${problem}`)
    }
  }
  return problems
}

async function commandProblem(words: readonly string[]): Promise<string | undefined> {
  const [name, verb] = words
  if (name === undefined || name === 'COMMAND') return undefined
  try {
    // A command with several actions may be named as a whole: `./everscan users`.
    const isWhole = verb === undefined || verb === '--help'
    const found = isWhole ? findCommand(name) : await findAction(words)
    if (!('action' in found)) return undefined
    const { action, rest } = found
    const known = [...commonOptions, ...(action.options ?? [])].map((option) => `--${option.name}`)
    const given = rest.filter((word) => word.startsWith('--')).map((word) => word.replace(/=.*/, ''))
    const unknown = given.find((word) => !known.includes(word))
    return unknown === undefined ? undefined : `has no option ${unknown}`
  } catch (error) {
    return errorMessage(error)
  }
}

function scriptProblems(code: readonly string[], { scripts }: Surroundings): string[] {
  return code.flatMap((line) =>
    [...line.matchAll(/\bnpm run ([\w:-]+)(?: --workspace[ =](\w+))?/g)].flatMap(
      ([whole, name = '', workspace = '']) =>
        scripts.get(workspace)?.has(name) === true ? [] : [`${whole}: there is no such script`],
    ),
  )
}

/**
 * Paths of sources, from the root or from any folder below it. `<type>` stands for any name, and so
 * does `*`.
 */
function pathProblems(code: readonly string[], { sources }: Surroundings): string[] {
  const named = code.filter((span) => /^[\w<>*.-]+(?:\/[\w<>*.-]+)+\.(?:tsx?|mjs)$/.test(span))
  return named.flatMap((span) => {
    const name = span.replaceAll('.', String.raw`\.`).replaceAll(/<\w+>|\*/g, '[^/]+')
    const pattern = new RegExp(`(?:^|/)${name}$`)
    return sources.some((path) => pattern.test(path)) ? [] : [`${span}: there is no such source`]
  })
}

/** Spans such as `DATA_DIR` or `PORT=8080`, and settings before a command. */
function settingProblems(text: string): string[] {
  const tokens = allTokens(parseMarkdown(text))
  const names = tokens.flatMap((token) => {
    if (token.type === 'codespan' && 'text' in token) {
      const [, name] = /^([A-Z][A-Z\d]*(?:_[A-Z\d]+)+)(?:=.*)?$/.exec(String(token.text)) ?? []
      return name ?? []
    }
    if (token.type !== 'code' || !('text' in token)) return []
    return [...String(token.text).matchAll(/(?:^|\s)([A-Z][A-Z\d]*(?:_[A-Z\d]+)+)=/g)].map(
      ([, name = '']) => name,
    )
  })
  return [...new Set(names)]
    .filter((name) => !settingNames.has(name) && !otherNames.has(name) && !(name in errorCodes))
    .map((name) => `${name}: is no setting`)
}

const settingNames: ReadonlySet<string> = new Set(
  Object.values(settings).flatMap(({ name, isSecret }) => (isSecret ? [name, `${name}_FILE`] : [name])),
)

/** `10,000<!-- =limits.importRowsMax -->` */
function factProblems(text: string): string[] {
  const facts = [...text.matchAll(/(\d[\d,]*(?:\.\d+)?(?: mm)?)?<!-- =(\S+) -->/g)]
  return facts.flatMap(([, stated = 'nothing', name = '']) => {
    const fact = factOf(name)
    if (fact === undefined) return [`${name}: is no figure of scripts/guide-parts.ts`]
    return fact === stated ? [] : [`${name}: is ${fact}, the page says ${stated}`]
  })
}

/** Returns every type and field that the page of the types lacks or invents. */
export function typePageProblems(page: string): string[] {
  const sections = new Map(page.split(/^## /m).map((section) => [section.split('\n')[0] ?? '', section]))
  return qrCodeTypes.flatMap((type) => {
    const [, stated] = /^Fields: ([^]*?)\n\n/m.exec(sections.get(type) ?? '') ?? []
    if (stated === undefined) return [`${type}: has no section that begins with its fields`]
    const named = new Set([...stated.matchAll(/`([\w]+)`/g)].map(([, name = '']) => name))
    const fields = fieldNames(codeType(type).schema)
    return [
      ...[...fields.keys()].filter((name) => !named.has(name)).map((name) => `${type}.${name}: is missing`),
      ...[...named]
        .filter((name) => !fields.has(name) && !fields.values().some((values) => values.includes(name)))
        .map((name) => `${type}.${name}: does not exist`),
    ]
  })
}

type Schema = {
  properties?: Readonly<Record<string, Schema>>
  items?: Schema
  enum?: readonly string[]
  anyOf?: readonly { const?: string }[]
}

/** Returns the names of all fields with their permitted words. */
function fieldNames({ properties, items }: Schema): ReadonlyMap<string, readonly string[]> {
  const own = Object.entries(properties ?? {}).flatMap(([name, schema]): [string, readonly string[]][] => [
    [
      name,
      [
        ...(schema.enum ?? []),
        ...(schema.anyOf ?? []).flatMap((one) => one.const ?? []),
        ...examplesOf(schema),
      ],
    ],
    ...fieldNames(schema),
  ])
  return new Map([...own, ...(items === undefined ? [] : fieldNames(items))])
}

function examplesOf(schema: Schema): string[] {
  return 'examples' in schema && Array.isArray(schema.examples) ? schema.examples.map(String) : []
}

/** Returns every link of the dashboard to a page or a heading that the guide does not have. */
export function guideLinkProblems(links: readonly string[], read: Surroundings['read']): string[] {
  return links.flatMap((link) => {
    const [address = '', anchor] = link.split('#')
    const file = guideFiles.find(({ slug }) => addressOf(slug) === address)
    const text = file && read(`docs/${file.path}`)
    if (text === undefined) return [`${link}: is no page of the guide`]
    if (anchor === undefined) return []
    const anchors = [...anchorsOf(parseMarkdown(text)).values()]
    return anchors.includes(anchor) ? [] : [`${link}: has no such heading`]
  })
}

/** The guide has exactly the pages of its menu. */
function menuProblems(paths: readonly string[]): string[] {
  const listed = guideFiles.map(({ path }) => `docs/${path}`)
  return [
    ...paths
      .filter((path) => path.startsWith('docs/guide/') && !listed.includes(path))
      .map((path) => `${path}: is not in server/src/api/guide/guide-pages.ts`),
    ...listed.filter((path) => !paths.includes(path)).map((path) => `${path}: does not exist`),
  ]
}

function readScripts(): Surroundings['scripts'] {
  const folders = ['', ...globSync('*/package.json', { cwd: root }).map((path) => posix.dirname(path))]
  return new Map(
    folders.map((folder) => {
      const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as {
        scripts?: Readonly<Record<string, string>>
      }
      return [folder, new Set(Object.keys(manifest.scripts ?? {}))]
    }),
  )
}

function readFile(path: string): string | undefined {
  const full = join(root, path)
  if (!existsSync(full)) return undefined
  return path.endsWith('.md') ? readFileSync(full, 'utf8') : ''
}

if (process.argv[1] === import.meta.filename) {
  const sources = [...readSources().map(({ path }) => path), ...globSync('*/*.ts', { cwd: root })]
  const around: Surroundings = { read: readFile, scripts: readScripts(), sources }
  const paths = globSync(current, { cwd: root }).filter((path) => path !== changelog)
  const problems = menuProblems(paths)
  for (const path of paths)
    for (const problem of await docProblems(path, readFile(path) ?? '', around))
      problems.push(`${path}: ${problem}`)
  const old = [changelog, ...globSync(historical, { cwd: root })]
  for (const path of old)
    problems.push(...linkProblems(path, readFile(path) ?? '', around).map((line) => `${path}: ${line}`))
  problems.push(...guideLinkProblems(Object.values(guideLinks), readFile))
  const typesPage = 'docs/guide/types.md'
  problems.push(...typePageProblems(readFile(typesPage) ?? '').map((line) => `${typesPage}: ${line}`))
  for (const line of problems) console.error(line)
  console.log(
    `${paths.length + old.length} documents, ${commands.length} commands, ${problems.length} problems`,
  )
  process.exitCode = problems.length === 0 ? 0 : 1
}
