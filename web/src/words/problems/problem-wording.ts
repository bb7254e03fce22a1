import type { Placeholders, ProblemName, Values, ValuesOf } from '@everscan/contract/problems/problem.ts'
import type { problems } from '@everscan/contract/problems/problems.ts'

/** Says another problem by its name, for problems that are about one. */
export type SayOther = (name: string, values: Values) => string

type Wording<Name extends ProblemName> = string | ((values: ValuesOf<Name>, sayOther: SayOther) => string)

/**
 * The words of a language for problems, or for a part of them: sentences with values in braces, or
 * functions of the values.
 */
export type ProblemWords<Part = typeof problems> = {
  readonly [Name in keyof Part & ProblemName]: Wording<Name>
}

/** Texts that have a placeholder for a value that their problem lacks are of the type `never`. */
export type WithOwnValues<Words> = {
  readonly [Name in keyof Words]: Words[Name] extends string
    ? Placeholders<Words[Name]> extends keyof ValuesOf<Name & ProblemName>
      ? Words[Name]
      : never
    : Words[Name]
}
