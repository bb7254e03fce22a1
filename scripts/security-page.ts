// Checks docs/security.md: its tables have each requirement of OWASP ASVS 5.0.0 up to level 2 once,
// every verdict has its reason, every file, title and section that it names exists, and it names
// what an attacker can meet.
import { existsSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { isTest } from './house-rules.ts'
import { readSurface, surfaceProblems } from './security-surface.ts'

const root = join(import.meta.dirname, '..')
const pagePath = 'docs/security.md'
/** The numbers alone: the text of the standard is under a licence of its own. */
const numbersPath = 'scripts/asvs-5.0.0.txt'

/** Every verdict. Only the first promises something, so it needs evidence. */
export const verdicts = ['Covered', 'Partly', 'Not met', 'Not tested', 'Not applicable'] as const
export type Verdict = (typeof verdicts)[number]

const rowCharsMax = 260
const wordsMin = 3
const wordsMax = 12

/** Returns the text of a file of the repository. Undefined if there is none. */
export type ReadFile = (path: string) => string | undefined

type Row = { number: string; asks: string; verdict: string; reason: string; line: string }

/** Returns every problem of the page, as a line that says what to change. */
export function securityPageProblems(
  page: string,
  { numbers, read }: { numbers: readonly string[]; read: ReadFile },
): string[] {
  const rows = rowsOf(page)
  const found = rows.map(({ number }) => number)
  return [
    ...numbers.filter((number) => !found.includes(number)).map((number) => `${number}: has no row`),
    ...found.filter((number) => !numbers.includes(number)).map((number) => `${number}: is no requirement`),
    ...found.filter((number, at) => found.indexOf(number) !== at).map((number) => `${number}: has two rows`),
    ...rows.flatMap((row) => rowProblems(row)),
    ...evidenceOf(page).flatMap((one) => evidenceProblems(one, read)),
    ...linksOf(page).flatMap((target) => linkProblems(target, { page, read })),
    ...countProblems(page, countVerdicts(page)),
  ]
}

/** Returns how many requirements have each verdict. */
export function countVerdicts(page: string): Record<Verdict, number> {
  const rows = rowsOf(page)
  const count = (verdict: Verdict): number => rows.filter((row) => row.verdict === verdict).length
  return Object.fromEntries(verdicts.map((verdict) => [verdict, count(verdict)])) as Record<Verdict, number>
}

/** `| 1.2.3 | three to twelve words | Verdict: reason |` */
function rowsOf(page: string): Row[] {
  return page.split('\n').flatMap((line) => {
    const match = /^\| (\d+\.\d+\.\d+) +\| (.*?) +\| ([^:|]*)(?:: (.*?))? +\|$/.exec(line)
    if (match === null) return []
    const [, number = '', asks = '', verdict = '', reason = ''] = match
    return [{ number, asks, verdict, reason, line }]
  })
}

function rowProblems({ number, asks, verdict, reason, line }: Row): string[] {
  const words = asks.split(/\s+/).length
  const hasEvidence = evidenceOf(reason).some(({ path }) => isTest(path)) || linksOf(reason).length > 0
  return [
    ...(line.length > rowCharsMax ? [`${number}: ${line.length} characters, at most ${rowCharsMax}`] : []),
    ...(words < wordsMin || words > wordsMax
      ? [`${number}: ${words} words, ${wordsMin} to ${wordsMax}`]
      : []),
    ...(verdicts.some((one) => one === verdict)
      ? []
      : [`${number}: the verdict must be one of ${verdicts.join(', ')}, got "${verdict}"`]),
    ...(reason === '' ? [`${number}: has no reason after its verdict`] : []),
    ...(verdict === 'Covered' && !hasEvidence ? [`${number}: is covered by no test or section`] : []),
  ]
}

/** A file of the repository, and a text in it: the title of a test, or its beginning. */
type Evidence = { path: string; title: string | undefined }

/** `` `path/of.test.ts` "title of a test" `` */
function evidenceOf(text: string): Evidence[] {
  return [...text.matchAll(/`([\w.-]+(?:\/[\w.-]+)+)`(?: "([^"]+)")?/g)].map(([, path = '', title]) => ({
    path,
    title,
  }))
}

function evidenceProblems({ path, title }: Evidence, read: ReadFile): string[] {
  const text = read(path)
  if (text === undefined) return [`${path}: does not exist`]
  if (title === undefined || titlesOf(path, text).includes(title)) return []
  return [`${path}: has nothing titled "${title}"`]
}

/** Returns the text of a file, in which the titles of tests have no escaped quotes. */
function titlesOf(path: string, text: string): string {
  return path.endsWith('.ts') ? text.replaceAll("\\'", "'") : text
}

function linksOf(text: string): string[] {
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target)
}

/** Files are relative to the page, sections are headings as GitHub names them. */
function linkProblems(target: string, { page, read }: { page: string; read: ReadFile }): string[] {
  if (/^https?:/.test(target)) return []
  const [file = '', section] = target.split('#')
  const path = posix.join(posix.dirname(pagePath), file)
  const text = file === '' ? page : read(path)
  if (text === undefined) return [`${target}: does not exist`]
  return section === undefined || sectionsOf(text).has(section) ? [] : [`${target}: has no such section`]
}

function sectionsOf(markdown: string): ReadonlySet<string> {
  const headings = markdown.split('\n').flatMap((line) => /^#+ (.+)$/.exec(line)?.[1] ?? [])
  return new Set(
    headings.map((one) =>
      one
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )
}

/** The page states each count once, in a row `| Covered | 123 | … |`. */
function countProblems(page: string, counts: Record<Verdict, number>): string[] {
  return verdicts.flatMap((verdict) => {
    const stated = [...page.matchAll(new RegExp(`^\\| ${verdict} +\\| (\\d+) +\\|`, 'gm'))].map(
      ([, count]) => count,
    )
    const count = String(counts[verdict])
    return stated.length === 1 && stated[0] === count
      ? []
      : [
          `the page must state once that ${count} requirements are "${verdict}", it states ${stated.join(', ') || 'nothing'}`,
        ]
  })
}

function readFile(path: string): string | undefined {
  const full = join(root, path)
  return existsSync(full) ? readFileSync(full, 'utf8') : undefined
}

if (process.argv[1] === import.meta.filename) {
  const page = readFile(pagePath) ?? ''
  const numbers = (readFile(numbersPath) ?? '').trim().split(/\s+/)
  const problems = [
    ...securityPageProblems(page, { numbers, read: readFile }),
    ...surfaceProblems(page, readSurface()),
  ]
  for (const line of problems) console.error(`${pagePath}: ${line}`)
  const counts = countVerdicts(page)
  const said = verdicts.map((verdict) => `${counts[verdict]} ${verdict.toLowerCase()}`).join(', ')
  console.log(`${numbers.length} requirements of OWASP ASVS 5.0.0: ${said}; ${problems.length} problems`)
  process.exitCode = problems.length === 0 ? 0 : 1
}
