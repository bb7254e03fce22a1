import { fillText } from '@everscan/contract/problems/fill-text.ts'
import type { Values } from '@everscan/contract/problems/problem.ts'
import type { ProblemWords, SayOther } from './problem-wording.ts'

/** A problem as the service tells it, or as this page finds it. Old records only have English. */
export type Told = {
  readonly problem?: string | null | undefined
  readonly values?: Values | null | undefined
  readonly message: string
}

type Wordings = Readonly<Record<string, string | ((values: never, sayOther: SayOther) => string)>>

let wordings: Wordings = {}

/** Sets the words of the language of the page. English needs none. */
export function setProblemWords(words: ProblemWords): void {
  wordings = words
}

/**
 * Returns a problem in the words of the language of the page. Undefined in English, and for the
 * name of a service that is newer than this page.
 */
export function wordsOf({ problem, values }: Omit<Told, 'message'>): string | undefined {
  if (problem === undefined || problem === null || !Object.hasOwn(wordings, problem)) return undefined
  const words = wordings[problem]
  if (typeof words === 'string') return fillText(words, values ?? {})
  let isKnown = true
  const said = words?.((values ?? {}) as never, (name, own) => {
    const other = wordsOf({ problem: name, values: own })
    isKnown = other !== undefined
    return other ?? ''
  })
  return isKnown ? said : undefined
}

/** Returns a problem as a sentence: in the page's language, or else as the service tells it. */
export function sayProblem(told: Told): string {
  return wordsOf(told) ?? sentenceOf(told.message)
}

/** Messages about a field begin in lower case, because the service puts its name before them. */
export function sentenceOf(message: string): string {
  const isEnded = '.!?'.includes(message.at(-1) ?? '.')
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}${isEnded ? '' : '.'}`
}
