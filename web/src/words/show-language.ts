import type { PagesCatalogue, StartCatalogue } from './catalogue.ts'
import { addAreas, currentLanguage, setLanguage } from './chosen-language.ts'
import { languages, localeOf, preferredLanguage, type Language } from './languages.ts'
import type { ProblemWords } from './problems/problem-wording.ts'
import { setProblemWords } from './problems/say-problem.ts'

const key = 'everscan-language'

type Loaders = {
  start: () => Promise<StartCatalogue>
  pages: () => Promise<PagesCatalogue>
  problems: () => Promise<ProblemWords>
}

/** English needs none: its words are part of the pages. */
const loaders: Readonly<Record<Exclude<Language, 'en'>, Loaders>> = {
  de: {
    start: async () => (await import('./de/german-start.ts')).germanStart,
    pages: async () => (await import('./de/german-pages.ts')).germanPages,
    problems: async () => (await import('./problems/de/german-problems.ts')).germanProblems,
  },
  fr: {
    start: async () => (await import('./fr/french-start.ts')).frenchStart,
    pages: async () => (await import('./fr/french-pages.ts')).frenchPages,
    problems: async () => (await import('./problems/fr/french-problems.ts')).frenchProblems,
  },
  es: {
    start: async () => (await import('./es/spanish-start.ts')).spanishStart,
    pages: async () => (await import('./es/spanish-pages.ts')).spanishPages,
    problems: async () => (await import('./problems/es/spanish-problems.ts')).spanishProblems,
  },
}

/** Returns the language that the user chose in this browser, or the browser's own. */
export function readLanguage(): Language {
  return readKept() ?? preferredLanguage(navigator.languages)
}

/** Keeps the choice of the user in this browser. A fresh page shows it. */
export function keepLanguage(language: Language): void {
  try {
    localStorage.setItem(key, language)
  } catch {
    // A browser that stores nothing keeps to its own language.
  }
}

/**
 * Loads the words of the first page, before any module that uses words. The dashboard is in English
 * if they cannot be loaded.
 */
export async function prepareLanguage(): Promise<void> {
  const language = readLanguage()
  const areas = language === 'en' ? undefined : await loaders[language].start().catch(() => undefined)
  const shown = areas === undefined ? 'en' : language
  setLanguage({ language: shown, locale: localeOf(shown, navigator.languages), areas })
  document.documentElement.lang = shown
}

/** Loads the words of all pages and of problems, before any page that is loaded later. */
export async function loadWords(): Promise<void> {
  const language = currentLanguage()
  if (language === 'en') return
  loading ??= loaders[language].pages().then(addAreas)
  try {
    await Promise.all([loading, loadProblemWords()])
  } catch (error) {
    loading = undefined
    throw error
  }
}

let loading: Promise<void> | undefined

/**
 * Loads the words for problems, before a failure is shown: the first page has none yet. They stay
 * in the English of the service if they cannot be loaded.
 */
export async function loadProblemWords(): Promise<void> {
  const language = currentLanguage()
  if (language === 'en') return
  loadingProblems ??= loaders[language].problems().then(setProblemWords)
  try {
    await loadingProblems
  } catch {
    loadingProblems = undefined
  }
}

let loadingProblems: Promise<void> | undefined

function readKept(): Language | undefined {
  try {
    const kept = localStorage.getItem(key)
    return languages.find((language) => language === kept)
  } catch {
    return undefined
  }
}
