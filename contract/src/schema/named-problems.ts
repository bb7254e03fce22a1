import { Type, type Static } from 'typebox'
import { nullable, strictObject } from './common.ts'

export const ProblemField = Type.String({
  description: 'The name of the problem, for programs and translations: it never changes its meaning.',
  examples: ['tooLong'],
})
export const ValuesField = Type.Unsafe<Record<string, string | number>>({
  type: 'object',
  additionalProperties: { anyOf: [{ type: 'string' }, { type: 'number' }] },
  description: 'Numbers and short texts that the problem is about.',
  examples: [{ max: 255, got: 300 }],
})

/** The problem beside a sentence that tells it. */
export const namedProblem = {
  problem: nullable(ProblemField, {
    description: 'The name of the problem; null if there is none, or if an earlier release stored it.',
  }),
  values: nullable(ValuesField, { description: 'The values of the problem; null without a name.' }),
}

/** A problem of a part of a record, with its name. */
export const NamedDetail = strictObject({
  path: Type.String({ description: 'The column or field; empty for the whole.' }),
  problem: ProblemField,
  values: ValuesField,
  message: Type.String({ description: 'The problem in a sentence.' }),
})
export type NamedDetail = Static<typeof NamedDetail>

/** Returns the list of the problems that a sentence beside it tells. */
export function namedDetails(description: string) {
  return Type.Array(NamedDetail, {
    description: `${description}; empty if there is none, or if an earlier release stored it.`,
  })
}
