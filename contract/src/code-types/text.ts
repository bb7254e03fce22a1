import type { Static } from 'typebox'
import { Text, strictObject } from '../schema/common.ts'
import { textOf } from '../schema/fields.ts'
import { limits } from '../schema/limits.ts'
import { noDestinations, required, verbatim, type CodeType } from './code-type.ts'

/** Characters of a text that say what it is. */
const leadCharsMax = 100

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
  leads: (data) => [Array.from(textOf(data, 'text')).slice(0, leadCharsMax).join('')],
  importColumns: [verbatim(required('text', 'The meeting is in room 12.'))],
} satisfies CodeType
