// In a process of its own: it chooses a language, which words keep.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { EverscanError } from '@everscan/client/create-client.ts'
import { fillText, type Fillable } from '@everscan/contract/problems/fill-text.ts'
import { problem } from '@everscan/contract/problems/problem.ts'
import { problems } from '@everscan/contract/problems/problems.ts'
import { setLanguage } from '../chosen-language.ts'
import { germanPages } from '../de/german-pages.ts'
import { germanStart } from '../de/german-start.ts'
import { germanProblems } from './de/german-problems.ts'
import { spanishProblems } from './es/spanish-problems.ts'
import { frenchProblems } from './fr/french-problems.ts'
import type { ProblemWords, SayOther, WithOwnValues } from './problem-wording.ts'
import { sayProblem, setProblemWords, wordsOf } from './say-problem.ts'

setLanguage({ language: 'de', locale: 'de', areas: { ...germanStart, ...germanPages } })
setProblemWords(germanProblems)
const { sayProblems } = await import('./say-problems.ts')
const { faultsOf } = await import('../../imports/repairs.ts')
const { fieldProblem, problemText } = await import('../../ui/problems.ts')

const languages = { de: germanProblems, es: spanishProblems, fr: frenchProblems }
type Text = string | ((values: never, sayOther: SayOther) => string)
type Words = Readonly<Record<string, Text>>

const sayOther = () => '⟦other⟧.'

/** Fills a text with marked values. Returns it with the names of the values that it asked for. */
function fill(text: Text): { said: string; asked: string[] } {
  const asked = new Set<string>()
  const values = new Proxy(
    {},
    {
      get: (_, name) => {
        asked.add(String(name))
        return `⟦${String(name)}⟧`
      },
      // A problem about another one takes the values that are left.
      ownKeys: () => ['last'],
      getOwnPropertyDescriptor: () => ({ configurable: true, enumerable: true }),
    },
  )
  const said = typeof text === 'string' ? fillText(text, values) : text(values as never, sayOther)
  return { said, asked: [...asked].toSorted() }
}

describe('words for problems', () => {
  test('words that are missing, or that need a value which the problem lacks, do not compile', () => {
    type Part = { tooSmall: string; empty: string }
    const whole: ProblemWords<Part> = { tooSmall: ({ min }) => String(min), empty: '' }
    // @ts-expect-error A name is missing.
    const short: ProblemWords<Part> = { empty: '' }
    // @ts-expect-error There is no such name.
    const long: ProblemWords<Part> = { tooSmall: '', empty: '', comet: '' }
    // @ts-expect-error There is no such value.
    const strange: ProblemWords<Part> = { tooSmall: ({ most }) => String(most), empty: '' }
    const text = { tooSmall: '{most}' } as const
    // @ts-expect-error There is no such value.
    const alone: WithOwnValues<typeof text> = text
    assert.ok([whole, short, long, strange, alone].every((words) => 'empty' in words || words === text))
  })

  for (const [language, words] of Object.entries<Words>(languages)) {
    test(`${language}: every problem has words, which are sentences and have no other values`, () => {
      assert.deepEqual(Object.keys(words).toSorted(), Object.keys(problems).toSorted())
      for (const [name, english] of Object.entries<Fillable>(problems)) {
        const { said, asked } = fill(words[name] ?? '')
        const known = fill(english).asked
        assert.deepEqual(
          asked.filter((value) => !known.includes(value)),
          [],
          name,
        )
        assert.doesNotMatch(said, /undefined|\S {2,}\S|^$/, name)
        assert.match(said, /^[\p{Lu}\d⟦„«¿].*[.?!⟧]$/u, name)
      }
    })

    test(`${language}: quotation marks and spaces of problems are those of the language`, () => {
      const wrong = {
        de: /[“”"«»]|'/,
        es: /[“”„"]|'/,
        fr: /[“”„"]| [:;?!»](?!\w)|« |'/,
      }[language as keyof typeof languages]
      for (const [name, text] of Object.entries(words)) {
        const { said } = fill(text)
        const shown = language === 'de' ? said.replaceAll(/„[^“]*“/g, '') : said
        assert.doesNotMatch(shown, wrong, name)
      }
    })
  }

  test('a problem is in the language of the page', () => {
    assert.equal(sayProblem(problem('tooShort', { min: 10 })), 'Mindestens 10 Zeichen.')
    assert.equal(sayProblem(problem('notAmong', { allowed: '"A", "B"', got: '"C"' })), 'Möglich sind: A, B.')
    assert.equal(
      sayProblem({ ...problem('tooShort', { min: 10 }), message: 'name: must have at least 10 characters' }),
      'Mindestens 10 Zeichen.',
    )
  })

  test('a problem without a name, or of a newer service, stays English, as a sentence', () => {
    assert.equal(sayProblem({ message: 'must be a comet' }), 'Must be a comet.')
    assert.equal(sayProblem({ problem: null, values: null, message: 'Slow down.' }), 'Slow down.')
    assert.equal(
      sayProblem({ problem: 'notComet', values: {}, message: 'must be a comet' }),
      'Must be a comet.',
    )
    assert.equal(wordsOf({ problem: 'toString' }), undefined)
  })

  test('problems of a record are told together, each after its field', () => {
    const details = [
      { path: 'name', ...problem('empty') },
      { path: 'url', problem: 'notComet', values: {}, message: 'must be a comet' },
      { path: '', ...problem('tooManyCells', { max: 3 }) },
    ]
    const whole = germanProblems.tooManyCells
    assert.equal(
      sayProblems({ message: '', details }),
      `name: Dieses Feld ist erforderlich. url: Must be a comet. ${String(whole)}`,
    )
    assert.equal(sayProblems({ message: 'name: must not be empty', details: [] }), 'Name: must not be empty.')
    assert.equal(
      sayProblems({ message: '', details: details.slice(0, 1) }, () => 'Name'),
      'Name: Dieses Feld ist erforderlich.',
    )
  })

  test('faults of a row: the cells that it has, and the row as a whole', () => {
    const row = { error: 'name: must not be empty; The row …', values: { name: '', url: 'x' } }
    const ofName = { path: 'name', ...problem('empty') }
    const required = 'Dieses Feld ist erforderlich.'
    assert.deepEqual(faultsOf({ ...row, details: [ofName] }), {
      cells: [{ column: 'name', problem: required }],
      rowProblem: undefined,
    })
    const ofRow = { path: '', ...problem('noLink') }
    assert.deepEqual(faultsOf({ ...row, details: [ofName, ofRow] }), {
      cells: [{ column: 'name', problem: required }],
      rowProblem: germanProblems.noLink,
    })
    // The cells were too long to be kept.
    assert.equal(faultsOf({ ...row, values: null, details: [ofName] }).rowProblem, `name: ${required}`)
    // A row of an earlier release.
    assert.deepEqual(faultsOf(row), { cells: [], rowProblem: 'Name: must not be empty; The row ….' })
  })

  test('a failed request is told by its problems, else by its code', () => {
    const failure = (status: number, code: EverscanError['code'], told = {}) =>
      problemText(new EverscanError('Slow down.', { status, code, ...told }))
    const details = [{ path: 'name', ...problem('tooLong', { max: 5, got: 7 }) }]
    const invalid = new EverscanError('name: …', { status: 400, code: 'VALIDATION_ERROR', details })
    assert.equal(problemText(invalid), 'name: Höchstens 5 Zeichen.')
    assert.equal(fieldProblem(invalid, 'name'), 'Höchstens 5 Zeichen.')
    assert.equal(fieldProblem(invalid, 'url'), undefined)
    const { tooManyRequests, tooSlow } = germanStart.serviceWords
    assert.equal(failure(429, 'RATE_LIMITED'), tooManyRequests)
    assert.equal(failure(429, 'RATE_LIMITED', problem('noLink')), germanProblems.noLink)
    assert.equal(failure(409, 'CONFLICT'), 'Slow down.')
    assert.equal(failure(408, 'REQUEST_TIMEOUT'), tooSlow)
  })
})
