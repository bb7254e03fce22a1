// In a process of its own: other suites choose a language, which words keep.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { describe, test } from 'node:test'
import { addAreas, inLanguage, setLanguage, type Wording } from './chosen-language.ts'
import { germanPages } from './de/german-pages.ts'
import { germanStart } from './de/german-start.ts'
import { spanishPages } from './es/spanish-pages.ts'
import { spanishStart } from './es/spanish-start.ts'
import { frenchPages } from './fr/french-pages.ts'
import { frenchStart } from './fr/french-start.ts'
import { languageNames, languages, localeOf, preferredLanguage, type Language } from './languages.ts'
import { isOne, listsOf, pluralsOf } from './plurals.ts'

const translated = {
  de: { ...germanStart, ...germanPages },
  fr: { ...frenchStart, ...frenchPages },
  es: { ...spanishStart, ...spanishPages },
} as const satisfies Record<Exclude<Language, 'en'>, unknown>

/** Texts that are the same in every language: commands, settings, formats, and nothing. */
const untranslated = /^(\W|\d)*$|^\.\/everscan|^BACKUP_DIR|^HTTP |^#?[A-Z0-9 ]+$/

/** Limits and samples, which are never one, and texts that take something else than a number. */
const never = new Set([
  'analyticsWords.codes.csvMost',
  'bulkWords.full',
  'finderWords.moreCodes',
  'importsWords.dropHint',
  'movesWords.compare.sample',
  'movesWords.file.hint',
  'proxyCheckWords.scansFine',
  'proxyCheckWords.scansOne',
  'rulesWords.addFull',
  'rulesWords.replay.changed',
  'rulesWords.sentence.split',
  'rulesWords.trial.answersLeft',
  'tableWords.bad.tagsMany',
  'tableWords.csv.tooLarge',
])

/** One of what stands in the plural. */
const plurals = {
  en: /(?<!\d)1 (?:codes|scans|links|labels|rows|lines|cells|rules|clicks|destinations|fields|days|hours|attempts|members|dishes)/,
  de: /(?<!\d)1 (?:Codes|Scans|Links|Etiketten|Zeilen|Zellen|Regeln|Klicks|Ziele|Felder|Tage\b|Stunden|Versuche|Mitglieder|Gerichte)/,
  fr: /(?<!\d)1 (?:codes|scans|liens|étiquettes|lignes|cellules|règles|clics|destinations|champs|jours|heures|tentatives|membres|plats)/,
  es: /(?<!\d)1 (?:códigos|escaneos|enlaces|etiquetas|filas|celdas|reglas|clics|destinos|campos|días|horas|intentos|miembros|platos)/,
} as const

/** Arguments of functions that take more than texts and numbers. */
const given: Readonly<Record<string, readonly unknown[]>> = {
  'rulesWords.warnings.hidden': [['⟦0⟧', '⟦1⟧']],
  'membersWords.demandText': [['⟦0⟧', '⟦1⟧']],
  'bulkWords.labels.sheetName': ['⟦0⟧', { columns: '⟦1⟧', rows: '⟦2⟧', width: '⟦3⟧', height: '⟦4⟧' }],
}

type Leaf = { path: string; text: string | ((...values: unknown[]) => string) }

function leavesOf(words: unknown, path: string): Leaf[] {
  if (typeof words === 'string' || typeof words === 'function') return [{ path, text: words as Leaf['text'] }]
  assert.ok(typeof words === 'object' && words !== null, path)
  return Object.entries(words).flatMap(([name, word]) =>
    leavesOf(word, path === '' ? name : `${path}.${name}`),
  )
}

async function readEnglish(): Promise<Record<string, unknown>> {
  const names = readdirSync(import.meta.dirname).filter((name) => name.endsWith('-words.ts'))
  const modules = await Promise.all(
    names.map(async (name) => (await import(`./${name}`)) as Record<string, unknown>),
  )
  return Object.assign({}, ...modules) as Record<string, unknown>
}

function argumentsOf(path: string, text: (...values: unknown[]) => string): readonly unknown[] {
  const known = given[path]
  if (known !== undefined) return known
  if (path.startsWith('accountLogWords.actions.')) return [{ times: '⟦0⟧', from: '⟦1⟧', program: '⟦2⟧' }]
  return Array.from({ length: Math.max(text.length, 4) }, (_, at) => `⟦${at}⟧`)
}

/** Says a number. Some texts take it as it is written. */
function sayCount(text: (...values: unknown[]) => string, count: number): string {
  const written = String(count)
  try {
    return text(count, count, written, written)
  } catch {
    return text(written, written, written, written)
  }
}

const placeholdersOf = (text: string) => [...new Set(text.match(/⟦\d⟧/g))].toSorted()

describe('words of the dashboard', async () => {
  const read = await readEnglish()
  const english = leavesOf(read, '')

  test('a language that lacks a word, or has one more, does not compile', () => {
    type English = { readonly a: 'A'; readonly b: (name: string) => `B ${string}` }
    const whole: Wording<English> = { a: 'Ä', b: (name) => name }
    // @ts-expect-error A word is missing.
    const short: Wording<English> = { a: 'Ä' }
    // @ts-expect-error There is no such word.
    const long: Wording<English> = { a: 'Ä', b: (name) => name, c: 'C' }
    assert.ok([whole, short, long].every((words) => words.a === 'Ä'))
  })

  for (const [language, catalogue] of Object.entries({ en: read, ...translated })) {
    const leaves = new Map(leavesOf(catalogue, '').map((leaf) => [leaf.path, leaf.text]))

    test(`${language}: the same words as English`, () => {
      assert.deepEqual([...leaves.keys()].toSorted(), english.map(({ path }) => path).toSorted())
    })

    test(`${language}: every text has the placeholders of the English one`, () => {
      for (const { path, text } of english) {
        const other = leaves.get(path)
        if (typeof text === 'string') {
          assert.equal(typeof other, 'string', path)
          if (!untranslated.test(text)) assert.notEqual(other, '', path)
          continue
        }
        assert.ok(typeof other === 'function', path)
        const values = argumentsOf(path, text)
        assert.deepEqual(placeholdersOf(other(...values)), placeholdersOf(text(...values)), path)
      }
    })

    test(`${language}: no text is empty, undefined or doubled in spaces, for any number`, () => {
      for (const [path, text] of leaves) {
        const isCounted = typeof text === 'function' && !(path in given) && !path.startsWith('accountLog')
        // The example of a menu has columns.
        const doubled = path === 'menuWords.pasteExample' ? /undefined/ : /undefined|NaN|\[object|\S {2,}\S/
        const said = isCounted ? [0, 1, 2].map((count) => sayCount(text, count)) : [text]
        for (const one of said) if (typeof one === 'string') assert.doesNotMatch(one, doubled, path)
      }
    })

    test(`${language}: one thing is not in the plural`, () => {
      for (const [path, text] of leaves) {
        if (typeof text !== 'function' || path in given || never.has(path)) continue
        if (path.startsWith('accountLog')) continue
        assert.doesNotMatch(sayCount(text, 1), plurals[language as keyof typeof plurals], path)
      }
    })

    test(`${language}: quotation marks and dashes are those of the language`, () => {
      const wrong = {
        en: /[„«»'"]|\S …(?!\?)/,
        de: /[“”"«»]|'|[^\s„]…/,
        fr: /[“”„"]| [:;?!»](?!\w)|'|\S …(?!\?)/,
        es: /[“”„"]|'|[^¿]\?.*\?$|\S …(?!\?)/,
      }
      for (const [path, text] of leaves) {
        if (typeof text !== 'string' || path.endsWith('problems.unreadable')) continue
        const shown = language === 'de' ? text.replaceAll(/„[^“]*“/g, '') : text
        assert.doesNotMatch(shown, wrong[language as keyof typeof wrong], path)
      }
    })
  }

  test('an area is in the chosen language, and in English until it is loaded', () => {
    setLanguage({ language: 'de', locale: 'de', areas: germanStart })
    try {
      assert.equal(inLanguage('commonWords', { save: 'Save' }).save, 'Speichern')
      assert.equal(inLanguage('codesWords', { title: 'Codes' }).title, 'Codes')
      addAreas({ codesWords: { title: 'Kodes' } })
      assert.equal(inLanguage('codesWords', { title: 'Codes' }).title, 'Kodes')
    } finally {
      setLanguage({ language: 'en', locale: 'en' })
    }
  })

  test('the browser chooses the language, and its region the numbers', () => {
    assert.equal(preferredLanguage(['sv-SE', 'de-AT', 'en']), 'de')
    assert.equal(preferredLanguage(['sv', 'pl']), 'en')
    assert.equal(preferredLanguage([]), 'en')
    assert.equal(localeOf('de', ['sv-SE', 'de-AT']), 'de-AT')
    assert.equal(localeOf('en', ['sv-SE']), 'en-SE')
    assert.equal(localeOf('en', ['en-GB']), 'en-GB')
    assert.equal(localeOf('fr', ['zh-Hant-TW']), 'fr-TW')
    assert.equal(localeOf('es', []), 'es')
    assert.deepEqual(Object.keys(languageNames), languages)
  })

  test('plurals and lists are those of the language', () => {
    const french = pluralsOf('fr')
    assert.deepEqual(
      [0, 1, 2].map((count) => french(count, 'code', 'codes')),
      ['code', 'code', 'codes'],
    )
    assert.equal(pluralsOf('es')(0, 'código', 'códigos'), 'códigos')
    assert.deepEqual(['1 code', '1', '1\u202f234 codes', '11 codes'].map(isOne), [true, true, false, false])
    assert.equal(listsOf('de')(['Ada', 'Ben', 'Cleo']), 'Ada, Ben und Cleo')
    assert.equal(listsOf('es')(['Ana', 'Irene']), 'Ana e Irene')
  })
})
