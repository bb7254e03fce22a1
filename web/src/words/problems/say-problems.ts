import { currentLanguage } from '../chosen-language.ts'
import { commonWords } from '../common-words.ts'
import { sayProblem, sentenceOf, type Told } from './say-problem.ts'

/** A problem of one field or column. An empty path is the whole. */
export type ToldAt = { readonly path: string } & Told

/** Problems of a record. Old records have only `message`, the English of all of them. */
export type ToldTogether = {
  readonly message: string
  readonly details?: readonly ToldAt[] | null | undefined
}

/**
 * Returns problems as sentences, each after the name of its field. The English of a whole record
 * names it, which that of its problem does not.
 */
export function sayProblems(
  { message, details }: ToldTogether,
  nameOf: (path: string) => string = (path) => path,
): string {
  const all = details ?? []
  const isWhole = all.every(({ path }) => path === '')
  if (all.length === 0 || (isWhole && currentLanguage() === 'en')) return sentenceOf(message)
  return all
    .map((told) => {
      const name = told.path === '' ? '' : nameOf(told.path)
      return name === '' ? sayProblem(told) : `${name}${commonWords.colon} ${sayProblem(told)}`
    })
    .join(' ')
}
