import type { Static } from 'typebox'
import { Text, strictObject } from '../schema/common.ts'
import { limits } from '../schema/limits.ts'
import { noDestinations, required, verbatim, type CodeType } from './code-type.ts'

/** Content of a TEXT code: plain text. */
export const TextData = strictObject(
  { text: Text(limits.textCharsMax, 'The text.', { minLength: 1 }) },
  { description: 'Content of type TEXT.', examples: [{ text: 'The meeting is in room 12.' }] },
)
export type TextData = Static<typeof TextData>

export const text = {
  schema: TextData,
  answers: 'page',
  destinations: noDestinations,
  importColumns: [verbatim(required('text', 'The meeting is in room 12.'))],
  payload: 'text',
} satisfies CodeType
