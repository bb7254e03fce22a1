import { told } from './fill-text.ts'
import { problems } from './problems.ts'

export type ProblemName = keyof typeof problems

/** Numbers and short texts that a problem is about. */
export type Values = Readonly<Record<string, string | number>>

/** The names in braces. */
export type Placeholders<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never

/** The values of a problem, by the placeholders of its English or the parameter of its function. */
export type ValuesOf<Name extends ProblemName> = (typeof problems)[Name] extends infer English
  ? English extends string
    ? Readonly<Record<Placeholders<English>, string | number>>
    : English extends (values: infer Given) => string
      ? Given
      : never
  : never

/** A refusal or a warning: its name and its values for programs, its English for people. */
export type Problem = { readonly problem: ProblemName; readonly values: Values; readonly message: string }

/** A problem of one field. `path` has dots and indexes (`links[0].url`); empty: the whole value. */
export type FieldProblem = { readonly path: string } & Problem

/** Values are left out for a problem that has none. */
export type ProblemArguments<Name extends ProblemName> = [keyof ValuesOf<Name>] extends [never]
  ? [name: Name]
  : [name: Name, values: ValuesOf<Name>]

/** Makes a problem of its name and its values. */
export function problem<Name extends ProblemName>(...[name, values]: ProblemArguments<Name>): Problem {
  return { problem: name, ...told(problems[name], values) }
}

/** Adds the refused text to a problem that does not have it. */
export function withGot(found: Problem, got: string): Problem {
  return { ...found, values: { ...found.values, got }, message: `${found.message}, got "${got}"` }
}
