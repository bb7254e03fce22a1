import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countVerdicts, securityPageProblems } from './security-page.ts'

const files: Readonly<Record<string, string>> = {
  'server/src/a.test.ts': "test('429: a key\\'s rate', () => {})",
  'docs/operations.md': '# Operations\n\n## Keys & copies\n',
}
const numbers = ['1.1.1', '1.1.2', '2.1.10']
const counts = (covered: number, partly: number, notApplicable: number) =>
  [
    ['Covered', covered],
    ['Partly', partly],
    ['Not met', 0],
    ['Not tested', 0],
    ['Not applicable', notApplicable],
  ].map(([verdict, count]) => `| ${verdict} | ${count} | what it means |`)

const rows = [
  '| 1.1.1 | the rate of keys | Covered: `server/src/a.test.ts` "429: a key\'s rate" |',
  '| 1.1.2 | a document on keys | Covered: [Keys](operations.md#keys--copies), [own](#own-words) |',
  '| 2.1.10 | templates that users write | Not applicable: there are none |',
]
const problemsOf = (tables: readonly string[], stated = counts(2, 0, 1)): string[] =>
  securityPageProblems(['## Own words', ...stated, ...tables].join('\n'), {
    numbers,
    read: (path) => files[path],
  })

/** The rows with another first one. */
const withFirst = (row: string, stated?: string[]): string[] => problemsOf([row, ...rows.slice(1)], stated)

const covered = (by: string): string[] => withFirst(`| 1.1.1 | the rate of keys | Covered: ${by} |`)
const asks = (text: string): string[] => withFirst(`| 1.1.1 | ${text} | Covered: \`server/src/a.test.ts\` |`)

test('a page with every requirement and its evidence has no problem', () => {
  assert.deepEqual(problemsOf(rows), [])
  assert.equal(countVerdicts(rows.join('\n')).Covered, 2)
})

test('every requirement has one row, and every row is a requirement', () => {
  assert.deepEqual(problemsOf(rows.slice(0, 2), counts(2, 0, 0)), ['2.1.10: has no row'])
  assert.deepEqual(problemsOf([...rows, rows[2] ?? ''], counts(2, 0, 2)), ['2.1.10: has two rows'])
  const other = '| 9.9.9 | what nobody asked for | Partly: this |'
  assert.deepEqual(problemsOf([...rows, other], counts(2, 1, 1)), ['9.9.9: is no requirement'])
})

test('a verdict is one of five and has a reason; covered needs evidence', () => {
  const row = (rest: string) => withFirst(`| 1.1.1 | the rate of keys | ${rest} |`, counts(1, 0, 1))
  assert.match(
    row('Done: yes')[0] ?? '',
    /^1\.1\.1: the verdict must be one of Covered, Partly, .* got "Done"$/,
  )
  assert.deepEqual(withFirst('| 1.1.1 | the rate of keys | Partly |', counts(1, 1, 1)), [
    '1.1.1: has no reason after its verdict',
  ])
  assert.deepEqual(withFirst('| 1.1.1 | the rate of keys | Covered: of course |'), [
    '1.1.1: is covered by no test or section',
  ])
  assert.deepEqual(withFirst('| 1.1.1 | the rate of keys | Covered: `docs/operations.md` |'), [
    '1.1.1: is covered by no test or section',
  ])
})

test('files, titles and sections exist', () => {
  assert.deepEqual(covered('`server/src/b.test.ts`'), ['server/src/b.test.ts: does not exist'])
  assert.deepEqual(covered('`server/src/a.test.ts` "429: a network"'), [
    'server/src/a.test.ts: has nothing titled "429: a network"',
  ])
  assert.deepEqual(covered('[Keys](operations.md#locks)'), ['operations.md#locks: has no such section'])
  assert.deepEqual(covered('[Keys](keys.md)'), ['keys.md: does not exist'])
  assert.deepEqual(problemsOf([...rows, 'Prose about `server/src/c.ts`.']), [
    'server/src/c.ts: does not exist',
  ])
})

test('a row is short, and says in a few words what is asked', () => {
  assert.deepEqual(asks('too short'), ['1.1.1: 2 words, 3 to 12'])
  assert.deepEqual(asks('word '.repeat(13).trim()), ['1.1.1: 13 words, 3 to 12'])
  assert.match(asks(`the rate ${'of'.repeat(200)}`)[0] ?? '', /^1\.1\.1: \d+ characters, at most 260$/)
})

test('the counts that the page states are those of its rows, each once', () => {
  assert.deepEqual(problemsOf(rows, counts(3, 0, 1)), [
    'the page must state once that 2 requirements are "Covered", it states 3',
  ])
  assert.deepEqual(problemsOf(rows, counts(2, 0, 1).slice(1)), [
    'the page must state once that 2 requirements are "Covered", it states nothing',
  ])
  assert.equal(problemsOf(rows, [...counts(2, 0, 1), ...counts(2, 0, 1).slice(0, 1)]).length, 1)
})
